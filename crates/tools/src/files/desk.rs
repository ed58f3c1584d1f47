//! What the file tools work with: the workspace, and what the model has seen of it.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use tagline_executor::{
    Audit, ToolContext,
    guards::{ContentHash, ReadLedger},
};
use tagline_policy::{Claims, PathClaim};
use tagline_protocol::{ToolFailure, ToolOutcome, nearest};
use tagline_workspace::{FileError, Problem, Workspace, Written};
use tokio_util::sync::CancellationToken;

use crate::commands::Runs;

/// Largest file that is read as a whole, in bytes: 16 MiB.
pub(crate) const WHOLE: u64 = 16 * 1024 * 1024;

/// The workspace and the ledger of one call.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    pub(crate) files: Arc<Workspace>,
    pub(crate) ledger: Arc<ReadLedger>,
    pub(crate) cancel: CancellationToken,
    pub(crate) call: String,
    pub(crate) audit: Audit,
}

impl Desk {
    fn of(cx: &ToolContext) -> Result<Self, ToolFailure> {
        Ok(Self {
            files: cx.get()?,
            ledger: cx.get()?,
            cancel: cx.cancel.clone(),
            call: cx.call.to_string(),
            audit: cx.audit.clone(),
        })
    }

    /// Remembers that the model saw or wrote this content.
    pub(crate) fn note(&self, path: &Path, bytes: &[u8]) {
        self.ledger.note_read(path, ContentHash::of(bytes));
    }

    /// Remembers what was written, and puts it on the record.
    pub(crate) fn note_written(&self, written: &Written, bytes: &[u8]) {
        self.note(&written.path, bytes);
        self.audit.note("path", written.path.display().to_string());
        self.audit.note("sha256", written.hash.to_string());
    }

    /// The failure if the user stopped the call.
    pub(crate) fn check_cancel(&self) -> Result<(), ToolFailure> {
        if self.cancel.is_cancelled() {
            return Err(ToolFailure::Cancelled("the turn was stopped".to_owned()));
        }
        Ok(())
    }

    /// What the model reads about a path that did not work, with the nearest names of the folder
    /// where nothing is there.
    pub(crate) fn failure(&self, error: &FileError) -> ToolFailure {
        let problem = &error.problem;
        if matches!(problem, Problem::Missing(_)) {
            let near = self.near(&error.path);
            let hint = if near.is_empty() {
                "see what is there with `list_files`".to_owned()
            } else {
                format!("did you mean {}", near.join(" or "))
            };
            return ToolFailure::Missing(format!("{error}; {hint}"));
        }
        class(problem)(error.to_string())
    }

    /// The names of the same folder that are nearest to a missing one, in backquotes.
    fn near(&self, path: &str) -> Vec<String> {
        let (folder, name) = path.trim_end_matches('/').rsplit_once('/').unwrap_or((".", path));
        let Ok(entries) = self.files.folder(folder).and_then(|folder| {
            let missing = |_| FileError { path: path.to_owned(), problem: Problem::Empty };
            std::fs::read_dir(folder).map_err(missing)
        }) else {
            return Vec::new();
        };
        // The names were read by the folder's path, which may have led elsewhere by then.
        let names = entries.flatten().take(2_000).map(|entry| entry.path());
        let names: Vec<_> = names.filter(|path| self.files.look(path).is_ok()).collect();
        let shown: Vec<_> = names.iter().map(|path| self.files.show(path)).collect();
        let last = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_owned();
        let lasts: Vec<_> = shown.iter().map(|path| last(path)).collect();
        let found = nearest(name, lasts.iter().map(String::as_str));
        let full = |name: &String| {
            let at = lasts.iter().position(|last| last == name);
            at.and_then(|at| shown.get(at)).map(|path| format!("`{path}`"))
        };
        found.iter().filter_map(full).collect()
    }

