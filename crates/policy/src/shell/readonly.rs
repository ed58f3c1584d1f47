//! Whether a command only reads, and only what may be read.

use std::path::{Component, Path, PathBuf};

use super::{
    floor::Ground,
    options::{GRAMMARS, Grammar, Operands},
};
use crate::{
    grants,
    language::lists,
    place::{self, Place},
};

/// Why a command asks although its program may be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// The program is not one that only reads.
    Program,
    /// It reads what asks; no rule lifts that.
    Path(String),
    /// An option, or a word, that is not known to be harmless.
    Option(String),
}

/// Judges one command of an understood line, wrappers already looked through. Moves the ground's
/// bases where it is `cd`.
pub(crate) fn read_only(words: &[String], ground: &mut Ground<'_>) -> Result<(), Needs> {
    let (program, rest) = words.split_first().ok_or(Needs::Program)?;
    let paths = match program.as_str() {
        "echo" | "dirs" => Vec::new(),
        "printf" => printed(rest)?,
        "cd" => return change_folder(rest, ground),
        "test" => tested(rest)?,
        "find" => found(rest)?,
        "sed" => sed(rest)?,
        "command" => located(rest)?,
        _ => {
            let grammar = GRAMMARS.iter().find(|it| lists(it.names, program));
            operands(rest, grammar.ok_or(Needs::Program)?)?
        }
    };
    paths.into_iter().try_for_each(|path| readable(path, ground))
}

/// Whether a command may read this path.
pub(crate) fn readable(asked: &str, ground: &Ground<'_>) -> Result<(), Needs> {
    if asked == "-" || asked == "/dev/null" {
        return Ok(());
    }
    let path = Path::new(asked);
    // Behind a link, `..` leads elsewhere than the text says.
    let mut parts = path.components().skip_while(|it| *it == Component::ParentDir);
    if parts.any(|it| it == Component::ParentDir) {
        return Err(Needs::Path(format!("where `{asked}` leads depends on links")));
    }
    for base in &ground.bases {
        let path = place::normalize(&base.join(path));
        if place::is_secret(&path) {
            return Err(Needs::Path(format!("`{asked}` may hold keys or passwords")));
        }
        let is_inside = place::place(&path, ground.situation) == Place::Inside;
        if !is_inside && !grants::folder(&path, ground.situation) {
            return Err(Needs::Path(format!("`{asked}` is outside the workspace")));
        }
    }
    Ok(())
}

fn unknown(word: &str) -> Needs {
    Needs::Option(word.to_owned())
}

/// The paths among the words, if all options are known.
fn operands<'a>(words: &'a [String], grammar: &Grammar) -> Result<Vec<&'a str>, Needs> {
    let mut found = Vec::new();
    let mut has_pattern = false;
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        if word == "--" {
            found.extend(rest.by_ref());
        } else if let Some(long) = word.strip_prefix("--") {
            let takes_next = long_option(long, grammar).ok_or_else(|| unknown(word))?;
            has_pattern |=
                lists("regexp files type-list", long.split('=').next().unwrap_or_default());
            if takes_next && rest.next().is_none() {
                return Err(unknown(word));
            }
        } else if word.len() > 1 && word.starts_with('-') {
            let takes_next = short_options(word, grammar).ok_or_else(|| unknown(word))?;
            has_pattern |= word.contains('e') && grammar.valued.contains('e');
            if takes_next && rest.next().is_none() {
                return Err(unknown(word));
            }
        } else {
            found.push(word);
        }
    }
    paths(found, grammar.operands, has_pattern)
}

