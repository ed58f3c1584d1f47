//! A text cut at everything that may divide commands, without knowing the grammar.

use std::ops::Range;

/// Pieces between operators outside quotes: of `a "b; c" && $(d)` these are `a "b; c"`, `$` and `d`.
/// Redirections become blanks.
pub(crate) fn segments(text: &str) -> Vec<String> {
    let mut cutter = Cutter { pieces: Vec::new(), piece: String::new(), quote: None };
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        let next = rest.peek().copied();
        if it == '\\' && cutter.quote != Some('\'') {
            cutter.piece.push(it);
            cutter.piece.extend(rest.next());
        } else {
            cutter.take(it, next);
        }
    }
    cutter.cut();
    cutter.pieces
}

/// The text without these ranges of bytes, which ascend.
pub(crate) fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut start = 0;
    for range in ranges {
        out.push_str(text.get(start..range.start).unwrap_or_default());
        start = range.end.max(start);
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out
}

/// The text as if it held no quotes and no escapes.
pub(crate) fn unquoted(text: &str) -> String {
    text.replace("\\n", "\n").replace(['\'', '"', '\\'], "").replace(',', " ")
}

struct Cutter {
    pieces: Vec<String>,
    piece: String,
    quote: Option<char>,
}

impl Cutter {
    fn take(&mut self, it: char, next: Option<char>) {
        // Behind `$` too: `${ a; }` runs `a` in newer shells.
        let is_block = match it {
            '{' => next.is_none_or(char::is_whitespace),
            '}' => self.piece.is_empty() || self.piece.ends_with(char::is_whitespace),
            _ => false,
        };
        match self.quote {
            // Substitutions run inside double quotes too.
            Some('"') if it == '`' || (it == '(' && self.piece.ends_with('$')) => {
                self.cut_in_quote()
            }
            Some(quote) => {
                self.piece.push(it);
                if it == quote {
                    self.quote = None;
                }
            }
            None if matches!(it, ';' | '|' | '&' | '\n' | '(' | ')' | '`') => self.cut(),
            None if is_block && !self.is_in_parameter() => self.cut(),
            None if matches!(it, '<' | '>') => self.piece.push(' '),
            None => {
                if matches!(it, '\'' | '"') {
                    self.quote = Some(it);
                }
                self.piece.push(it);
            }
        }
    }

    fn is_in_parameter(&self) -> bool {
        self.piece
            .rfind("${")
            .is_some_and(|start| self.piece.get(start..).is_some_and(|text| !text.contains('}')))
    }

    fn cut(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        if !piece.trim().is_empty() {
            self.pieces.push(piece);
        }
    }

    fn cut_in_quote(&mut self) {
        self.cut();
        self.quote = None;
    }
}
