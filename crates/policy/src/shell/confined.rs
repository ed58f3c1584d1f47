//! What a proven sandbox may run without a question: commands whose words all stay in the workspace.
//!
//! The sandbox holds back what a program does; this holds back what a command says: places outside,
//! keys, files that other programs obey, more rights, the network, and programs that nobody has seen
//! yet. A question about one of these is worth its while: in the sandbox the command would only fail.

use std::path::PathBuf;

use super::{
    Line, Script, floor::Ground, network, options::GRAMMARS, plain::is_program, reach,
    readonly::Needs, readonly::read_only, wrap,
};
use crate::{
    Situation,
    language::{self, lists},
    shell::expand::UNKNOWN,
};

/// Why a command must ask although a sandbox would hold it.
pub(crate) fn reason(line: &Line, script: &Script, situation: &Situation) -> Option<String> {
    let ground = Ground { situation, bases: script.bases.clone() };
    if script.is_murky {
        return Some("a part of the command is not understood".to_owned());
    }
    line.assigned
        .iter()
        .find_map(|it| assigned(it, &ground))
        .or_else(|| script.files.iter().find_map(|it| changed(it, &ground)))
        .or_else(|| script.commands.iter().find_map(|words| command(words, &ground)))
}

/// Variables that have programs run something else.
const STEERING: &str = "\
    PATH ENV BASH_ENV IFS PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS CDPATH HOME EDITOR VISUAL PAGER \
    NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB RUSTC_WRAPPER RUSTC JAVA_TOOL_OPTIONS _JAVA_OPTIONS";
const STEERING_STARTS: &[&str] = &["LD_", "DYLD_", "GIT_", "PYTHON", "PERL5", "BASH_FUNC"];

fn assigned(assignment: &str, ground: &Ground<'_>) -> Option<String> {
    let (_, value) = assignment.split_once('=')?;
    steering(assignment).or_else(|| reach::stray(value, &ground.bases, ground.situation))
}

/// Whether a variable is set that has programs run something else.
fn steering(assignment: &str) -> Option<String> {
    let (name, _) = assignment.split_once('=')?;
    let is_steering =
        lists(STEERING, name) || STEERING_STARTS.iter().any(|start| name.starts_with(start));
    is_steering.then(|| format!("`{name}` has programs run something else"))
}

/// A file that is read or written by redirection.
fn changed(file: &str, ground: &Ground<'_>) -> Option<String> {
    unknown(file)
        .or_else(|| reach::stray(file, &ground.bases, ground.situation))
        .or_else(|| reach::protected(file, &ground.bases))
}

fn unknown(word: &str) -> Option<String> {
    let shown = word.replace(UNKNOWN, "…");
    word.contains(UNKNOWN).then(|| format!("`{shown}` is known only when it runs"))
}

fn command(words: &[String], ground: &Ground<'_>) -> Option<String> {
    let is_set = |it: &&String| it.split_once('=').is_some_and(|(name, _)| is_name(name));
    let n_set = words.iter().take_while(is_set).count();
    let (set, words) = words.split_at(n_set);
    let name = wrap::name(words);
    // Behind `env`, and other programs that hand them on, variables are set as well.
    let handed = words.iter().skip(1).filter(|it| is_set(it)).find_map(|it| steering(it));
    if let Some(why) = set.iter().find_map(|it| assigned(it, ground)).or(handed) {
        return Some(why);
    }
    let is_found = read_only(words, &mut ground.clone());
    if words.is_empty() || is_found.is_ok() {
        return None;
    }
    program(words, &name)
        .or_else(|| network::reason(words, &name))
        .or_else(|| option(words, &name, &is_found))
        .or_else(|| operands(words, &name).find_map(|word| changed(word, ground)))
        .or_else(|| code(words, &name, ground))
}

/// The words that may name files: of `sed` and `awk` all but the first, which is their code.
fn operands<'a>(words: &'a [String], name: &str) -> impl Iterator<Item = &'a String> {
    let is_coded = lists("sed awk gawk mawk nawk", name);
    let code = words.iter().skip(1).position(|it| !it.starts_with('-')).filter(|_| is_coded);
    let rest = words.iter().skip(1).enumerate();
    rest.filter(move |(n, _)| Some(*n) != code).map(|(_, word)| word)
}