fn paths(found: Vec<&str>, operands: Operands, has_pattern: bool) -> Result<Vec<&str>, Needs> {
    match (operands, found.get(1), found.first()) {
        (Operands::Paths, _, _) => Ok(found),
        (Operands::Text, _, _) => Ok(Vec::new()),
        (Operands::OnePath, Some(second), _) => Err(unknown(second)),
        (Operands::OnePath, None, _) => Ok(found),
        (Operands::PatternThenPaths, _, _) if has_pattern => Ok(found),
        (Operands::PatternThenPaths, _, _) => Ok(found.into_iter().skip(1).collect()),
        (Operands::Nothing, _, Some(first)) => Err(unknown(first)),
        (Operands::Nothing, _, None) => Ok(found),
        (Operands::PlusOnly, _, _) => match found.iter().find(|it| !it.starts_with('+')) {
            Some(other) => Err(unknown(other)),
            None => Ok(Vec::new()),
        },
    }
}

/// Whether a long option takes the next word; `None` where it is not known.
fn long_option(long: &str, grammar: &Grammar) -> Option<bool> {
    let (name, value) = long.split_once('=').map_or((long, None), |(it, value)| (it, Some(value)));
    grammar.long.split_ascii_whitespace().find_map(|known| {
        let (known, kind) =
            known.split_once('=').map_or((known, None), |(it, kind)| (it, Some(kind)));
        if known != name {
            return None;
        }
        match (kind, value) {
            (None, None) | (Some(_), Some(_)) | (Some("?"), None) => Some(false),
            (Some(_), None) => Some(true),
            (None, Some(_)) => None,
        }
    })
}

/// Whether the last of some short options takes the next word; `None` where one is not known.
fn short_options(word: &str, grammar: &Grammar) -> Option<bool> {
    let letters = word.get(1..)?;
    if grammar.flags.contains('#') && letters.bytes().all(|it| it.is_ascii_digit()) {
        return Some(false);
    }
    let mut letters = letters.chars();
    while let Some(it) = letters.next() {
        if grammar.valued.contains(it) {
            return Some(letters.as_str().is_empty());
        }
        if !grammar.flags.contains(it) || it == '#' {
            return None;
        }
    }
    Some(false)
}

/// `printf -v` evaluates code in the name of its variable.
fn printed(rest: &[String]) -> Result<Vec<&str>, Needs> {
    match rest.first() {
        Some(first) if first.starts_with('-') && first != "--" => Err(unknown(first)),
        Some(_) | None => Ok(Vec::new()),
    }
}

/// `command -v NAME` only says where a program is.
fn located(rest: &[String]) -> Result<Vec<&str>, Needs> {
    match rest.first().map(String::as_str) {
        Some("-v" | "-V") => Ok(Vec::new()),
        Some(other) => Err(unknown(other)),
        None => Err(Needs::Program),
    }
}

/// `test -v` and its like evaluate code; the listed ones do not. Nothing of a file is shown.
fn tested(rest: &[String]) -> Result<Vec<&str>, Needs> {
    const KNOWN: &str =
        "-e -f -d -r -w -x -s -L -h -z -n -eq -ne -lt -le -gt -ge -nt -ot -b -c -p -S -a -o";
    match rest.iter().find(|it| it.starts_with('-') && !lists(KNOWN, it)) {
        Some(other) => Err(unknown(other)),
        None => Ok(Vec::new()),
    }
}

/// The folders and files that a search reads.
fn found(rest: &[String]) -> Result<Vec<&str>, Needs> {
    const ALONE: &str = "-print -print0 -empty -prune -not -a -and -o -or -depth -mount -xdev -ls \
        -follow -true -false -daystart -readable -writable -executable -noleaf -quit ( ) ! ,";
    const VALUED: &str = "-name -iname -type -xtype -maxdepth -mindepth -path -ipath -wholename \
        -regex -iregex -regextype -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group \
        -uid -gid -links -inum -printf -used";
    const WITH_PATH: &str = "-newer -anewer -cnewer -samefile";
    let mut paths = Vec::new();
    let mut words = rest.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if lists(VALUED, word) {
            words.next().ok_or_else(|| unknown(word))?;
        } else if lists(WITH_PATH, word) {
            paths.push(words.next().ok_or_else(|| unknown(word))?);
        } else if !lists(ALONE, word) && !lists("-H -L -P", word) {
            if word.starts_with('-') {
                return Err(unknown(word));
            }
            paths.push(word);
        }
    }
    Ok(paths)
}

