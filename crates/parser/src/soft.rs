//! The end of a text that may be layout: blanks, and in a section the brackets of a broken end.

use crate::input::Input;

/// Where the soft end of a text starts, found without looking at any byte twice.
#[derive(Debug, Default)]
pub(crate) struct Soft {
    start: usize,
    to: usize,
}

impl Soft {
    /// The text starts here.
    pub(crate) const fn start_at(&mut self, at: usize) {
        (self.start, self.to) = (at, at);
    }

    /// The text up to `to` was seen, and its soft end starts here.
    pub(crate) const fn seen(&mut self, start: usize, to: usize) {
        (self.start, self.to) = (start, to);
    }

    /// Where the soft end of the text up to `to` starts. A soft end longer than `limit` is text.
    pub(crate) fn start(
        &mut self,
        to: usize,
        is_section: bool,
        limit: usize,
        input: &Input<'_>,
    ) -> usize {
        if to < self.to {
            return self.start.min(to);
        }
        let new = input.slice(self.to..to);
        let n_soft = count(new, is_section);
        input.add_visits(n_soft as u64);
        if n_soft < new.len() {
            self.start = to - n_soft;
        }
        self.to = to;
        let limit = limit.max(64);
        while self.to - self.start > limit {
            self.start += limit;
        }
        self.start
    }
}

/// How many bytes at the end of a text may be layout.
pub(crate) fn count(text: &str, is_section: bool) -> usize {
    text.bytes().rev().take_while(|&byte| is_soft(byte, is_section)).count()
}

const fn is_soft(byte: u8, is_section: bool) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r') || (is_section && matches!(byte, b']' | b'>'))
}
