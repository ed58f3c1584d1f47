//! Programs that run other programs or code: an allow rule for one of them allows everything.

use crate::BadScope;

/// Never in an allow rule: what they run is judged instead, or cannot be.
const RUNNERS: &str = "\
    builtin busybox chroot command coproc doas entr env eval exec expect find firejail \
    flock fd gdb ionice nice nohup nsenter parallel pkexec proxychains runuser screen \
    script setsid source ssh stdbuf strace su sudo systemd-run taskset time timeout tmux \
    toybox trap unshare watch xargs .";

/// Only with the word that says what they run.
const LANGUAGES: &str = "\
    ash awk bash bun bunx cargo cmake csh dash deno docker dotnet ed ex fish gawk git go \
    gradle gradlew groovy irb java jq julia just ksh kubectl lua luajit m4 make mawk mvn \
    nawk ninja nix node nodejs npm npx ocaml osascript perl php pip pip3 pipx pnpm podman \
    powershell psql pwsh pypy python python2 python3 R Rscript rake ruby rustc scala sed \
    sh sqlite3 swift tclsh ts-node tsx uv uvx vi vim yarn zsh";

/// Programs whose first word says what they do.
const SUBCOMMANDS: &str = "\
    apt apt-get brew bun bundle cargo composer deno docker dotnet gem gh git go gradle \
    helm just kubectl make mvn nix npm npx pip pip3 pnpm podman poetry rake rustup \
    systemctl terraform uv yarn";

/// Words after which the next word says what runs: `npm run build`.
const DEEPER: &str = "\
    compose exec run stash tool x xtask";

/// Whether an allow rule may begin so.
pub(crate) fn check_allowed(words: &[String]) -> Result<(), BadScope> {
    let Some(program) = words.first() else {
        return Err(BadScope::Unknown("command".to_owned()));
    };
    let name = program.rsplit('/').next().unwrap_or_default();
    let is_bare = words.get(1).is_none_or(|word| word.starts_with('-'));
    if lists(RUNNERS, name) || (is_language(name) && is_bare) {
        return Err(BadScope::Language {
            words: words.join(" "),
            program: program.clone(),
            example: example(name),
        });
    }
    Ok(())
}

/// The narrowest prefix of a command that is worth allowing; `None` where there is none.
pub(crate) fn narrow(words: &[String]) -> Option<Vec<String>> {
    let name = words.first()?;
    let is_plain = |word: &&String| {
        word.starts_with(|it: char| it.is_ascii_alphabetic()) && !word.contains(char::is_whitespace)
    };
    let wants_more = lists(SUBCOMMANDS, name) || is_language(name);
    let n_words = match (words.get(1).filter(is_plain), words.get(2).filter(is_plain)) {
        (Some(verb), Some(_)) if wants_more && lists(DEEPER, verb) => 3,
        (Some(_), _) if wants_more => 2,
        (Some(_) | None, _) => 1,
    };
    let prefix: Vec<String> = words.iter().take(n_words).cloned().collect();
    check_allowed(&prefix).is_ok().then_some(prefix)
}

/// Whether the program runs code that it is given. Versions count: `python3.12`.
pub(crate) fn is_language(name: &str) -> bool {
    let stem = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.' || it == '-');
    lists(LANGUAGES, name) || lists(LANGUAGES, stem)
}

fn example(name: &str) -> &'static str {
    match name {
        "git" => "git status",
        "npm" | "npx" | "pnpm" | "yarn" | "bun" => "npm test",
        "python" | "python3" => "python check.py",
        _ => "cargo test",
    }
}

/// Whether a list of words, divided by blanks, holds this word.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|it| it == word)
}