/// `sed -n 1,5p FILE`: only prints lines by number. Everything else of sed may write or run.
fn sed(rest: &[String]) -> Result<Vec<&str>, Needs> {
    let is_lines = |script: &str| {
        let range = script.strip_suffix('p').unwrap_or_default();
        let is_line =
            |it: &str| it == "$" || (!it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()));
        let (from, to) = range.split_once(',').unwrap_or((range, range));
        is_line(from) && is_line(to)
    };
    match rest {
        [option, script, files @ ..] if option == "-n" && is_lines(script) => {
            match files.iter().find(|it| it.starts_with('-')) {
                Some(other) => Err(unknown(other)),
                None => Ok(files.iter().map(String::as_str).collect()),
            }
        }
        [first, ..] => Err(unknown(first)),
        [] => Err(Needs::Program),
    }
}

/// A new folder, from which later paths are read; the old ones stay, as it may fail.
fn change_folder(rest: &[String], ground: &mut Ground<'_>) -> Result<(), Needs> {
    let [target] = rest else { return Err(unknown("cd")) };
    if target.starts_with('-') {
        return Err(unknown(target));
    }
    readable(target, ground)?;
    let moved = ground.bases.iter().map(|base| place::normalize(&base.join(target)));
    let moved: Vec<PathBuf> = moved.collect();
    ground.bases.extend(moved);
    ground.bases.sort();
    ground.bases.dedup();
    // Each further `cd` could double the list.
    if ground.bases.len() > 64 { Err(unknown("cd")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every option of a program alone, and whether it takes a value.
    fn options(grammar: &Grammar) -> Vec<(String, bool)> {
        let flags =
            grammar.flags.chars().filter(|it| *it != '#').map(|it| (format!("-{it}"), false));
        let valued = grammar.valued.chars().map(|it| (format!("-{it}"), true));
        let long = grammar.long.split_ascii_whitespace().map(|known| {
            let name = known.trim_end_matches(['=', '?']);
            (format!("--{name}"), known.ends_with('='))
        });
        flags.chain(valued).chain(long).collect()
    }

    fn is_known(grammar: &Grammar, words: &[&str]) -> bool {
        let words: Vec<_> = words.iter().map(|it| (*it).to_owned()).collect();
        operands(&words, grammar).is_ok()
    }

    #[test]
    fn every_listed_option_is_taken_in_its_spellings() {
        for grammar in GRAMMARS {
            for (option, has_value) in options(grammar) {
                let long = format!("{option}=v");
                assert!(
                    is_known(grammar, &[&option, "+1"][..1 + usize::from(has_value)]),
                    "{option}"
                );
                let is_long = option.starts_with("--");
                assert!(!is_long || !has_value || is_known(grammar, &[&long]), "{long}");
                assert!(!has_value || !is_known(grammar, &[&option]), "{option} lacks its value");
            }
        }
    }

    #[test]
    fn no_abbreviation_of_a_long_option_is_taken() {
        for grammar in GRAMMARS {
            for (option, _) in options(grammar).into_iter().filter(|(it, _)| it.starts_with("--")) {
                for cut in 3..option.len() {
                    let short = &option[..cut];
                    let is_listed = options(grammar).iter().any(|(it, _)| it == short);
                    assert!(
                        is_listed || !is_known(grammar, &[short, "v"]),
                        "{} {short}",
                        grammar.names
                    );
                }
            }
        }
    }

    #[test]
    fn no_letter_is_both_alone_and_with_a_value() {
        for grammar in GRAMMARS {
            let both: Vec<_> =
                grammar.valued.chars().filter(|it| grammar.flags.contains(*it)).collect();
            assert!(both.is_empty(), "{}: {both:?}", grammar.names);
        }
    }
}
