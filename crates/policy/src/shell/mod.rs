//! What a command for the shell would do.

#[cfg(test)]
mod agreement;
mod confined;
mod expand;
mod floor;
mod network;
mod options;
mod plain;
mod programs;
mod reach;
mod readonly;
mod segment;
mod tree;
mod wrap;

use std::path::{Path, PathBuf};

pub(crate) use confined::{reason as not_confined, runs_program};
pub(crate) use floor::Ground;
pub(crate) use plain::{Line, NotUnderstood};
pub use programs::{Programs, programs};
pub(crate) use reach::{protected, stray};
pub(crate) use readonly::{Needs, read_only};
pub(crate) use wrap::{name, transparent};

use crate::{Situation, language::lists, place};
use expand::{UNKNOWN, Variables};
use wrap::Inner;

/// Longest text that is searched, in bytes; anything longer is refused.
const MAX_SEARCHED: usize = 1024 * 1024;

/// How deep scripts inside scripts are followed, how many scripts, and how many words in all; more is
/// refused. A command counts as two words more than it has.
const MAX_DEPTH: usize = 8;
const MAX_SCRIPTS: usize = 200;
const MAX_WORDS: usize = 300_000;

/// Most words before a quoted command, such as the options of `echo`.
const MAX_QUOTING: usize = 32;

/// Most folders from which paths may start; more is refused.
const MAX_BASES: usize = 64;

/// Longest path that a folder may have, in bytes.
const MAX_PATH: usize = 1024;

/// A command as far as it is known.
#[derive(Debug)]
pub(crate) struct Script {
    /// Its parts, where all of it could be read; understood where nothing in it is
    /// [beyond](Line::beyond).
    pub(crate) line: Result<Line, NotUnderstood>,
    /// Every word sequence found anywhere in it, wrappers looked through.
    pub(crate) commands: Vec<Vec<String>>,
    /// Files of redirections, anywhere in it.
    pub(crate) files: Vec<String>,
    /// Folders from which its paths may start.
    pub(crate) bases: Vec<PathBuf>,
    /// A script in it could not be read.
    pub(crate) is_murky: bool,
    /// What it must not do, in words that follow `this`.
    pub(crate) crime: Option<String>,
}

impl Script {
    /// Every place that a word of it may name.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let words = self.commands.iter().flatten().chain(&self.files);
        let names = words.flat_map(|word| reach::paths_in(word));
        names.flat_map(|name| self.bases.iter().map(move |base| base.join(name)))
    }
}

/// A program in it that brings in what another machine says.
pub(crate) fn fetcher(script: &Script) -> Option<String> {
    let found = script.commands.iter().find(|words| network::fetches(words, &name(words)))?;
    Some(name(found))
}

/// Reads a command.
pub(crate) fn read(text: &str, cwd: &Path, situation: &Situation) -> Script {
    let variables = Variables::new(situation, &cwd.to_string_lossy());
    let ground = Ground { situation, bases: vec![cwd.to_path_buf()] };
    let mut search = Search {
        ground,
        variables,
        commands: Vec::new(),
        files: Vec::new(),
        bases: vec![cwd.to_path_buf()],
        n_broken: 0,
        crime: None,
        n_scripts: 0,
        n_words: 0,
    };
    let found = search.script(text, 0);
    let line = plain::read(text).and_then(|line| {
        // Two readers of different make: what only one of them sees is not understood.
        let is_agreed = found.as_ref() == Some(&line.commands);
        if is_agreed { Ok(line) } else { Err(NotUnderstood::Disagreement) }
    });
    let Search { commands, files, bases, crime, .. } = search;
    Script { line, commands, files, bases, is_murky: search.n_broken > 0, crime }
}

/// Finds every command, and what none may do.
struct Search<'a> {
    ground: Ground<'a>,
    variables: Variables,
    commands: Vec<Vec<String>>,
    files: Vec<String>,
    /// Every folder that was a base.
    bases: Vec<PathBuf>,
    n_broken: usize,
    crime: Option<String>,
    n_scripts: usize,
    n_words: usize,
}

