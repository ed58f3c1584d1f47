//! Programs that run other programs, looked through.

use crate::language::lists;

/// What a command runs in turn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// Words of a command.
    Command(Vec<String>),
    /// A text that a shell reads.
    Script(String),
}

/// Read code from their arguments or their input.
const SHELLS: &str = "ash bash csh dash fish ksh mksh rbash sh tcsh zsh";

/// Words before a command that belong to the grammar.
const KEYWORDS: &str = "if then elif else do while until ! { coproc";

/// How a wrapper's own arguments are skipped.
struct Wrapper {
    /// Its names.
    names: &'static str,
    /// Options whose value is the next word.
    valued: &'static str,
    /// Words of its own before the command.
    n_own: usize,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: "sudo doas pkexec run0",
        valued: "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot \
            --role --type --close-from --other-user --command-timeout",
        n_own: 0,
    },
    Wrapper { names: "env", valued: "-u -C --unset --chdir --argv0 -a", n_own: 0 },
    Wrapper { names: "timeout gtimeout", valued: "-k -s --kill-after --signal", n_own: 1 },
    Wrapper { names: "nice", valued: "-n --adjustment", n_own: 0 },
    Wrapper { names: "ionice", valued: "-c -n --class --classdata", n_own: 0 },
    Wrapper { names: "stdbuf", valued: "-i -o -e --input --output --error", n_own: 0 },
    Wrapper { names: "time", valued: "-f -o --format --output", n_own: 0 },
    Wrapper { names: "exec", valued: "-a", n_own: 0 },
    Wrapper {
        names: "xargs parallel",
        valued: "-I -n -P -L -d -a -E -s -j --max-args --max-procs --max-lines --delimiter \
            --arg-file --max-chars --jobs",
        n_own: 0,
    },
    Wrapper { names: "strace ltrace", valued: "-e -o -p -s -u -E -P -a -b -O -S -X", n_own: 0 },
    Wrapper { names: "flock", valued: "-w -E --timeout --conflict-exit-code", n_own: 1 },
    Wrapper {
        names: "systemd-run",
        valued: "-p -u -E -M --unit --property --uid --gid --slice --setenv --machine",
        n_own: 0,
    },
    Wrapper { names: "chroot chrt taskset setarch", valued: "", n_own: 1 },
    Wrapper { names: "npx bunx uvx pnpx", valued: "-p --package --from", n_own: 0 },
    Wrapper { names: "nsenter unshare", valued: "-t -S -G -R -w --target --root --wd", n_own: 0 },
    Wrapper {
        names: "nohup setsid command builtin busybox toybox numactl prlimit proxychains \
            proxychains4 torsocks firejail unbuffer caffeinate catchsegv dbus-run-session xvfb-run",
        valued: "-f -t -w",
        n_own: 0,
    },
];