fn is_name(text: &str) -> bool {
    let is_known = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    !text.is_empty()
        && !text.starts_with(|it: char| it.is_ascii_digit())
        && text.bytes().all(is_known)
}

/// Ask for more rights, or have another program act.
const BEYOND: &str = "\
    sudo su doas pkexec run0 runuser sg newgrp setpriv capsh chroot nsenter unshare bwrap firejail \
    systemctl systemd-run service loginctl launchctl crontab at batch mount umount docker podman \
    nerdctl buildah ctr lxc vagrant virsh dbus-send busctl gdbus osascript open xdg-open screen tmux \
    gdb lldb strace ltrace ptrace passwd useradd usermod visudo insmod modprobe sysctl iptables nft";

/// Change how later words are read.
const TURNING: &str =
    "eval exec trap alias unalias enable hash builtin coproc set shopt fc bind popd";

fn program(words: &[String], name: &str) -> Option<String> {
    let first = words.first().map_or("", String::as_str);
    let is_elsewhere = first.starts_with('/')
        && !["/bin/", "/usr/bin/", "/usr/local/bin/"].iter().any(|it| first.starts_with(it));
    let is_homeward = lists("cd pushd", name) && words.get(1).is_none_or(|it| it.starts_with('-'));
    if !is_program(first) || first.split('/').any(|part| part == "..") {
        return Some(format!("`{}` is no plain program name", first.replace(UNKNOWN, "…")));
    }
    if is_elsewhere || is_homeward {
        return Some(format!("`{}` leads out of the workspace", words.join(" ")));
    }
    if lists(BEYOND, name) {
        return Some(format!("`{name}` reaches beyond a sandbox"));
    }
    if lists(TURNING, name) {
        return Some(format!("`{name}` changes how the rest is read"));
    }
    reads_program(words, name).then(|| format!("what `{name}` runs is known only when it runs"))
}

/// Whether a shell or an interpreter gets its program from its input, or from a word that is filled in
/// later.
fn reads_program(words: &[String], name: &str) -> bool {
    const QUESTIONS: &str = "--version -V -v --help -h --test version help";
    if !(wrap::is_interpreter(name) || language::interprets_input(name)) {
        return false;
    }
    let mut rest = words.iter().skip(1);
    let program = rest.clone().find(|it| !it.starts_with('-'));
    let has_code = rest.clone().any(|it| is_code_option(it));
    let is_question = rest.any(|it| lists(QUESTIONS, it));
    let is_filled = program.is_some_and(|it| it.contains("{}") || it == "/dev/stdin");
    // Databases come before their questions, and a query is a word of its own.
    let is_database = lists("psql mysql sqlite duckdb sqlite3", name);
    let is_named = program.is_some_and(|it| has_code || is_database || is_program(it));
    is_filled || !(is_named || is_question)
}

/// Whether the next word, or the rest of this one, is code: `-c`, `-lc`, `-e`, `--eval`.
fn is_code_option(word: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    match letters.strip_prefix('-') {
        Some(long) => {
            lists("eval print command execute", long.split('=').next().unwrap_or_default())
        }
        None => letters.contains(['c', 'e', 'E', 'r', 'p', 'n', 'm']),
    }
}

/// Options that name a program to run, by their long names or as `find` has them.
const RUNNING: &str = "\
    --exec --pre --hostname-bin --checkpoint-action --to-command --use-compress-program --rsh \
    --upload-pack --receive-pack --compress-program --ext-diff --textconv --open-files-in-pager \
    --config-env --exec-path --rsync-path --unzip-command --pager --init-command --eval-command \
    --info-script --new-volume-script --rmt-command --unix-socket --abstract-unix-socket";

/// Whole names of harmless options that are the beginnings of others.
const HARMLESS: &str = "--check --checkpoint --text --config --open --info --init";

/// Whether a word is an option by which this program runs another. Some programs take options that
/// are cut short.
pub(crate) fn runs_program(name: &str, word: &str) -> bool {
    let option = word.split_once('=').map_or(word, |(option, _)| option);
    let cuts = lists("tar gtar bsdtar git rsync zip", name) && !lists(HARMLESS, option);
    let is_running =
        |known: &str| known == option || (cuts && option.len() > 2 && known.starts_with(option));
    let is_proxy = word.to_ascii_lowercase().contains("proxycommand");
    is_proxy || RUNNING.split_ascii_whitespace().any(is_running)
}

