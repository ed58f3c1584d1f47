//! Matches of all files, on one page.

use std::{fmt::Write as _, io};

use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// How much text is shown, in bytes.
const BUDGET: usize = 14 * 1024;
/// Longest line that is shown, in bytes.
const WIDTH: usize = 300;

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Page {
    limit: u64,
    pub(crate) shown: String,
    pub(crate) n_matches: u64,
    pub(crate) n_hidden: u64,
    pub(crate) n_files: u64,
    pub(crate) n_files_matched: u64,
    pub(crate) n_unread: u64,
    pub(crate) files: Vec<Value>,
}

impl Page {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.n_matches >= self.limit
    }
}

/// Collects the matches of one file.
#[derive(Debug)]
pub(crate) struct FileSink<'a> {
    pub(crate) page: &'a mut Page,
    name: &'a str,
    cancel: &'a CancellationToken,
    n_before: u64,
    has_heading: bool,
    wants_break: bool,
}

impl<'a> FileSink<'a> {
    pub(crate) fn new(name: &'a str, page: &'a mut Page, cancel: &'a CancellationToken) -> Self {
        let n_before = page.n_matches;
        Self { page, name, cancel, n_before, has_heading: false, wants_break: false }
    }

    /// Counts the file if something was found in it.
    pub(crate) fn finish(self) {
        let n = self.page.n_matches - self.n_before;
        if n > 0 {
            self.page.n_files_matched += 1;
            self.page.files.push(json!({ "path": self.name, "matches": n }));
        }
    }

    /// Shows a line if there is room; says whether it did.
    fn show(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) -> bool {
        let line = cut(bytes);
        let heading = if self.has_heading { "" } else { self.name };
        if self.page.shown.len() + heading.len() + line.len() + 16 > BUDGET {
            return false;
        }
        if !self.has_heading {
            let _ = writeln!(self.page.shown, "{heading}");
            self.has_heading = true;
        } else if self.wants_break {
            self.page.shown.push_str("  --\n");
        }
        self.wants_break = false;
        let number = number.unwrap_or_default();
        let _ = writeln!(self.page.shown, "  {number}{mark} {line}");
        true
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.page.n_matches += 1;
        if !self.show(found.line_number(), ':', found.bytes()) {
            self.page.n_hidden += 1;
        }
        Ok(!self.page.is_full() && !self.cancel.is_cancelled())
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        self.show(line.line_number(), '-', line.bytes());
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        self.wants_break = true;
        Ok(true)
    }
}

/// A line without its end, cut at a character; what is left out is counted.
fn cut(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.len() <= WIDTH {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let kept = String::from_utf8_lossy(bytes.get(..WIDTH).unwrap_or(bytes));
    let kept = kept.trim_end_matches(char::REPLACEMENT_CHARACTER);
    format!("{kept} [{} more bytes]", bytes.len() - kept.len())
}
