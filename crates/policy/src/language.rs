//! Programs that run other programs or code: an allow rule for one of them allows everything.

use crate::BadScope;

/// Programs of one kind.
struct Kind {
    names: &'static str,
    /// What they do, in words that follow their name.
    does: &'static str,
    /// A narrower rule: `%` is the program.
    offer: &'static str,
}

/// Never in an allow rule: what they run is judged instead, or cannot be.
const RUNNERS: &[Kind] = &[
    Kind {
        names: "builtin busybox chroot chrt chronic command coproc doas entr env exec expect firejail flock \
            gosu ionice ltrace nice nohup nsenter numactl parallel pkexec prlimit proxychains \
            proxychains4 rlwrap run0 runuser script setarch setsid setpriv stdbuf strace su sudo \
            su-exec systemd-run taskset time timeout torsocks toybox unbuffer unshare valgrind watch \
            xargs xvfb-run bwrap faketime perf catchsegv caffeinate dbus-run-session",
        does: "runs the command behind it",
        offer: "what it runs instead, such as `command cargo test`",
    },
    Kind {
        names: "eval source . trap",
        does: "runs the text behind it",
        offer: "what it runs instead, such as `command cargo test`",
    },
    Kind {
        names: "find fd fdfind",
        does: "runs any command with `-exec`, and removes with `-delete`",
        offer: "what it runs instead; a search that only reads needs no rule in mode `auto`",
    },
    Kind {
        names: "ssh mosh rsh telnet",
        does: "runs any command on another machine",
        offer: "what is needed from there by its tool, such as `command git fetch`",
    },
    Kind {
        names: "screen tmux gdb lldb at batch crontab ed ex vi vim nvim view emacs nano less more man socat \
            nc ncat netcat osascript",
        does: "can start any other program",
        offer: "the program that is meant, such as `command cargo test`",
    },
];

/// Take code; allowed only with the word that says which.
const LANGUAGES: &[Kind] = &[
    Kind {
        names: "ash bash csh dash elvish fish ksh mksh nu powershell pwsh rbash sh tcsh xonsh yash zsh",
        does: "is a shell and runs whatever it is given",
        offer: "a script of the project, such as `command % check.sh`",
    },
    Kind {
        names: "python python2 python3 ipython pypy pypy3 micropython jython",
        does: "is a language and runs whatever it is given",
        offer: "a script or a module, such as `command % check.py` or `command % -m pytest`",
    },
    Kind {
        names: "node nodejs deno bun ts-node tsx qjs",
        does: "is a language and runs whatever it is given",
        offer: "a script, such as `command % check.js`",
    },
    Kind {
        names: "awk bc clojure crystal elixir erl gawk ghci groovy guile irb java jq jshell julia lua luajit m4 \
            mawk nawk nim ocaml osascript perl php psql mysql sqlite3 duckdb R racket raku Rscript ruby \
            sbcl scala sed swift tclsh wish zig",
        does: "is a language and runs whatever it is given",
        offer: "a script, such as `command % check`",
    },
];

/// Run what a project, a package or a repository says; allowed only with the word that says what.
const BUILDERS: &[Kind] = &[
    Kind {
        names: "npm pnpm yarn npx bunx pnpx uvx pipx uv poetry pdm hatch rye conda mamba bundle rake gem \
            composer pip pip3",
        does: "runs the scripts of packages, and others that it fetches",
        offer: "one of its words, such as `command % test`",
    },
    Kind {
        names: "cargo go rustc dotnet gradle gradlew mvn sbt lein stack cabal mix rebar3 make gmake cmake ninja \
            meson just task invoke tox nox ant bazel buck nix xmake scons",
        does: "runs whatever the project says",
        offer: "one of its words, such as `command % test`",
    },
    Kind {
        names: "git hg svn",
        does: "runs programs that its options and its configuration name",
        offer: "one of its words, such as `command % status`",
    },
    Kind {
        names: "docker podman nerdctl kubectl helm ansible ansible-playbook vagrant terraform pulumi",
        does: "runs programs beyond this machine's limits",
        offer: "one of its words, such as `command % version`",
    },
];

/// Words after which anything runs, with their programs.
const OPEN_VERBS: &[(&str, &str)] = &[
    ("git", "config submodule bisect filter-branch difftool mergetool"),
    ("docker podman nerdctl", "run exec"),
    ("kubectl", "exec run debug attach"),
    ("deno", "eval repl"),
    ("yarn", "node"),
    ("npm", "exec x"),
    ("ansible", "all"),
];

/// Words after which the next word says what runs, for those that run it themselves.
const RUN_VERBS: &[(&str, &str)] = &[
    ("npm pnpm yarn bun", "run run-script exec dlx x"),
    ("uv poetry pdm hatch rye pipx conda mamba", "run tool"),
    ("bundle", "exec"),
    ("go deno mix", "run"),
    ("docker podman nerdctl", "compose"),
];

/// Programs whose first word says what they do.
const SUBCOMMANDS: &str = "\
    apt apt-get brew bun bundle cargo composer deno docker dotnet gem gh git go gradle \
    helm just kubectl make mvn nix npm npx pip pip3 pnpm podman poetry rake rustup \
    systemctl terraform uv yarn";

