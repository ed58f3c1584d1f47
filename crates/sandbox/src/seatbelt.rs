//! A [`Plan`] as a profile for `sandbox-exec` of macOS.
//!
//! `sandbox-exec(1)` takes a profile as text and becomes the command below it. The language has no
//! manual; what is used of it here is what profiles of the system and of other programs use, and what
//! they tell of it: the last rule that fits decides, paths are those that links lead to, and moving
//! something away is `file-write-unlink` of its old name. Everything is denied that no rule allows,
//! and a profile with an error in it starts no command.
//!
//! Nobody starts commands by it yet: see `docs/sandbox.md`.

use std::{
    collections::BTreeSet,
    error::Error,
    fmt,
    path::{Component, Path, PathBuf},
    process::Command,
};

use crate::Plan;

/// The program, wherever `PATH` leads.
const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// What every command may: start programs and deal with its own ones, ask for numbers of the system and for
/// users' names, read what no later rule denies, and use its terminal.
const HEAD: &str = r#"(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* signal (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow file-read* file-map-executable)
(allow pseudo-tty)
(allow file-ioctl file-write-data
  (literal "/dev/dtracehelper")
  (literal "/dev/null")
  (literal "/dev/ptmx")
  (literal "/dev/tty")
  (literal "/dev/zero")
  (regex #"^/dev/ttys[0-9]+$"))
"#;

/// Addresses of the Internet, the looking up of names, and what judges certificates; no sockets of
/// other programs.
const NETWORK: &str = r#"(allow system-socket)
(allow network-outbound
  (remote ip "*:*")
  (literal "/private/var/run/mDNSResponder"))
(allow network-bind network-inbound (local ip "*:*"))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.trustd.agent"))
"#;

/// What a command reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Nothing, the loopback interface neither: there is one, and what listens there is the user's.
    Closed,
    /// What the machine reaches.
    Open,
}

/// A path that a profile cannot name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unnamable {
    path: PathBuf,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    NotReal,
    NotText,
    Control(char),
}

impl fmt::Display for Unnamable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the path {:?}: ", self.path)?;
        match self.why {
            Why::NotReal => {
                f.write_str("expected one from the root, without `..`; name the folder in full")
            }
            Why::NotText => f.write_str("expected UTF-8; rename what is not"),
            Why::Control(found) => {
                write!(f, "expected no control character, but found {found:?}; rename it")
            }
        }
    }
}

impl Error for Unnamable {}

/// The program, to be started as planned: what is set of it is set for `program`.
///
/// # Errors
///
/// [`Unnamable`], for a path of the plan.
pub fn command(plan: &Plan, network: Network, program: &Path) -> Result<Command, Unnamable> {
    #[expect(clippy::disallowed_methods, reason = "made for the run manager of the tools")]
    let mut command = Command::new(SANDBOX_EXEC);
    command.arg("-p").arg(profile(plan, network)?).arg(program);
    Ok(command)
}

/// The profile of a plan.
///
/// # Errors
///
/// [`Unnamable`], for a path of it.
pub fn profile(plan: &Plan, network: Network) -> Result<String, Unnamable> {
    let mut text = HEAD.to_owned();
    for (_, is_hidden, path) in folders(plan) {
        let verb = if is_hidden { "deny" } else { "allow" };
        text += &format!("({verb} file-read* file-write* (subpath {}))\n", quoted(path)?);
    }
    let mut protected = plan.protected_places();
    protected.extend(plan.protected.iter().cloned());
    for place in protected {
        text += &format!("(deny file-write* (regex {}))\n", whatever_case(&place)?);
    }
    for folder in plan.held().collect::<BTreeSet<_>>() {
        text += &format!("(deny file-write-unlink (literal {}))\n", quoted(&folder)?);
    }
    match network {
        Network::Closed => {}
        Network::Open => text += NETWORK,
    }
    Ok(text)
}

/// What may be changed and what is hidden, outer ones first: either may lie in the other.
fn folders(plan: &Plan) -> BTreeSet<(usize, bool, &Path)> {
    let writable = plan.writable.iter().chain(&plan.temp).map(|path| (path, false));
    let hidden = plan.hidden.iter().map(|path| (path, true));
    let all = writable.chain(hidden);
    all.map(|(path, is_hidden)| (path.components().count(), is_hidden, path.as_path())).collect()
}

