//! Changes as lines: a row for each, then what differs in its text.

use std::{path::Path, time::Duration};

use similar::TextDiff;
use tagline_snapshot::{Node, Record, What};

use super::{changes::Change, shown};
use crate::{
    app::App,
    exit::Exit,
    output::print,
    screen::{clean, clean_lines, count, head as cut},
};

/// Most rows that are shown without `-v`.
const ROWS: usize = 100;
/// Most lines of text that are shown without `-v`.
const LINES: usize = 400;
/// Longest that two texts are compared; what is left then counts as changed.
const TIME: Duration = Duration::from_millis(500);

/// The calls that are meant, a line each.
pub(super) fn head(records: &[&Record]) -> String {
    let row = |record: &&Record| match &record.what {
        What::Call { id, tool, target } => {
            let line = format!("{id:<6} {tool:<16} {}", clean(target));
            format!("{}\n", cut(line.trim_end(), 100))
        }
        What::Undo { id, .. } => format!("{id:<6} undo\n"),
        What::Aside { id, call } => format!("{id:<6} put aside        made by {call}\n"),
    };
    records.iter().map(row).collect()
}

/// Where changes are printed.
pub(super) struct Page<'a> {
    folder: &'a Path,
    is_whole: bool,
}

impl<'a> Page<'a> {
    pub(super) fn new(app: &App, folder: &'a Path) -> Self {
        Self { folder, is_whole: app.verbosity > 0 }
    }

    /// Prints the changes.
    pub(super) fn print(&self, changes: &[Change<'_>]) -> Result<(), Exit> {
        let n_rows = if self.is_whole { changes.len() } else { changes.len().min(ROWS) };
        for change in changes.iter().take(n_rows) {
            print(&format!("  {}\n", self.row(change)))?;
        }
        let n_more = changes.len() - n_rows;
        if n_more > 0 {
            print(&format!("  … and {}; `-v` shows all\n", count(n_more as u64, "more", "more")))?;
        }
        self.texts(changes)
    }

    fn texts(&self, changes: &[Change<'_>]) -> Result<(), Exit> {
        let mut n_left = if self.is_whole { usize::MAX } else { LINES };
        for change in changes {
            let text = self.text(change);
            let n = text.lines().count();
            if n > n_left {
                let shown: String = text.split_inclusive('\n').take(n_left).collect();
                return print(&format!("{shown}[the rest is not shown; `-v` shows all]\n"));
            }
            n_left -= n;
            print(&text)?;
        }
        Ok(())
    }

    /// `change   src/main.rs   mode 0644 to 0755`.
    fn row(&self, change: &Change<'_>) -> String {
        let path = shown(self.folder, &change.path);
        let row = format!("{:<8} {path}  {}", verb(change), facts(change));
        row.trim_end().to_owned()
    }

    /// The lines that differ, as a unified diff; nothing where none do.
    fn text(&self, change: &Change<'_>) -> String {
        if !is_text_changed(change) {
            return String::new();
        }
        let path = shown(self.folder, &change.path);
        let (Some(old), Some(new)) = change.contents() else {
            return format!("{path}: too long to be compared\n");
        };
        let (Some(old), Some(new)) = (text(&old), text(&new)) else {
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
fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn verb(change: &Change<'_>) -> &'static str {
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
fn facts(change: &Change<'_>) -> String {
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