/// The last part of a program's path, in lower case: some file systems do not tell case apart.
pub(crate) fn name(words: &[String]) -> String {
    let program = words.first().map_or("", String::as_str);
    program.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// Whether the program reads code of the shell.
pub(crate) fn is_shell(name: &str) -> bool {
    lists(SHELLS, name) || lists("eval source . xargs parallel", name)
}

/// Whether the program is a shell.
pub(crate) fn is_interpreter(name: &str) -> bool {
    lists(SHELLS, name)
}

/// What a command runs in turn, generously read. Empty where it runs nothing else.
pub(crate) fn inner(words: &[String]) -> Vec<Inner> {
    let name = name(words);
    let rest = words.get(1..).unwrap_or_default();
    let wrapper = WRAPPERS.iter().find(|it| lists(it.names, &name));
    match name.as_str() {
        it if lists(KEYWORDS, it) => vec![Inner::Command(rest.to_vec())],
        it if lists(SHELLS, it) => shell(rest),
        "eval" => vec![Inner::Script(rest.join(" "))],
        "watch" => vec![Inner::Script(words_only(rest).join(" "))],
        "trap" => rest.first().cloned().map(Inner::Script).into_iter().collect(),
        "alias" => rest.iter().filter_map(|it| script_after(it, "=")).collect(),
        "su" | "runuser" | "script" | "sg" => after_option(rest),
        "find" | "fd" | "fdfind" => executed(rest),
        _ => wrapper.map(|it| it.inner(rest)).unwrap_or_default(),
    }
}

/// The command behind a wrapper that changes nothing about it; read strictly.
pub(crate) fn transparent(words: &[String]) -> &[String] {
    let mut words = words;
    // Each round takes a word away.
    while let Some(inner) = behind(words) {
        words = inner;
    }
    words
}

fn behind(words: &[String]) -> Option<&[String]> {
    let is_time = |it: &str| it.strip_suffix(['s', 'm', 'h']).unwrap_or(it).parse::<u32>().is_ok();
    let inner = match words.first()?.as_str() {
        "timeout" if words.get(1).is_some_and(|it| is_time(it)) => words.get(2..)?,
        "nice" if words.get(1)? == "-n" => words.get(3..)?,
        "nice" | "command" | "env" => words.get(1..)?,
        _ => return None,
    };
    let is_command = inner.first().is_some_and(|it| !it.starts_with('-') && !it.contains('='));
    is_command.then_some(inner)
}

impl Wrapper {
    fn inner(&self, words: &[String]) -> Vec<Inner> {
        let mut out = Vec::new();
        let mut rest = words;
        while let Some((option, after)) = rest.split_first() {
            // `-` alone too: to `env` it is `-i`.
            let is_option = option.starts_with('-');
            let is_assignment = option.contains('=') && !option.starts_with(['/', '.']);
            if !is_option && !is_assignment {
                break;
            }
            let split = ["-S", "--split-string", "-S=", "--split-string="];
            if split.iter().any(|it| option.starts_with(it)) {
                out.extend(after.first().cloned().map(Inner::Script));
                out.push(Inner::Script(option.trim_start_matches("-S").to_owned()));
                out.extend(script_after(option, "="));
            }
            let n = if lists(self.valued, option) { 1 } else { 0 };
            rest = after.get(n..).unwrap_or_default();
        }
        let command = rest.get(self.n_own..).unwrap_or_default();
        if !command.is_empty() {
            out.push(Inner::Command(command.to_vec()));
        }
        out
    }
}

/// `sh -c TEXT`, in any order of options; every word may be the text.
fn shell(rest: &[String]) -> Vec<Inner> {
    let is_code = |it: &String| it.starts_with('-') && !it.starts_with("--") && it.contains('c');
    if !rest.iter().any(is_code) {
        return Vec::new();
    }
    words_only(rest).into_iter().map(Inner::Script).collect()
}

fn words_only(rest: &[String]) -> Vec<String> {
    rest.iter().filter(|it| !it.starts_with('-')).cloned().collect()
}

fn after_option(rest: &[String]) -> Vec<Inner> {
    let is_option = |it: &String| it == "-c" || it == "--command";
    let next = rest.windows(2).filter(|pair| pair.first().is_some_and(is_option));
    let mut out: Vec<_> = next.filter_map(|pair| pair.last().cloned()).map(Inner::Script).collect();
    out.extend(rest.iter().filter_map(|it| script_after(it.strip_prefix("--command")?, "=")));
    out
}

fn script_after(word: &str, mark: &str) -> Option<Inner> {
    word.split_once(mark).map(|(_, text)| Inner::Script(text.to_owned()))
}

/// The commands after `-exec` and its like.
fn executed(rest: &[String]) -> Vec<Inner> {
    let is_exec = |it: &String| lists("-exec -execdir -ok -okdir -x -X --exec --exec-batch", it);
    let is_end = |it: &&String| matches!(it.as_str(), ";" | "+" | "\\;") || is_exec(it);
    let starts = rest.iter().enumerate().filter(|(_, it)| is_exec(it)).map(|(n, _)| n + 1);
    let command = |start: usize| {
        let words = rest.get(start..).unwrap_or_default().iter();
        Inner::Command(words.take_while(|it| !is_end(it)).cloned().collect())
    };
    starts.map(command).collect()
}
