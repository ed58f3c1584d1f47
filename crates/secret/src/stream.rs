//! Markers over secrets that come in pieces.

use std::fmt;

use crate::{
    Redactor, Secret,
    redactor::{Span, Table},
};

/// Bytes of what begins like a secret that may be shown before it is known whether it is one. They
/// tell little of it: the shortest that is looked for has [`Secret::SHORTEST`].
const GLIMPSE: usize = 3;
const _: () = assert!(GLIMPSE < Secret::SHORTEST / 2);

/// A part of what may be shown. Parts can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'t> {
    /// As it was taken.
    Text(&'t str),
    /// What is shown in place of a secret, or of what of it was not shown yet.
    Marker {
        /// The marker.
        text: &'t str,
        /// Bytes below it.
        n_covered: usize,
    },
}

impl<'t> Part<'t> {
    /// What is shown.
    #[must_use]
    pub const fn text(self) -> &'t str {
        match self {
            Self::Text(text) | Self::Marker { text, n_covered: _ } => text,
        }
    }
}

/// Takes a text in pieces, and gives what of it may be shown. What may be the beginning of a
/// secret is held until more comes: at most as much as the longest secret has, as encoded.
///
/// However the text is cut, what comes out is the same in all, but for what [`Stream::pause`] gives.
pub struct Stream {
    redactor: Redactor,
    held: String,
    /// Bytes of `held` that were shown in a pause.
    n_shown: usize,
}

// What is held may be a piece of a secret.
impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("held", &self.held.len()).finish_non_exhaustive()
    }
}

impl Stream {
    pub(crate) const fn new(redactor: Redactor) -> Self {
        Self { redactor, held: String::new(), n_shown: 0 }
    }

    /// Takes a piece; what may be shown now.
    #[must_use]
    pub fn feed(&mut self, piece: &str) -> String {
        let mut shown = String::with_capacity(piece.len());
        self.feed_to(piece, |part| shown += part.text());
        shown
    }

    /// The same, in parts, for who must know where each byte went.
    pub fn feed_to(&mut self, piece: &str, mut give: impl FnMut(Part<'_>)) {
        let known = self.redactor.known();
        if known.is_empty() {
            return give(Part::Text(piece));
        }
        self.held.push_str(piece);
        let table = known.table();
        let spans = table.spans(&self.held);
        let cut = safe(table, &self.held, &spans);
        let (now, _) = spans.split_at(spans.partition_point(|span| span.place.end <= cut));
        let rest = self.held.split_off(cut);
        let text = std::mem::replace(&mut self.held, rest);
        let n_shown = std::mem::take(&mut self.n_shown);
        self.n_shown = n_shown.saturating_sub(cut);
        table.cover(&text, n_shown, now, give);
    }

    /// Whether [`Stream::pause`] would give something.
    #[must_use]
    pub const fn can_pause(&self) -> bool {
        self.n_shown < self.held.len() && self.held.len() <= GLIMPSE
    }

    /// No more may come for a while; what of that which is held may be shown all the same: 3 bytes
    /// at most, such as the last letter of a prompt with which a secret begins too. Where it was
    /// one, its marker follows them.
    #[must_use]
    pub fn pause(&mut self) -> String {
        if !self.can_pause() {
            return String::new();
        }
        let shown = self.held.get(self.n_shown..).unwrap_or_default().to_owned();
        self.n_shown = self.held.len();
        shown
    }

    /// The text is over; what was held.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        self.finish_to(|part| shown += part.text());
        shown
    }

    /// The same, in parts as [`Stream::feed_to`] gives them.
    pub fn finish_to(&mut self, give: impl FnMut(Part<'_>)) {
        let (held, n_shown) = (std::mem::take(&mut self.held), std::mem::take(&mut self.n_shown));
        let known = self.redactor.known();
        let table = known.table();
        table.cover(&held, n_shown, &table.spans(&held), give);
    }

    /// Whether something is held.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }
}

/// Up to where nothing that follows can change what is shown.
fn safe(table: &Table, text: &str, spans: &[Span]) -> usize {
    let least = text.len().saturating_sub(table.longest);
    let starts = text.char_indices().map(|(at, _)| at).filter(|at| *at >= least);
    let begins = |at: &usize| text.get(*at..).is_some_and(|tail| is_begun(table, tail));
    let cut = starts.into_iter().find(begins).unwrap_or(text.len());
    // A place that is covered is covered as a whole.
    let within = spans.iter().find(|span| span.place.contains(&cut));
    within.map_or(cut, |span| span.place.start)
}

/// Whether a pattern begins with `tail`, and is longer.
fn is_begun(table: &Table, tail: &str) -> bool {
    let at = table.patterns.partition_point(|pattern| pattern.as_str() <= tail);
    table.patterns.get(at).is_some_and(|pattern| pattern.starts_with(tail))
}
