//! What ignore files leave out of a walk: `.ignore`, `.gitignore` and `.git/info/exclude`.
//!
//! They are read by handle and up to a bound: whoever can put files into the workspace can also put
//! a pipe, a link or an endless file in their place.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};
use tagline_workspace::Workspace;

/// Largest ignore file that is read, in bytes; a larger one counts as absent.
const MOST: u64 = 1024 * 1024;

/// The ignore files of the folders that a walk came through.
#[derive(Debug)]
pub(super) struct Ignored {
    files: Arc<Workspace>,
    /// The folder above which no ignore file counts.
    top: PathBuf,
    known: Mutex<HashMap<PathBuf, Arc<Rules>>>,
}

/// Those of one folder.
#[derive(Debug)]
struct Rules {
    plain: Gitignore,
    git: Gitignore,
    exclude: Gitignore,
    is_repository: bool,
}

impl Ignored {
    pub(super) fn new(files: Arc<Workspace>, top: PathBuf) -> Self {
        Self { files, top, known: Mutex::default() }
    }

    /// Whether an entry below the top is left out. The innermost file that names it decides;
    /// `.ignore` goes before `.gitignore`, and this before `info/exclude`. Those of git end at
    /// the folder of their repository.
    pub(super) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let (mut plain, mut git, mut exclude) = (Told::Nothing, Told::Nothing, Told::Nothing);
        let mut is_in_repository = true;
        for folder in path.ancestors().skip(1).take_while(|it| it.starts_with(&self.top)) {
            let rules = self.rules(folder);
            plain = plain.or(&rules.plain.matched(path, is_folder));
            if is_in_repository {
                git = git.or(&rules.git.matched(path, is_folder));
                exclude = exclude.or(&rules.exclude.matched(path, is_folder));
            }
            is_in_repository &= !rules.is_repository;
        }
        let decides = [plain, git, exclude].into_iter().find(|told| *told != Told::Nothing);
        decides == Some(Told::Out)
    }

    fn rules(&self, folder: &Path) -> Arc<Rules> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known().get(folder) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(Rules {
            plain: self.read(folder, ".ignore"),
            git: self.read(folder, ".gitignore"),
            exclude: self.read(folder, ".git/info/exclude"),
            is_repository: self.files.look(&folder.join(".git")).is_ok(),
        });
        known().insert(folder.to_owned(), Arc::clone(&rules));
        rules
    }

    /// One file's patterns; a pattern that is none is left out, the others count.
    fn read(&self, folder: &Path, name: &str) -> Gitignore {
        let opened = self.files.open_found(&folder.join(name));
        let Some(contents) = opened.ok().and_then(|opened| opened.read(MOST).ok()) else {
            return Gitignore::empty();
        };
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&contents.bytes).lines() {
            let _ = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }
}

/// What the ignore files say of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Out,
    In,
}

impl Told {
    /// What was said first counts.
    fn or<T>(self, found: &Match<T>) -> Self {
        match (self, found) {
            (Self::Out | Self::In, _) => self,
            (Self::Nothing, Match::None) => Self::Nothing,
            (Self::Nothing, Match::Ignore(_)) => Self::Out,
            (Self::Nothing, Match::Whitelist(_)) => Self::In,
        }
    }
}