/// The path as a string of the profile, from which nothing in it leads out.
fn quoted(path: &Path) -> Result<String, Unnamable> {
    let text = named(path)?.replace('\\', r"\\").replace('"', r#"\""#);
    Ok(format!("\"{text}\""))
}

/// A pattern of the path, and of what is below it, as any of its spellings. A name that is not there yet is
/// made in whatever case, and most disks of macOS find it in any. A sign that is no letter of ASCII and none
/// of those that stand for themselves may be any: so the pattern has no sign that ends it, and denies
/// more, never less.
fn whatever_case(path: &Path) -> Result<String, Unnamable> {
    let mut pattern = String::from("#\"^");
    let mut is_any = false;
    for sign in named(path)?.chars() {
        let was_any = std::mem::replace(&mut is_any, false);
        match sign {
            'a'..='z' | 'A'..='Z' => {
                pattern.extend(['[', sign.to_ascii_uppercase(), sign.to_ascii_lowercase(), ']']);
            }
            '0'..='9' | '/' | '-' | '_' => pattern.push(sign),
            '.' => pattern += "[.]",
            _ if was_any => is_any = true,
            _ => {
                pattern += "[^/]+";
                is_any = true;
            }
        }
    }
    Ok(pattern + "(/|$)\"")
}

/// The path as text, if it has a name that a profile can hold.
fn named(path: &Path) -> Result<&str, Unnamable> {
    let wrong = |why| Unnamable { path: path.to_owned(), why };
    if !path.is_absolute() || path.components().any(|it| it == Component::ParentDir) {
        return Err(wrong(Why::NotReal));
    }
    let text = path.to_str().ok_or_else(|| wrong(Why::NotText))?;
    match text.chars().find(|sign| sign.is_control()) {
        Some(found) => Err(wrong(Why::Control(found))),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _};

    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn plan() -> Plan {
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
        Plan {
            writable: paths(&["/Users/ada/work", "/Users/ada/Library/Caches/pip"]),
            protected: paths(&["/Users/ada/work/.mcp.json", "/Users/ada/work/.git/hooks"]),
            fixed: paths(&["/Users/ada/work/.git"]),
            hidden: paths(&["/Users/ada/.local/state/tagline", "/Users/ada/work/own/deep"]),
            temp: Some("/Users/ada/.local/state/tagline/runs/s/tmp".into()),
        }
    }

    /// What a plan adds to the head.
    #[track_caller]
    fn check(plan: &Plan, network: Network, expected: Expect) {
        let text = profile(plan, network).unwrap();
        expected.assert_eq(text.strip_prefix(HEAD).unwrap());
        assert!(read(&text).is_some(), "{text}");
    }

    #[test]
    fn a_plan_is_rules_of_which_the_last_decides() {
        check(
            &plan(),
            Network::Closed,
            expect![[r#"
                (allow file-read* file-write* (subpath "/Users/ada/work"))
                (allow file-read* file-write* (subpath "/Users/ada/Library/Caches/pip"))
                (deny file-read* file-write* (subpath "/Users/ada/.local/state/tagline"))
                (deny file-read* file-write* (subpath "/Users/ada/work/own/deep"))
                (allow file-read* file-write* (subpath "/Users/ada/.local/state/tagline/runs/s/tmp"))
                (deny file-write* (regex #"^/[Uu][Ss][Ee][Rr][Ss]/[Aa][Dd][Aa]/[Ww][Oo][Rr][Kk]/[.][Gg][Ii][Tt]/[Hh][Oo][Oo][Kk][Ss](/|$)"))
                (deny file-write* (regex #"^/[Uu][Ss][Ee][Rr][Ss]/[Aa][Dd][Aa]/[Ww][Oo][Rr][Kk]/[.][Mm][Cc][Pp][.][Jj][Ss][Oo][Nn](/|$)"))
                (deny file-write-unlink (literal "/Users/ada/work/.git"))
                (deny file-write-unlink (literal "/Users/ada/work/own"))
            "#]],
        );
    }

    #[test]
    fn an_open_network_is_that_of_addresses() {
        check(
            &Plan::default(),
            Network::Open,
            expect![[r#"
            (allow system-socket)
            (allow network-outbound
              (remote ip "*:*")
              (literal "/private/var/run/mDNSResponder"))
            (allow network-bind network-inbound (local ip "*:*"))
            (allow mach-lookup
              (global-name "com.apple.SystemConfiguration.DNSConfiguration")
              (global-name "com.apple.SystemConfiguration.configd")
              (global-name "com.apple.trustd.agent"))
        "#]],
        );
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_protected_there_too() {
        let folder = tempfile::TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        fs::create_dir(top.join("real")).unwrap();
        std::os::unix::fs::symlink("real", top.join(".vscode")).unwrap();
        let plan = Plan {
            writable: vec![top.clone()],
            protected: vec![top.join(".vscode")],
            ..Plan::default()
        };
        let text = profile(&plan, Network::Closed).unwrap();
        for name in [".vscode", "real"] {
            let pattern = whatever_case(&top.join(name)).unwrap();
            assert!(text.contains(&format!("(deny file-write* (regex {pattern}))\n")), "{text}");
        }
    }

    #[test]
    fn a_command_is_what_follows_its_profile() {
        let command = command(&plan(), Network::Closed, Path::new("/bin/bash")).unwrap();
        assert_eq!(command.get_program(), SANDBOX_EXEC);
        let profile = profile(&plan(), Network::Closed).unwrap();
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(arguments, ["-p", profile.as_str(), "/bin/bash"]);
    }

    #[track_caller]
    fn check_refused(path: &[u8], expected: Expect) {
        let path = PathBuf::from(OsStr::from_bytes(path));
        let plans = [
            Plan { writable: vec![path.clone()], ..Plan::default() },
            Plan { protected: vec![path.clone()], ..Plan::default() },
            Plan { fixed: vec![path.clone()], ..Plan::default() },
            Plan { hidden: vec![path.clone()], ..Plan::default() },
            Plan { temp: Some(path), ..Plan::default() },
        ];
        let told = plans.map(|plan| command(&plan, Network::Open, Path::new("sh")).unwrap_err());
        assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{told:?}");
        expected.assert_eq(&told[0].to_string());
    }

    #[test]
    fn what_a_profile_cannot_name_is_refused() {
        check_refused(
            b"relative",
            expect![[
                r#"the path "relative": expected one from the root, without `..`; name the folder in full"#
            ]],
        );
        check_refused(
            b"/a/../b",
            expect![[
                r#"the path "/a/../b": expected one from the root, without `..`; name the folder in full"#
            ]],
        );
        check_refused(
            b"/a/\xff",
            expect![[r#"the path "/a/\xFF": expected UTF-8; rename what is not"#]],
        );
        check_refused(
            b"/a\n(allow default)",
            expect![[
                r#"the path "/a\n(allow default)": expected no control character, but found '\n'; rename it"#
            ]],
        );
        check_refused(
            "/a\u{9b}".as_bytes(),
            expect![[
                r#"the path "/a\u{9b}": expected no control character, but found '\u{9b}'; rename it"#
            ]],
        );
    }

    /// A form of the profile: a list, a string, a raw string after `#`, or a word.
    #[derive(Clone, Debug, PartialEq)]
    enum Form {
        List(Vec<Form>),
        Text(String),
        Raw(String),
        Word(String),
    }

    /// Reads a profile, if it is one, by the rules of Scheme for lists and strings.
    fn read(text: &str) -> Option<Vec<Form>> {
        let mut open = vec![Vec::new()];
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            match sign {
                ' ' | '\n' => {}
                '(' => open.push(Vec::new()),
                ')' => {
                    let list = Form::List(open.pop()?);
                    open.last_mut()?.push(list);
                }
                '#' if signs.next_if_eq(&'"').is_some() => {
                    let raw: String = signs.by_ref().take_while(|it| *it != '"').collect();
                    open.last_mut()?.push(Form::Raw(raw));
                }
                '"' => {
                    let mut inner = String::new();
                    loop {
                        match signs.next()? {
                            '"' => break,
                            '\\' => inner.push(signs.next().filter(|it| "\\\"".contains(*it))?),
                            sign => inner.push(sign),
                        }
                    }
                    open.last_mut()?.push(Form::Text(inner));
                }
                sign => {
                    let mut word = String::from(sign);
                    while let Some(next) = signs.next_if(|it| !" \n()\"".contains(*it)) {
                        word.push(next);
                    }
                    open.last_mut()?.push(Form::Word(word));
                }
            }
        }
        if open.len() == 1 { open.pop() } else { None }
    }

    fn rule(verb: &str, operations: &[&str], filter: &str, value: Form) -> Form {
        let word = |it: &str| Form::Word(it.to_owned());
        let head = [verb].into_iter().chain(operations.iter().copied()).map(word);
        Form::List(head.chain([Form::List(vec![word(filter), value])]).collect())
    }

    fn hostile() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\")) (allow default) ((\"".to_owned()),
            Just("\\".to_owned()),
            Just("\\\"".to_owned()),
            Just("(/|$)\" ; #\"".to_owned()),
            Just(".*[^x]{2}$^|()".to_owned()),
            "[a-zA-Z .;#\"\\\\()]{1,8}",
            "\\PC{1,6}",
        ];
        let name = prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat());
        prop::collection::vec(name, 1..4)
            .prop_map(|names| format!("/{}", names.join("/")))
            .prop_filter("a real path", |path| named(Path::new(path)).is_ok())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_path_is_one_string_of_the_rule_that_it_is_in(one in hostile(), two in hostile(), three in hostile()) {
            let plan = Plan {
                writable: vec![one.clone().into()],
                protected: vec![two.clone().into()],
                fixed: vec![three.clone().into()],
                ..Plan::default()
            };
            let head = read(HEAD).unwrap();
            let all = read(&profile(&plan, Network::Closed).unwrap()).unwrap();
            let pattern = whatever_case(Path::new(&two)).unwrap();
            let raw = pattern.strip_prefix("#\"").unwrap().strip_suffix('"').unwrap();
            let own = [
                rule("allow", &["file-read*", "file-write*"], "subpath", Form::Text(one)),
                rule("deny", &["file-write*"], "regex", Form::Raw(raw.to_owned())),
                rule("deny", &["file-write-unlink"], "literal", Form::Text(three)),
            ];
            prop_assert_eq!(&all[..head.len()], &head[..]);
            prop_assert_eq!(&all[head.len()..], &own[..]);
        }

        #[test]
        fn a_protected_name_is_met_in_any_case_and_below_and_its_neighbours_are_not(path in "/[a-zA-Z0-9._-]{1,8}(/[a-zA-Z0-9._-]{1,8}){0,2}", below in "[a-z]{1,4}") {
            prop_assume!(named(Path::new(&path)).is_ok());
            let pattern = whatever_case(Path::new(&path)).unwrap();
            let pattern = pattern.strip_prefix("#\"").unwrap().strip_suffix('"').unwrap();
            let regex = regex::Regex::new(pattern).unwrap();
            for same in [path.clone(), path.to_uppercase(), path.to_lowercase(), format!("{path}/{below}")] {
                prop_assert!(regex.is_match(&same), "{} {}", pattern, same);
            }
            for other in [format!("{path}{below}"), format!("/~{path}"), path.replacen('/', "/~", 1)] {
                prop_assert!(!regex.is_match(&other), "{} {}", pattern, other);
            }
        }

        #[test]
        fn a_hostile_name_is_met_by_its_own_pattern(path in hostile()) {
            let pattern = whatever_case(Path::new(&path)).unwrap();
            let pattern = pattern.strip_prefix("#\"").unwrap().strip_suffix('"').unwrap();
            prop_assert!(!pattern.contains(['"', '\\']), "{}", pattern);
            prop_assert!(regex::Regex::new(pattern).unwrap().is_match(&path), "{} {}", pattern, path);
        }
    }
}
