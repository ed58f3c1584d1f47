//! Writes what was worked out: every file, or none.

use tagline_protocol::ToolFailure;
use tagline_workspace::{Before, ContentHash, Depth, Problem};

use crate::files::{
    desk::Desk,
    patch::plan::{New, Old, Step},
};

/// What was done, as it is undone.
#[derive(Debug)]
enum Done<'s> {
    /// A folder was made.
    Folder(String),
    /// A file was made.
    Created {
        path: &'s str,
    },
    /// A file's content and mode were other ones.
    Changed {
        path: &'s str,
        old: &'s Old,
        new: ContentHash,
    },
    Moved {
        from: &'s str,
        to: &'s str,
    },
    Deleted {
        path: &'s str,
        old: &'s Old,
    },
}

/// Does every step; where one fails, undoes the ones before.
pub(super) fn put(desk: &Desk, steps: &[Step]) -> Result<(), ToolFailure> {
    let mut done = Vec::new();
    // What cannot be undone without the undo store comes last.
    let (kept, gone): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.new.is_some());
    for step in kept.into_iter().chain(gone) {
        if let Err(failure) = one(desk, step, &mut done) {
            return Err(undone(desk, &failure, &done));
        }
    }
    steps.iter().for_each(|step| note(desk, step));
    Ok(())
}

fn one<'s>(desk: &Desk, step: &'s Step, done: &mut Vec<Done<'s>>) -> Result<(), ToolFailure> {
    let failed = |error| desk.failure(&error);
    let Some(new) = &step.new else {
        let Some(old) = &step.old else { return Ok(()) };
        check_unchanged(desk, step, old)?;
        desk.files.delete(&step.path, Depth::Empty, &desk.call).map_err(failed)?;
        done.push(Done::Deleted { path: &step.path, old });
        return Ok(());
    };
    let target = step.to.as_deref().unwrap_or(&step.path);
    folders(desk, target, done)?;
    if let Some(to) = &step.to {
        desk.files.relocate(&step.path, to).map_err(failed)?;
        done.push(Done::Moved { from: &step.path, to });
    }
    let before = step.old.as_ref().map_or(Before::Absent, |old| Before::Is(old.hash));
    let written = match step.mode {
        Some(mode) => desk.files.write_with_mode(target, &new.bytes, before, mode),
        None => desk.files.write(target, &new.bytes, before),
    };
    let new = written.map_err(failed)?.hash;
    done.push(match &step.old {
        Some(old) => Done::Changed { path: target, old, new },
        None => Done::Created { path: target },
    });
    Ok(())
}

/// Makes the folders that a file needs, one by one, so that each can be taken back.
fn folders<'s>(desk: &Desk, path: &str, done: &mut Vec<Done<'s>>) -> Result<(), ToolFailure> {
    let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
    for folder in ends.filter_map(|at| path.get(..at)) {
        let is_missing = desk
            .files
            .kind(folder)
            .is_err_and(|error| matches!(error.problem, Problem::Missing(_)));
        if is_missing {
            desk.files.create_folder(folder).map_err(|error| desk.failure(&error))?;
            done.push(Done::Folder(folder.to_owned()));
        }
    }
    Ok(())
}

/// A file that is deleted must be the one that was looked at.
fn check_unchanged(desk: &Desk, step: &Step, old: &Old) -> Result<(), ToolFailure> {
    let now = desk.files.read(&step.path, old.bytes.len() as u64);
    match now {
        Ok(now) if now.hash == old.hash => Ok(()),
        Ok(_) | Err(_) => {
            Err(ToolFailure::Failed(format!("`{}`: changed meanwhile; read it again", step.path)))
        }
    }
}

/// Takes back what was done, the last first, and says what could not be.
fn undone(desk: &Desk, failure: &ToolFailure, done: &[Done<'_>]) -> ToolFailure {
    let left: Vec<_> = done.iter().rev().filter_map(|it| undo(desk, it)).collect();
    let words = if left.is_empty() {
        "nothing was changed".to_owned()
    } else {
        format!("the files before it were changed back, but not {}", left.join(", "))
    };
    ToolFailure::Failed(format!("{failure}; {words}"))
}

/// Takes one thing back; its name where that did not work.
fn undo(desk: &Desk, done: &Done<'_>) -> Option<String> {
    let files = &desk.files;
    let (path, is_back) = match done {
        Done::Folder(path) => (path.as_str(), files.delete(path, Depth::Empty, &desk.call).is_ok()),
        Done::Created { path } => (*path, files.delete(path, Depth::Empty, &desk.call).is_ok()),
        Done::Changed { path, old, new } => {
            let before = Before::Is(*new);
            (*path, files.write_with_mode(path, &old.bytes, before, old.mode).is_ok())
        }
        Done::Moved { from, to } => (*from, files.relocate(to, from).is_ok()),
        Done::Deleted { path, old } => {
            let before = Before::Absent;
            (*path, files.write_with_mode(path, &old.bytes, before, old.mode).is_ok())
        }
    };
    (!is_back).then(|| format!("`{path}`"))
}

/// Remembers what the model has seen of each file, and puts the changes on the record.
fn note(desk: &Desk, step: &Step) {
    let resolve = |path: &str| desk.files.resolve(path).ok();
    let target = step.to.as_deref().unwrap_or(&step.path);
    if let Some(old) = resolve(&step.path).filter(|_| step.to.is_some() || step.new.is_none()) {
        desk.ledger.forget(&old);
    }
    if let (Some(path), Some(New { bytes, .. })) = (resolve(target), &step.new) {
        desk.note(&path, bytes);
        desk.audit.note("path", path.display().to_string());
        desk.audit.note("sha256", ContentHash::of(bytes).to_string());
    }
}
