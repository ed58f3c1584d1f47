//! Changes as lines: a row for each, then what differs in its text.

use std::path::Path;

use tagline_snapshot::{Record, What};

use crate::{
    app::App,
    changes::{Change, facts, shown, text, verb},
    exit::Exit,
    output::print,
    screen::{clean, count, head as cut},
};

/// Most rows that are shown without `-v`.
const ROWS: usize = 100;
/// Most lines of text that are shown without `-v`.
const LINES: usize = 400;

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
            let text = text(self.folder, change);
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
}
