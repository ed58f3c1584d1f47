//! Which programs a command starts.

use std::path::Path;

use super::{
    expand::UNKNOWN,
    plain, read,
    wrap::{self, Inner},
};
use crate::{Situation, language::lists};

/// The programs that a command starts by their names, each once, in the order of their names in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// As they are written: names that are looked up, or paths.
    pub names: Vec<String>,
    /// These are all; otherwise there may be more, or other ones, when it runs.
    pub is_certain: bool,
}

/// What bash does by itself.
const BUILTINS: &str = "\
    . : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs \
    disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local \
    logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend \
    test times trap true type typeset ulimit umask unalias unset wait";

/// Words of the grammar that stand where a program could.
const GRAMMAR: &str =
    "if then elif else do while until ! { [[ time coproc for case select function";

/// Of what bash does by itself: runs the words behind it, which may be its own again.
const HANDING_ON: &str = "command builtin";

/// How deep programs that start programs are followed.
const MAX_DEPTH: usize = 8;

/// Reads which programs a command starts. What they start in turn is not among them, except where they
/// are known to run what their words say, as `env`, `timeout` and `bash -c` do.
#[must_use]
pub fn programs(text: &str, cwd: &Path) -> Programs {
    let script = read(text, cwd, &Situation::default());
    let mut found = Programs { names: Vec::new(), is_certain: true };
    match &script.line {
        Ok(line) => {
            found.is_certain = line.beyond.is_none();
            line.commands.iter().for_each(|words| found.take(words, true, 0));
        }
        Err(_) => {
            found.is_certain = false;
            script.commands.iter().for_each(|words| found.take(words, true, MAX_DEPTH));
        }
    }
    found
}

impl Programs {
    /// Takes the program of these words, and those that it starts; `is_own`: the shell itself reads
    /// them.
    fn take(&mut self, words: &[String], is_own: bool, depth: usize) {
        let Some(first) = words.first().filter(|first| !first.is_empty()) else { return };
        if first.contains(UNKNOWN) || first.contains('=') {
            self.is_certain = false;
            return;
        }
        let is_grammar = is_own && lists(GRAMMAR, first);
        let is_builtin = is_own && lists(BUILTINS, first);
        if !is_grammar && !is_builtin && !self.names.contains(first) {
            self.names.push(first.clone());
        }
        let is_still_own = is_grammar || (is_builtin && lists(HANDING_ON, first));
        let inner = wrap::inner(words);
        if depth == MAX_DEPTH {
            self.is_certain &= inner.is_empty();
            return;
        }
        if inner.is_empty() && first == "xargs" && !self.names.iter().any(|it| it == "echo") {
            self.names.push("echo".to_owned());
        }
        for inner in inner {
            match inner {
                Inner::Command(words) => self.take(&words, is_still_own, depth + 1),
                Inner::Script(text) => self.script(&text, depth + 1),
            }
        }
    }

    fn script(&mut self, text: &str, depth: usize) {
        match plain::read(text) {
            Ok(line) => {
                self.is_certain &= line.beyond.is_none();
                line.commands.iter().for_each(|words| self.take(words, true, depth));
            }
            Err(_) => self.is_certain = false,
        }
    }
}