fn option(words: &[String], name: &str, found: &Result<(), Needs>) -> Option<String> {
    let is_listed = GRAMMARS.iter().any(|it| lists(it.names, name));
    if let (true, Err(Needs::Option(word))) = (is_listed, found) {
        return Some(format!("`{word}` in `{}` is not known to only read", words.join(" ")));
    }
    let word = words.iter().skip(1).find(|it| runs_program(name, it))?;
    Some(format!("`{word}` in `{}` runs another program", words.join(" ")))
}

/// Marks of code that hides what it does.
const VEILS: &[&str] = &[
    "exec(",
    "eval(",
    "compile(",
    "__import__",
    "b64",
    "base64",
    "fromhex",
    "unhexlify",
    "atob(",
    "fromcharcode",
    "chr(",
    "pack(",
    "codecs",
    "marshal",
    "\\x",
    "\\u",
    "\\0",
    "rot13",
];

/// Starts of other programs from code: what they run is not read here.
const STARTS: &[&str] = &[
    "system",
    "popen",
    "subprocess",
    "spawn",
    "exec",
    "fork",
    "child_process",
    "ctypes",
    "proc_open",
    "shell",
    "qx",
    "open3",
    "%x",
];

/// Places that code given in a word names, or hides.
fn code(words: &[String], name: &str, ground: &Ground<'_>) -> Option<String> {
    let rest = || words.iter().skip(1);
    if name == "sed"
        && let Some(why) = rest().find_map(|it| written_by_sed(it, ground))
    {
        return Some(why);
    }
    let takes_code = language::takes_code(name);
    // Also a program that nobody knows may read code.
    let is_code = |it: &&String| it.contains(if takes_code { is_mark } else { is_call });
    rest().filter(is_code).find_map(|text| {
        let veil = || (takes_code && is_veiled(text)).then(|| veiled(name));
        tokens(text).find_map(|it| token(it, ground)).or_else(veil)
    })
}

fn veiled(name: &str) -> String {
    format!("the code for `{name}` starts other programs, or hides what it does")
}

/// Whether code starts others, or hides what it does, in any of its readings.
fn is_veiled(text: &str) -> bool {
    let bare: String = text.chars().filter(|it| !"'\" \t\n".contains(*it)).collect();
    let (low, joined) = (bare.to_lowercase(), bare.replace('\\', "").to_lowercase());
    let mut marks = VEILS.iter().chain(STARTS);
    marks.any(|it| low.contains(it) || joined.contains(it))
        || tokens(text).any(|it| it.len() >= LONG)
}

/// A word as long as this in code is likely something encoded, in bytes.
const LONG: usize = 64;

/// Whether a character calls something, in most languages.
const fn is_call(it: char) -> bool {
    matches!(it, '(' | ';' | '`')
}

/// The file that a script such as `1,5w/etc/x` writes.
fn written_by_sed(script: &str, ground: &Ground<'_>) -> Option<String> {
    let verb = script.trim_start_matches(|it: char| it.is_ascii_digit() || ",$!~+".contains(it));
    let file = verb.strip_prefix(['w', 'W', 'r', 'R']).filter(|it| it.starts_with('/'))?;
    changed(file, ground)
}

fn is_mark(it: char) -> bool {
    it.is_whitespace() || "'\"();{}<>|&$`".contains(it)
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && !"._/~+-@%".contains(it))
}

/// Whether a piece of code leads elsewhere. Patterns stand between two slashes.
fn token(token: &str, ground: &Ground<'_>) -> Option<String> {
    // Joined to an option, as in `-o/etc/x`.
    let joined = token.strip_prefix('-').and_then(|_| token.get(token.find('/')?..));
    let token = joined.unwrap_or(token);
    let is_pattern = token.starts_with('/')
        && token.find('/') != token.rfind('/')
        && token.trim_matches('/').find('/').is_none()
        && token.ends_with('/');
    let is_path = token.starts_with(['/', '~']) || token.split('/').any(|part| part == "..");
    let bases: &[PathBuf] = &ground.bases;
    (is_path && !is_pattern).then(|| reach::stray_path(token, bases, ground.situation)).flatten()
}
