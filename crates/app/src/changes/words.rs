//! Changes in words.

use std::{path::Path, time::Duration};

use similar::TextDiff;
use tagline_snapshot::{By, LeftOut, Node, Plan, State, Step};

use super::Change;
use crate::screen::{clean, clean_lines, count};

/// Longest that two texts are compared; what is left then counts as changed.
const TIME: Duration = Duration::from_millis(500);

/// A path as people know it: below the session's folder, or absolute.
pub(crate) fn shown(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    clean(&tagline_workspace::show_name(below.as_os_str()))
}

/// The lines that differ, as a unified diff; nothing where none do.
pub(crate) fn text(folder: &Path, change: &Change<'_>) -> String {
    if !is_text_changed(change) {
        return String::new();
    }
    let path = shown(folder, &change.path);
    let (Some(old), Some(new)) = change.contents() else {
        return format!("{path}: too long to be compared\n");
    };
    let (Some(old), Some(new)) = (plain(&old), plain(&new)) else {
        return format!("{path}: not a text\n");
    };
    let side = |node: &Node, letter: &str| match node {
        Node::File { .. } => format!("{letter}/{path}"),
        Node::Absent | Node::Link { .. } | Node::Folder { .. } | Node::Other { .. } => {
            "/dev/null".to_owned()
        }
    };
    let diff = TextDiff::configure().timeout(TIME).diff_lines(old, new);
    let (old, new) = (side(&change.old, "a"), side(&change.new, "b"));
    clean_lines(&diff.unified_diff().context_radius(3).header(&old, &new).to_string())
}

/// Whether one of both is a file, and not the same one.
fn is_text_changed(change: &Change<'_>) -> bool {
    let hash = |node: &Node| match node {
        Node::File { hash, .. } => Some(*hash),
        Node::Absent | Node::Link { .. } | Node::Folder { .. } | Node::Other { .. } => None,
    };
    hash(&change.old) != hash(&change.new)
}

/// The text of a file, if it is one.
fn plain(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

pub(crate) fn verb(change: &Change<'_>) -> &'static str {
    match (&change.old, &change.new) {
        (Node::Absent, _) => "create",
        (_, Node::Absent) => "remove",
        (Node::File { .. }, Node::File { .. })
        | (Node::Link { .. }, Node::Link { .. })
        | (Node::Folder { .. }, Node::Folder { .. }) => "change",
        (_, Node::File { .. } | Node::Link { .. } | Node::Folder { .. } | Node::Other { .. }) => {
            "replace"
        }
    }
}

/// What there is to say beside the text.
pub(crate) fn facts(change: &Change<'_>) -> String {
    let (old, new) = (&change.old, &change.new);
    let both = [old.mode(), new.mode()];
    let modes = match both {
        [Some(old), Some(new)] if old.bits != new.bits => format!("mode {old} to {new}"),
        [Some(old), Some(new)] if old != new => {
            format!("owner {}:{} to {}:{}", old.uid, old.gid, new.uid, new.gid)
        }
        [_, _] => String::new(),
    };
    let what = match if *new == Node::Absent { old } else { new } {
        Node::Link { to } => format!("link to {}", clean(&to.to_string())),
        Node::Folder { .. } => "folder".to_owned(),
        Node::Other { what } => what.clone(),
        Node::Absent | Node::File { .. } => String::new(),
    };
    let parts: Vec<_> = [what, modes].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Why a step is not taken; `None` where it is.
pub(crate) fn why_not(step: &Step, force: bool) -> Option<String> {
    match &step.state {
        State::Ready | State::There => None,
        State::Changed(_) if force => None,
        State::Changed(By::Record(id)) => Some(format!("changed since by {id}")),
        State::Changed(By::Session { session, call }) => {
            Some(format!("{call} of session {session} changed it too, at the same time"))
        }
        State::Changed(By::Hand) => Some("changed since, by you or another program".to_owned()),
        State::Lost => Some("what stood there is not in the undo store any more".to_owned()),
        State::Holds(n) => {
            let what = count(*n as u64, "thing that is", "things that are");
            Some(format!("it holds {what} none of it"))
        }
    }
}

/// What nobody knows of, a line each.
pub(crate) fn not_covered(folder: &Path, plan: &Plan) -> Vec<String> {
    let line = |it: &LeftOut| format!("{} ({})", shown(folder, &it.path), it.why);
    let mut lines: Vec<_> = plan.left_out.iter().map(line).collect();
    let n_more = plan.n_left_out - plan.left_out.len();
    if n_more > 0 {
        lines.push(format!("{n_more} more"));
    }
    if plan.is_command {
        lines.push("what commands changed outside of the session's folders".to_owned());
    }
    lines
}
