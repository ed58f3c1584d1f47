//! Whether the configuration of a new repository holds nothing that git would run.
//!
//! A strict reading of the form of `git-config(1)`: what is not known to be harmless is not plain, and so
//! is each way of writing that git has no need of.

/// Longest configuration that is read, in bytes.
pub(super) const LONGEST: usize = 64 * 1024;

/// What names may hold beside letters and digits.
const IN_NAMES: &str = "._-/@+";
/// What does not stand for itself in a value.
const MEANT: &str = "\"\\#;";
/// How git reaches others without a program that the configuration names.
const SCHEMES: [&str; 5] = ["http", "https", "ssh", "git", "file"];

/// Says nothing of a configuration of plain settings; of another one, which line is more than that.
pub(super) fn plain(text: &str) -> Result<(), String> {
    let mut section = None;
    for line in text.split('\n').map(|line| line.trim_matches([' ', '\t', '\r'])) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            section = Some(Section::read(line).ok_or_else(|| shown(line))?);
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        let (key, value) = (key.trim_end().to_lowercase(), value.trim_start());
        match &section {
            Some(section) if section.takes(&key, value) => {}
            Some(_) | None => return Err(shown(line)),
        }
    }
    Ok(())
}

/// The line, not too much of it.
fn shown(line: &str) -> String {
    let line: String =
        line.chars().take(60).map(|it| if it.is_control() { '�' } else { it }).collect();
    format!("`{line}`")
}

/// `[name]` or `[name "sub"]`.
struct Section<'a> {
    name: String,
    sub: Option<&'a str>,
}

impl<'a> Section<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let inner = line.strip_prefix('[')?.strip_suffix(']')?;
        let (name, sub) = match inner.split_once([' ', '\t']) {
            None => (inner, None),
            Some((name, sub)) => {
                (name, Some(sub.trim_start().strip_prefix('"')?.strip_suffix('"')?))
            }
        };
        let is_sub =
            |sub: &str| !sub.starts_with('-') && !sub.contains(['"', '\\']) && is_line(sub);
        let is_read = is_word(name) && sub.is_none_or(is_sub);
        is_read.then(|| Self { name: name.to_lowercase(), sub })
    }

    /// Whether the setting is known, and its value one that runs nothing.
    fn takes(&self, key: &str, value: &str) -> bool {
        match (self.name.as_str(), self.sub.is_some(), key) {
            (
                "core",
                false,
                "repositoryformatversion"
                | "filemode"
                | "bare"
                | "logallrefupdates"
                | "ignorecase"
                | "precomposeunicode"
                | "symlinks",
            )
            | ("extensions", false, "objectformat" | "refstorage")
            | ("submodule", true, "active") => is_word(value),
            ("remote" | "submodule", true, "url") => is_address(value),
            ("remote", true, "fetch") => is_refspec(value),
            ("branch", true, "remote" | "merge") | ("init", false, "defaultbranch") => {
                is_name(value)
            }
            ("user", false, "name" | "email") => is_line(value) && !value.contains(is_meant),
            ("submodule", false, "active") => value == ".",
            _ => false,
        }
    }
}

fn is_meant(it: char) -> bool {
    MEANT.contains(it)
}

fn is_line(text: &str) -> bool {
    !text.contains(char::is_control)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_alphanumeric())
}

/// Of a branch, a remote or a reference. A remote can be an address, which this is not.
fn is_name(text: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || IN_NAMES.contains(it);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(is_part)
}

/// Such as `+refs/heads/*:refs/remotes/origin/*`.
fn is_refspec(text: &str) -> bool {
    let is_side = |side: &str| is_name(&side.replace('*', "x"));
    let text = text.strip_prefix('+').unwrap_or(text);
    text.split_once(':').is_some_and(|(from, to)| is_side(from) && is_side(to))
}

