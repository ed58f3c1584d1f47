//! Where the words of commands may lead.

use std::path::{Path, PathBuf};

use crate::{
    Situation, grants,
    language::lists,
    place::{self, Place},
    protected,
};

/// The paths that a word may name: itself, what stands behind `=`, `:` and `@`, and what is joined to a
/// short option. Addresses are none.
pub(crate) fn paths_in(word: &str) -> Vec<&str> {
    let behind_option = match word.strip_prefix('-') {
        Some(rest) if !rest.starts_with('-') => word.find('/').and_then(|at| word.get(at..)),
        Some(_) | None => None,
    };
    let values = word.split(['=', ':', ',']).map(|it| it.trim_start_matches('@'));
    let is_path = |it: &&str| !it.is_empty() && !it.starts_with('-');
    let mut paths: Vec<_> = if is_address(word) {
        word.strip_prefix("file://").into_iter().collect()
    } else {
        // Joined to an option, a lone slash is a separator.
        let joined = behind_option.filter(|it| *it != "/");
        [word].into_iter().chain(values).chain(joined).filter(is_path).collect()
    };
    paths.dedup();
    paths
}

fn is_address(word: &str) -> bool {
    word.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|it| it.is_ascii_alphanumeric())
    })
}

/// Why a word must not be taken in passing: it leads out of the roots, to keys, or to what other
/// programs obey. `None` where it leads nowhere else than into the workspace.
pub(crate) fn stray(word: &str, bases: &[PathBuf], situation: &Situation) -> Option<String> {
    paths_in(word).into_iter().find_map(|path| stray_path(path, bases, situation))
}

/// The same for a path alone.
pub(crate) fn stray_path(asked: &str, bases: &[PathBuf], situation: &Situation) -> Option<String> {
    if lists(HARMLESS, asked) {
        return None;
    }
    if asked == "~" || asked.starts_with("~/") {
        return Some(format!("`{asked}` is outside the workspace"));
    }
    bases.iter().find_map(|base| {
        let path = place::normalize(&base.join(asked));
        if place::is_secret(&path) {
            return Some(format!("`{asked}` may hold keys or passwords"));
        }
        let is_inside = place::place(&path, situation) == Place::Inside;
        (!is_inside && !grants::folder(&path, situation))
            .then(|| format!("`{asked}` is outside the workspace"))
    })
}

/// Why a word must not be changed in passing, although it lies in the workspace.
pub(crate) fn protected(word: &str, bases: &[PathBuf]) -> Option<String> {
    let is_protected = |path: &&str| {
        let path = Path::new(path);
        bases.iter().any(|base| protected::is_protected(&place::normalize(&base.join(path))))
    };
    let found = paths_in(word).into_iter().find(|path| is_protected(path))?;
    Some(format!("other programs obey `{found}` without asking"))
}

/// Devices that swallow or speak.
const HARMLESS: &str =
    "/dev/null /dev/zero /dev/stdin /dev/stdout /dev/stderr /dev/tty - /dev/urandom";
