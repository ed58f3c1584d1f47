//! A walk over a folder that respects ignore files, follows no link and stays in its root.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use ignore::{DirEntry, WalkBuilder};
use tagline_protocol::ToolFailure;
use tagline_workspace::{Found, Kind, Workspace};

use crate::{files::desk::Desk, search::ignored::Ignored};

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

/// What a walk came to, looked at by handle: the names alone were read by their paths, which may
/// have led out of the root meanwhile.
#[derive(Debug)]
pub(crate) struct Entry<'e> {
    /// Absolute.
    pub(crate) path: &'e Path,
    found: Found,
}

impl Entry<'_> {
    pub(crate) fn kind(&self) -> Kind {
        self.found.kind
    }

    /// What a link says that it leads to.
    pub(crate) fn target(&self) -> Option<&Path> {
        self.found.target.as_deref()
    }

    /// Whether it is a regular file, links not followed.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.found.kind, Kind::File(_))
    }
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
        mut visit: impl FnMut(&Entry<'_>) -> Result<Flow, ToolFailure>,
    ) -> Result<(), ToolFailure> {
        let root = desk.files.root_path(&self.start).unwrap_or(&self.start).to_owned();
        let mut is_seen = root == self.start;
        for entry in self.walk(desk, &root).flatten() {
            desk.check_cancel()?;
            is_seen |= entry.path() == self.start;
            if self.meet(desk, &entry, &mut visit)? == Flow::Stop {
                return Ok(());
            }
        }
        if is_seen {
            return Ok(());
        }
        // The folder itself is ignored, but it was asked for by name.
        for entry in self.walk(desk, &self.start).flatten() {
            desk.check_cancel()?;
            if self.meet(desk, &entry, &mut visit)? == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Visits what lies below the start and inside its root.
    fn meet(
        &self,
        desk: &Desk,
        entry: &DirEntry,
        visit: &mut impl FnMut(&Entry<'_>) -> Result<Flow, ToolFailure>,
    ) -> Result<Flow, ToolFailure> {
        let path = entry.path();
        if path == self.start || !path.starts_with(&self.start) {
            return Ok(Flow::On);
        }
        match desk.files.look(path) {
            Ok(found) => visit(&Entry { path, found }),
            Err(_) => Ok(Flow::On),
        }
    }

    /// Walks from a folder above the start, so that the ignore files on the way count, and those
    /// above the root do not.
    fn walk(&self, desk: &Desk, from: &Path) -> ignore::Walk {
        let n_above = self.start.components().count() - from.components().count();
        let (start, files, shows_hidden) =
            (self.start.clone(), desk.files.clone(), self.shows_hidden);
        let ignored = Ignored::new(Arc::clone(&files), from.to_owned());
        let mut builder = WalkBuilder::new(from);
        builder
            .standard_filters(false)
            .max_depth(self.depth.map(|depth| depth + n_above))
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| {
                let path = entry.path();
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                // The folder where the walk starts is no entry of its own.
                let is_out = entry.depth() > 0 && ignored.leaves_out(path, is_folder);
                if start.starts_with(path) {
                    return !is_out;
                }
                let name = entry.file_name();
                let is_hidden = name.as_encoded_bytes().starts_with(b".") && !shows_hidden;
                let is_never = name == ".git" || Workspace::is_temporary(name);
                let is_wanted = path.starts_with(&start) && !is_hidden && !is_never;
                is_wanted && !is_out && !files.is_own(path)
            });
        builder.build()
    }
}
