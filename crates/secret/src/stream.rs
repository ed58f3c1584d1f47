//! Markers over secrets that come in pieces.

use std::fmt;

use crate::{Redactor, redactor::Table};

/// Takes a text in pieces, and gives what of it may be shown. What may be the beginning of a
/// secret is held until more comes: at most as much as the longest secret has, as encoded.
///
/// However the text is cut, what comes out is the same in all.
pub struct Stream {
    redactor: Redactor,
    held: String,
}

// What is held may be a piece of a secret.
impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("held", &self.held.len()).finish_non_exhaustive()
    }
}

impl Stream {
    pub(crate) const fn new(redactor: Redactor) -> Self {
        Self { redactor, held: String::new() }
    }

    /// Takes a piece; what may be shown now.
    #[must_use]
    pub fn feed(&mut self, piece: &str) -> String {
        let known = self.redactor.known();
        self.held.push_str(piece);
        let cut = safe(known.table(), &self.held);
        let rest = self.held.split_off(cut);
        let shown = std::mem::replace(&mut self.held, rest);
        known.text(&shown).into_owned()
    }

    /// The text is over; what was held.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        self.redactor.text(&held).into_owned()
    }

    /// Whether something is held.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }
}

/// Up to where nothing that follows can change what is shown.
fn safe(table: &Table, text: &str) -> usize {
    let least = text.len().saturating_sub(table.longest);
    let starts = text.char_indices().map(|(at, _)| at).filter(|at| *at > least || least == 0);
    let begins = |at: &usize| text.get(*at..).is_some_and(|tail| is_begun(table, tail));
    let cut = starts.into_iter().find(begins).unwrap_or(text.len());
    // A place that is covered is covered as a whole.
    let spans = table.spans(text);
    let within = spans.iter().find(|span| span.place.start < cut && cut < span.place.end);
    within.map_or(cut, |span| span.place.start)
}

/// Whether a pattern begins with `tail`, and is longer.
fn is_begun(table: &Table, tail: &str) -> bool {
    let at = table.patterns.partition_point(|pattern| pattern.as_str() <= tail);
    table.patterns.get(at).is_some_and(|pattern| pattern.starts_with(tail))
}