    /// The absolute path of a call's argument, and what it does there.
    fn claim(&self, asked: &str, touch: Touch) -> PathClaim {
        let resolved = match touch {
            Touch::Reads | Touch::Writes => self.files.resolve(asked),
            // A link goes itself, not what it leads to.
            Touch::Removes => self.files.resolve_unfollowed(asked),
        };
        PathClaim {
            asked: asked.to_owned(),
            resolved: resolved.ok(),
            is_write: touch != Touch::Reads,
            is_removal: touch == Touch::Removes,
        }
    }
}

/// A source that breaks off when the user stops the call.
pub(crate) struct Stoppable<'a> {
    pub(crate) source: &'a File,
    pub(crate) cancel: &'a CancellationToken,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("the turn was stopped"));
        }
        self.source.read(buffer)
    }
}

/// What a call does to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// Reads it.
    Reads,
    /// Creates or changes it.
    Writes,
    /// Removes it.
    Removes,
}

/// What a call touches, for the policy. Without a workspace nothing is known of the paths.
pub(crate) fn claims<'p>(
    cx: &ToolContext,
    paths: impl IntoIterator<Item = (&'p str, Touch)>,
) -> Claims {
    let desk = Desk::of(cx).ok();
    let claim = |(asked, touch): (&str, Touch)| match &desk {
        Some(desk) => desk.claim(asked, touch),
        None => PathClaim {
            asked: asked.to_owned(),
            resolved: None,
            is_write: touch != Touch::Reads,
            is_removal: touch == Touch::Removes,
        },
    };
    Claims { paths: paths.into_iter().map(claim).collect(), ..Claims::default() }
}

/// What an allowed call makes stays, also where its name is protected and a command runs meanwhile.
pub(crate) fn makes(cx: &ToolContext, claims: &Claims) {
    let Ok(runs) = cx.get::<Runs>() else { return };
    let made = claims.paths.iter().filter(|claim| claim.is_write && !claim.is_removal);
    made.filter_map(|claim| claim.resolved.clone()).for_each(|path| runs.let_be(path));
}

/// Runs work that waits for the disk beside the async world.
pub(crate) async fn at_desk(
    cx: &ToolContext,
    work: impl FnOnce(&Desk) -> ToolOutcome + Send + 'static,
) -> ToolOutcome {
    let desk = Desk::of(cx)?;
    let done = tokio::task::spawn_blocking(move || work(&desk)).await;
    done.unwrap_or_else(|error| Err(ToolFailure::Failed(format!("the tool broke off: {error}"))))
}

/// Which class of failure a problem is.
fn class(problem: &Problem) -> fn(String) -> ToolFailure {
    match problem {
        Problem::Empty
        | Problem::Control(_)
        | Problem::Backslash(_)
        | Problem::Alias(_)
        | Problem::Address(_)
        | Problem::TooLong { .. }
        | Problem::NotAFolder
        | Problem::NotAFile(_)
        | Problem::TooLarge { .. }
        | Problem::NotEmpty(_)
        | Problem::IntoItself
        | Problem::Exists => ToolFailure::BadCall,
        Problem::NoSuchRoot { .. }
        | Problem::Outside { .. }
        | Problem::LinkLeaves(_)
        | Problem::Own
        | Problem::HoldsRoot(_)
        | Problem::NoTrash => ToolFailure::Denied,
        Problem::Missing(_) => ToolFailure::Missing,
        Problem::Changed
        | Problem::ReadOnly
        | Problem::Mounted(_)
        | Problem::TooMuchForTrash(_)
        | Problem::CrossesDevices
        | Problem::DiskFull
        | Problem::NoPermission
        | Problem::LinkLoop
        | Problem::Io(_) => ToolFailure::Failed,
    }
}

/// The last name of a path, for headings.
pub(crate) fn last_name(path: &Path) -> String {
    tagline_workspace::show_name(path.file_name().unwrap_or_else(|| OsStr::new("")))
}
