//! A scalar value as a stream: trimmed, then decoded once, with nothing taken back.

use alloc::string::String;

use crate::entity;

/// Turns the pieces of a scalar's source text into pieces of its value.
/// `[V2]`
#[derive(Debug)]
pub(crate) struct Scalar {
    /// Blanks that may be the last, or a reference that is not complete.
    held: String,
    is_started: bool,
    is_decoded: bool,
    limit: usize,
}

impl Scalar {
    /// `limit` bounds the blanks that are held; blanks beyond it count as text.
    pub(crate) const fn new(limit: usize) -> Self {
        Self { held: String::new(), is_started: false, is_decoded: true, limit }
    }

    /// A scalar in a CDATA section: what looks like an entity is none.
    /// `[C9]`
    pub(crate) fn verbatim(mut self) -> Self {
        self.is_decoded = false;
        self
    }

    /// Takes the next piece and hands on what is certain.
    pub(crate) fn push(&mut self, piece: &str, out: &mut dyn FnMut(&str)) {
        let piece = if self.is_started { piece } else { piece.trim_start() };
        if piece.is_empty() {
            return;
        }
        self.is_started = true;
        if piece.trim_start().is_empty() && !self.held.contains('&') {
            self.held.push_str(piece);
            return self.release_excess(out);
        }
        if self.held.is_empty() {
            return self.pass(piece, out);
        }
        let mut joined = core::mem::take(&mut self.held);
        joined.push_str(piece);
        self.pass(&joined, out);
    }

    /// Hands on all but the end that may still change, and keeps that.
    fn pass(&mut self, text: &str, out: &mut dyn FnMut(&str)) {
        let mut certain = text.trim_end();
        if self.is_decoded && certain.len() == text.len() {
            certain = before_open_reference(text);
            certain = if certain.len() == text.len() { certain } else { certain.trim_end() };
        }
        self.give(certain, out);
        self.held.push_str(text.get(certain.len()..).unwrap_or_default());
        self.release_excess(out);
    }

    fn give(&self, text: &str, out: &mut dyn FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        if self.is_decoded { out(&entity::decode(text)) } else { out(text) }
    }

    /// Blanks without end are text at last, so that they need no memory.
    fn release_excess(&mut self, out: &mut dyn FnMut(&str)) {
        let limit = self.limit.max(64);
        while self.held.len() > limit && self.held.len() - self.held.trim_start().len() > limit {
            let mut cut = limit;
            while !self.held.is_char_boundary(cut) {
                cut -= 1;
            }
            let rest = self.held.split_off(cut);
            let certain = core::mem::replace(&mut self.held, rest);
            out(&certain);
        }
    }

    /// The value is over: an incomplete reference is text, blanks at the end are none.
    pub(crate) fn finish(&mut self, out: &mut dyn FnMut(&str)) {
        let rest = core::mem::take(&mut self.held);
        let rest = rest.trim_end();
        self.give(rest, out);
    }
}

/// The text before a reference that is not complete at its end.
fn before_open_reference(text: &str) -> &str {
    let from = text.len().saturating_sub(entity::LONGEST);
    let tail = text.as_bytes().get(from..).unwrap_or_default();
    let Some(n) = memchr::memrchr(b'&', tail) else { return text };
    let name = tail.get(n + 1..).unwrap_or_default();
    let is_open = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    text.get(..from + n).filter(|_| is_open).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::Scalar;

    fn check(text: &str, value: &str) {
        for size in 1..=text.len() {
            let mut out = String::new();
            let mut scalar = Scalar::new(1024);
            let mut rest = text;
            while !rest.is_empty() {
                let mut cut = size.min(rest.len());
                while !rest.is_char_boundary(cut) {
                    cut += 1;
                }
                let (piece, behind) = rest.split_at(cut);
                scalar.push(piece, &mut |text| out.push_str(text));
                rest = behind;
            }
            scalar.finish(&mut |text| out.push_str(text));
            assert_eq!(out, value, "in pieces of {size}");
        }
    }

    #[test]
    fn pieces_do_not_show() {
        check("  a &amp; b  ", "a & b");
        check("\n&#32;x &lt&#9; ", " x &lt\t");
        check("a  \u{a0} b &", "a  \u{a0} b &");
        check(" \n ", "");
        check("&amp;amp; & & &am p;", "&amp; & & &am p;");
    }
}