/// A place that git reaches by itself: by one of the schemes, by ssh as `host:path`, or a path. `name::…`
/// and other schemes start a program of that name, and what begins with a dash is an option to one.
fn is_address(text: &str) -> bool {
    let is_plain = !text.is_empty() && is_line(text) && !text.contains(is_meant);
    let host = match text.split_once("://") {
        Some((scheme, rest)) if SCHEMES.contains(&scheme) => rest,
        Some(_) => return false,
        None => text,
    };
    let host = host.split_once('@').map_or(host, |(_, host)| host);
    is_plain && !text.contains("::") && !text.starts_with('-') && !host.starts_with('-')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn said(text: &str) -> String {
        plain(text).map_or_else(|line| format!("more than plain: {line}"), |()| "plain".to_owned())
    }

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&said(text));
    }

    /// As `git clone --recurse-submodules` leaves it.
    const CLONED: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
        \tlogallrefupdates = true\n\tignorecase = true\n\tprecomposeunicode = true\n\
        [remote \"origin\"]\n\turl = https://example.org/a/b.git\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n\
        [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n\
        [submodule]\n\tactive = .\n[submodule \"sub/a\"]\n\turl = ../a.git\n\tactive = true\n";

    #[test]
    fn what_git_itself_writes_is_plain() {
        check("", expect!["plain"]);
        check(CLONED, expect!["plain"]);
        check("# a\r\n; b \\\r\n[CORE]\r\n\tBare\r\n", expect!["plain"]);
        check("[user]\nname = Ada L.\nemail = ada@example.org\n", expect!["plain"]);
        check("[extensions]\n objectformat = sha256\n[init]\ndefaultBranch=main", expect!["plain"]);
        for url in [
            "git@example.org:a/b.git",
            "ssh://git@example.org:22/a",
            "git://example.org/a",
            "file:///srv/a",
            "/home/ada/my code/a",
            "../a",
        ] {
            assert_eq!(plain(&format!("[remote \"o\"]\nurl = {url}\n")), Ok(()), "{url}");
        }
    }

    const BAD: [&str; 35] = [
        "[core]\nfsmonitor = x",
        "[core]\nhooksPath = x",
        "[core]\nworktree = /",
        "[core]\nsshCommand = x",
        "[core]\nbare = false # \\",
        "[core]\neditor = x",
        "[core] bare = false",
        "[core]\nbare = fal\\\nse",
        "[core]\nbare = \"x\"",
        "[core.x]\nbare = true",
        "[core \"x\"]\nbare = true",
        "[include]\npath = x",
        "[includeIf \"gitdir:/\"]\npath = x",
        "[alias]\nst = !x",
        "[filter \"a\"]\nclean = x",
        "[remote \"o\"]\nurl = ext::sh -c x",
        "[remote \"o\"]\nurl = x://a",
        "[remote \"o\"]\nurl = -x",
        "[remote \"o\"]\nurl = ssh://-oProxyCommand=x/a",
        "[remote \"o\"]\nurl = ssh://a@-x/a",
        "[remote \"o\"]\nuploadpack = x",
        "[remote \"o\"]\nvcs = x",
        "[remote \"o\"]\nfetch = --x:y",
        "[remote \"a\\\"b\"]\nurl = /a",
        "[branch \"m\"]\nremote = ext::x",
        "[branch \"m\"]\nremote = -x",
        "[url \"ext::x\"]\ninsteadOf = a",
        "[submodule \"a\"]\nupdate = !x",
        "[user]\nname = a\\nb",
        "[user]\nsigningkey = x",
        "[unclosed\nbare = true",
        "bare = true",
        "\u{feff}[core]\nbare = true",
        "[core]\nbare = true\r[alias]",
        "[core]\nbare = true\0",
    ];

    #[test]
    fn what_makes_git_run_or_read_something_else_is_not() {
        let passed: Vec<_> = BAD.into_iter().filter(|text| plain(text).is_ok()).collect();
        assert_eq!(passed, [""; 0]);
    }

    #[test]
    fn the_line_is_told() {
        check("[core]\nbare = true\n fsmonitor = x", expect!["more than plain: `fsmonitor = x`"]);
        check("[core]\nbare = true\r[alias]", expect!["more than plain: `bare = true�[alias]`"]);
        let long = format!("[a \"{}\"\n", "b".repeat(100));
        assert_eq!(said(&long).chars().count(), "more than plain: ``".len() + 60);
    }
}