/// Words after which the next word says what runs: `npm run build`.
const DEEPER: &str = "\
    compose exec run stash tool x xtask";

/// Options behind which the next word says what runs.
const NAMING: &[(&str, &str)] =
    &[("python python2 python3 pypy pypy3 ipython", "-m"), ("java", "-jar")];

/// Whether an allow rule may begin so.
pub(crate) fn check_allowed(words: &[String]) -> Result<(), BadScope> {
    let Some(program) = words.first() else {
        return Err(BadScope::Unknown("command".to_owned()));
    };
    let name = program.rsplit('/').next().unwrap_or_default();
    let Some(kind) = open_kind(name, words.get(1..).unwrap_or_default()) else { return Ok(()) };
    Err(BadScope::Language {
        words: words.join(" "),
        program: program.clone(),
        does: kind.does,
        offer: kind.offer.replace('%', program),
    })
}

/// The kind of a program that would run anything in such a rule.
fn open_kind(name: &str, rest: &[String]) -> Option<&'static Kind> {
    if let Some(kind) = RUNNERS.iter().find(|kind| lists(kind.names, name)) {
        return Some(kind);
    }
    let kind = language(name)?;
    let stem = stem(name);
    let pair = |table: &[(&str, &str)], word: &str| {
        let is_in = |(names, words): &(&str, &str)| lists(names, stem) && lists(words, word);
        table.iter().any(is_in)
    };
    let (first, second) = (rest.first().map(String::as_str), rest.get(1).map(String::as_str));
    let (said, behind) = match first {
        Some(word) if pair(NAMING, word) => (second, rest.get(2..)),
        Some(word) if pair(RUN_VERBS, word) => (second, rest.get(2..)),
        Some(word) if pair(OPEN_VERBS, word) => (None, None),
        word => (word, rest.get(1..)),
    };
    let is_said = said.is_some_and(is_plain);
    // What is run may be such a program again, as in `uv run python`.
    let is_open = first.is_some_and(|it| pair(RUN_VERBS, it))
        && said.is_some_and(|it| open_kind(it, behind.unwrap_or_default()).is_some());
    let is_fetched = lists("npx bunx pnpx uvx pipx", name)
        && said.is_some_and(|it| open_kind(it, behind.unwrap_or_default()).is_some());
    (!is_said || is_open || is_fetched).then_some(kind)
}

/// Whether a word says what runs: no option, no code, and nothing that is filled in later.
fn is_plain(word: &str) -> bool {
    let is_known = |it: char| it.is_alphanumeric() || "._/@:+-".contains(it);
    !word.starts_with(['-', '+']) && !word.is_empty() && word.chars().all(is_known)
}

/// The narrowest prefix of a command that is worth allowing; `None` where there is none.
pub(crate) fn narrow(words: &[String]) -> Option<Vec<String>> {
    let name = words.first()?;
    let is_verb = |word: &&String| {
        word.starts_with(|it: char| it.is_ascii_alphabetic()) && !word.contains(char::is_whitespace)
    };
    let wants_more = lists(SUBCOMMANDS, name) || is_language(name);
    let is_naming = |option: &&String| {
        NAMING.iter().any(|(names, it)| lists(names, stem(name)) && it == option)
    };
    let n_words = match (words.get(1).filter(is_verb), words.get(2).filter(is_verb)) {
        (Some(verb), Some(_)) if wants_more && lists(DEEPER, verb) => 3,
        (None, Some(_)) if words.get(1).is_some_and(|it| is_naming(&it)) => 3,
        (Some(_), _) if wants_more => 2,
        (Some(_) | None, _) => 1,
    };
    let prefix: Vec<String> = words.iter().take(n_words).cloned().collect();
    check_allowed(&prefix).is_ok().then_some(prefix)
}

/// Whether the program runs code that it is given. Versions count: `python3.12`.
pub(crate) fn is_language(name: &str) -> bool {
    language(name).is_some()
}

/// Whether the program takes code as a word.
pub(crate) fn takes_code(name: &str) -> bool {
    let is_in = |name: &str| LANGUAGES.iter().any(|kind| lists(kind.names, name));
    is_in(name) || is_in(stem(name))
}

fn language(name: &str) -> Option<&'static Kind> {
    let all = || LANGUAGES.iter().chain(BUILDERS);
    let find = |name: &str| all().find(|kind| lists(kind.names, name));
    find(name).or_else(|| find(stem(name)))
}

/// The name without a version.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.' || it == '-')
}

/// Whether the program takes what it runs from its input, where it is given no other.
pub(crate) fn interprets_input(name: &str) -> bool {
    const READERS: &str = "python ipython pypy micropython node nodejs deno bun ts-node tsx perl ruby php lua \
        luajit irb julia R Rscript ocaml guile racket raku tclsh wish elixir erl ghci jshell groovy scala \
        swift psql mysql sqlite duckdb m4 bc ed ex";
    lists(READERS, name) || lists(READERS, stem(name))
}

/// Whether a list of words, divided by blanks, holds this word.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|it| it == word)
}