impl Search<'_> {
    /// Searches a text; returns the commands of its tree, where it is whole.
    fn script(&mut self, text: &str, depth: usize) -> Option<Vec<Vec<String>>> {
        self.n_scripts += 1;
        let is_too_much = depth > MAX_DEPTH || self.n_scripts > MAX_SCRIPTS;
        if is_too_much || text.len() > MAX_SEARCHED {
            self.accuse(Some("is too long or too deep to be checked".to_owned()));
            return None;
        }
        let found = tree::find(text, &mut self.variables);
        let bases = self.ground.bases.clone();
        let is_open = text.replace("&&", "").contains(['(', '|', '&', '{']);
        self.sequence(&found.commands, is_open, depth);
        self.ground.bases.clone_from(&bases);
        let without_documents = segment::without(text, &found.documents);
        let pieces: Vec<_> = segment::segments(&without_documents)
            .iter()
            .map(|piece| expand::words(piece, &self.variables))
            .collect();
        self.sequence(&pieces, is_open, depth);
        self.ground.bases = bases;
        for target in &found.written {
            self.accuse(floor::written(target, &self.ground));
        }
        self.files.extend([found.written, found.read].into_iter().flatten());
        self.n_broken += usize::from(found.is_broken);
        self.net(text, found.is_broken, &found.commands);
        (!found.is_broken).then_some(found.commands)
    }

    fn sequence(&mut self, commands: &[Vec<String>], is_open: bool, depth: usize) {
        let mut before: &[String] = &[];
        for words in commands {
            self.command(words, before, depth);
            self.change_folder(words, is_open);
            before = words;
        }
    }

    fn command(&mut self, words: &[String], before: &[String], depth: usize) {
        self.n_words += words.len() + 2;
        if depth > MAX_DEPTH || self.n_words > MAX_WORDS {
            return self.accuse(Some("is too long or too deep to be checked".to_owned()));
        }
        if words.is_empty() {
            return;
        }
        self.accuse(floor::crime(words, &self.ground));
        self.commands.push(words.to_vec());
        let is_fed = lists("xargs parallel", &name(words)) && lists("echo printf", &name(before));
        for inner in wrap::inner(words) {
            match inner {
                // The words before the pipe become the last arguments.
                Inner::Command(inner) if is_fed => {
                    let fed = before.get(1..).unwrap_or_default();
                    self.command(&[&inner, fed].concat(), &[], depth + 1);
                }
                Inner::Command(inner) => self.command(&inner, before, depth + 1),
                Inner::Script(text) => drop(self.script(&text, depth + 1)),
            }
        }
    }

    fn change_folder(&mut self, words: &[String], is_open: bool) {
        if !lists("cd pushd", &name(words)) {
            return;
        }
        let home = || self.ground.situation.home.clone();
        let target = words.iter().skip(1).find(|it| !it.starts_with('-')).map(PathBuf::from);
        let Some(target) = target.or_else(home) else { return };
        if target.to_string_lossy().contains(UNKNOWN) {
            return;
        }
        let bases = self.ground.bases.iter().map(|base| place::normalize(&base.join(&target)));
        let bases: Vec<_> = bases.filter(|it| it.as_os_str().len() <= MAX_PATH).collect();
        if bases.is_empty() {
            return;
        }
        if !is_open {
            self.ground.bases.clear();
        }
        self.bases.extend(
            bases.iter().filter(|it| !self.bases.contains(it)).cloned().collect::<Vec<_>>(),
        );
        if self.bases.len() > MAX_BASES {
            self.accuse(Some("is too long or too deep to be checked".to_owned()));
        }
        self.ground.bases.extend(bases);
        self.ground.bases.dedup();
        // Old folders fall out first: a text cannot make this list long.
        let n = self.ground.bases.len().saturating_sub(MAX_DEPTH);
        self.ground.bases.drain(..n);
    }

    /// The last net, where code is read that this crate cannot read: the text without its quotes.
    fn net(&mut self, text: &str, is_broken: bool, commands: &[Vec<String>]) {
        const INTERPRETERS: &str = "python perl ruby node nodejs php lua awk gawk mawk osascript \
            deno bun tclsh pypy expect ssh";
        let is_unknown = |words: &Vec<String>| words.first().is_some_and(|it| it.contains(UNKNOWN));
        let is_shell = |words: &Vec<String>| wrap::is_shell(&name(words));
        let reads_shell = is_broken || commands.iter().any(|it| is_unknown(it) || is_shell(it));
        let is_code = |words: &Vec<String>| {
            let name = name(words);
            lists(INTERPRETERS, name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.'))
        };
        if !reads_shell && !commands.iter().any(is_code) {
            return;
        }
        let mut is_removal = false;
        for piece in segment::segments(&segment::unquoted(text)) {
            let words = expand::words(&piece, &self.variables);
            if is_removal {
                let removal = [&["rm".to_owned()], &words[..]].concat();
                self.accuse(floor::deed(&removal, &self.ground));
            }
            let removers =
                ["rmtree", "rmSync", "rm_rf", "rm_r", "rimraf", "remove_tree", "remove_dir_all"];
            is_removal =
                words.last().is_some_and(|it| removers.iter().any(|end| it.ends_with(end)));
            self.loose(&words, reads_shell);
            self.accuse(words.iter().find_map(|word| floor::own(word, &self.ground)));
        }
    }

    /// A command may begin at any word; one of a single word only where nothing but quoting
    /// programs stands before.
    fn loose(&mut self, words: &[String], reads_shell: bool) {
        const DEEDS: [&str; 9] =
            ["rm", "dd", "mkfs", "find", "mv", "shred", "wipefs", "tee", "rsync"];
        let is_quoting = |it: &&String| {
            lists("echo printf sudo env exec eval", it) || it.starts_with('-') || it.contains('=')
        };
        let n_quoting = words.iter().take(MAX_QUOTING).take_while(is_quoting).count();
        let n_fronts = if reads_shell { n_quoting + 1 } else { 0 };
        // The first word of each deed has all operands of the later ones behind it.
        let is_deed = |deed: &str, it: &String| it == deed || it.starts_with(&format!("{deed}."));
        let deeds = DEEDS.iter().filter_map(|deed| words.iter().position(|it| is_deed(deed, it)));
        for start in (0..n_fronts).chain(deeds) {
            let words = words.get(start..).unwrap_or_default();
            self.accuse(floor::deed(words, &self.ground));
        }
    }

    fn accuse(&mut self, crime: Option<String>) {
        if self.crime.is_none() {
            self.crime = crime;
        }
    }
}
