//! Text that comes in pieces.

use super::{
    clean::clean_lines,
    layout::{Layout, Tone},
};

/// Text that comes in pieces and is shown line by line.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// The line that is not over.
    pub(super) pending: String,
    /// Whether a line of it was shown, so that the next one goes without the verb.
    is_begun: bool,
}

impl Flow {
    /// More text; the lines that are over now.
    pub(super) fn lines(&mut self, delta: &str) -> Vec<String> {
        self.pending.push_str(delta);
        let Some((whole, rest)) = self.pending.rsplit_once('\n') else { return Vec::new() };
        let lines = whole.split('\n').map(str::to_owned).collect();
        self.pending = rest.to_owned();
        lines
    }

    /// More prose; its lines that are over now, wrapped, the first one of all behind the verb.
    pub(super) fn push(&mut self, layout: Layout, verb: &str, delta: &str) -> Vec<String> {
        let lines = self.lines(delta);
        lines.into_iter().flat_map(|line| self.prose(layout, verb, &line)).collect()
    }

    /// The prose is over.
    pub(super) fn end(&mut self, layout: Layout, verb: &str) -> Vec<String> {
        let rest = std::mem::take(&mut self.pending);
        let lines = self.prose(layout, verb, &rest);
        self.is_begun = false;
        lines
    }

    /// Forgets what was pending.
    pub(super) fn take(&mut self) -> Vec<String> {
        *self = Self::default();
        Vec::new()
    }

    fn prose(&mut self, layout: Layout, verb: &str, line: &str) -> Vec<String> {
        let line = clean_lines(line);
        if line.trim().is_empty() {
            return Vec::new();
        }
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first { layout.prose((Tone::Plain, verb), &line) } else { layout.indented(&line) }
    }
}
