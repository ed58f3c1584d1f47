//! A walk over a folder that respects ignore files, follows no link and stays in its root.

use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};
use tagline_protocol::ToolFailure;
use tagline_workspace::Workspace;

use crate::files::desk::Desk;

/// Where a walk starts and what it sees.
#[derive(Clone, Debug)]
pub(crate) struct Tour {
    /// The folder, absolute, as [`Workspace::folder`] gives it.
    pub(crate) start: PathBuf,
    /// Levels below it; `None`: all.
    pub(crate) depth: Option<usize>,
    /// Whether names that start with a dot are seen.
    pub(crate) shows_hidden: bool,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Stop,
}

impl Tour {
    /// Visits what lies below the start, in the order of names, a folder before its content.
    ///
    /// # Errors
    ///
    /// Where the user stops the call, or the visitor fails.
    pub(crate) fn visit(
        &self,
        desk: &Desk,
        mut visit: impl FnMut(&DirEntry) -> Result<Flow, ToolFailure>,
    ) -> Result<(), ToolFailure> {
        let root = desk.files.root_path(&self.start).unwrap_or(&self.start).to_owned();
        let mut is_seen = root == self.start;
        for entry in self.walk(desk, &root).flatten() {
            desk.check_cancel()?;
            is_seen |= entry.path() == self.start;
            let is_below = entry.path() != self.start && entry.path().starts_with(&self.start);
            if is_below && visit(&entry)? == Flow::Stop {
                return Ok(());
            }
        }
        if is_seen {
            return Ok(());
        }
        // The folder itself is ignored, but it was asked for by name.
        for entry in self.walk(desk, &self.start).flatten() {
            desk.check_cancel()?;
            if entry.path() != self.start && visit(&entry)? == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Walks from a folder above the start, so that the ignore files on the way count, and those
    /// above the root do not.
    fn walk(&self, desk: &Desk, from: &Path) -> ignore::Walk {
        let n_above = self.start.components().count() - from.components().count();
        let (start, files, shows_hidden) =
            (self.start.clone(), desk.files.clone(), self.shows_hidden);
        let mut builder = WalkBuilder::new(from);
        builder
            .max_depth(self.depth.map(|depth| depth + n_above))
            .hidden(false)
            .parents(false)
            .git_global(false)
            .require_git(false)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| {
                let path = entry.path();
                if start.starts_with(path) {
                    return true;
                }
                let name = entry.file_name();
                let is_hidden = name.as_encoded_bytes().starts_with(b".") && !shows_hidden;
                let is_never = name == ".git" || Workspace::is_temporary(name);
                path.starts_with(&start) && !is_hidden && !is_never && !files.is_own(path)
            });
        builder.build()
    }
}

/// Whether an entry is a regular file, links not followed.
pub(crate) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
