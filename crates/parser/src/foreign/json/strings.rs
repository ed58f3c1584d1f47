//! Keys, strings and words of JSON, piece by piece.

use alloc::string::String;

use crate::{
    RepairKind,
    chars::is_blank,
    input::{Input, Peek},
};

use super::{
    Piece, Token, Word,
    lexer::{Lexer, State, Step},
    quote::{Look, Spot, Verdict},
    text::{Escape, HALF, control, decoded, escape},
};

/// Longest key.
const LONGEST_KEY: usize = 4096;

impl Lexer {
    pub(super) fn in_key<'i>(
        &mut self,
        from: usize,
        quote: u8,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        loop {
            let found = input.find2(quote, b'\\', self.cursor);
            let at = found.unwrap_or_else(|| input.end());
            if at - from > LONGEST_KEY {
                return self.too_long(from);
            }
            if found.is_none() {
                self.cursor = at;
                self.state = State::InKey { from, quote };
                return Some(Step::Wait);
            }
            if input.byte(at) == Some(quote) {
                self.cursor = at;
                self.state = State::KeyQuote { from, look: Look::new(at), quote };
                return None;
            }
            if input.peek(at + 1) == Peek::More {
                self.cursor = at;
                self.state = State::InKey { from, quote };
                return Some(Step::Wait);
            }
            self.cursor = at + 2;
        }
    }

    /// A key, or a value without quotes, that is too long is none.
    const fn too_long<'i>(&mut self, from: usize) -> Option<Step<'i>> {
        self.cursor = from;
        self.state = State::Key;
        Some(Step::Stuck)
    }

    pub(super) fn key_quote<'i>(
        &mut self,
        from: usize,
        mut look: Look,
        quote: u8,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        match look.read(Spot::Key, input) {
            Verdict::More => {
                self.state = State::KeyQuote { from, look, quote };
                Some(Step::Wait)
            }
            Verdict::Ends | Verdict::EndsWithoutComma => {
                self.cursor = look.at + 1;
                self.state = State::Colon;
                self.mend_key(from..look.at, input);
                Some(Step::Token(Token::Key(decoded(input.slice(from..look.at)))))
            }
            Verdict::Data => {
                self.repair(RepairKind::InnerQuote, look.at..look.at + 1);
                self.cursor = look.at + 1;
                self.state = State::InKey { from, quote };
                None
            }
        }
    }

    /// Names what of a key JSON would write otherwise.
    fn mend_key(&mut self, key: core::ops::Range<usize>, input: &Input<'_>) {
        let mut at = key.start;
        while at < key.end {
            let (kind, n) = match input.byte(at) {
                Some(b'\\') => match escape(at, input) {
                    Escape::Char(_, n) => (None, n),
                    Escape::Half => (Some(RepairKind::InvalidEscape), HALF),
                    Escape::Literal { .. } | Escape::More => (Some(RepairKind::InvalidEscape), 1),
                },
                Some(..0x20) => (Some(RepairKind::RawControl), 1),
                Some(_) | None => (None, 1),
            };
            if let Some(kind) = kind {
                self.repair(kind, at..at + n);
            }
            at += n;
        }
    }

    /// A key without quotes, or with the closing one alone.
    pub(super) fn bare_key<'i>(
        &mut self,
        from: usize,
        is_dashed: bool,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        loop {
            match input.peek(self.cursor) {
                _ if self.cursor - from > LONGEST_KEY => return self.too_long(from),
                Peek::Byte(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') => {
                    self.cursor += 1;
                }
                Peek::More => {
                    self.state =
                        if is_dashed { State::DashKey { from } } else { State::BareKey { from } };
                    return Some(Step::Wait);
                }
                Peek::Byte(_) | Peek::Over => break,
            }
        }
        if is_dashed {
            self.state = State::MissingColon;
            self.repair(RepairKind::WrongSeparator, from - 2..self.cursor);
            return Some(Step::Token(Token::Key(input.slice(from..self.cursor).into())));
        }
        let key = String::from(input.slice(from..self.cursor));
        let is_half = input.byte(self.cursor) == Some(b'"');
        self.cursor += usize::from(is_half);
        let kind = if is_half { RepairKind::LostQuote } else { RepairKind::UnquotedName };
        self.repair(kind, from..self.cursor);
        self.state = State::Colon;
        Some(Step::Token(Token::Key(key)))
    }

    // [DJ5]
    pub(super) fn text<'i>(
        &mut self,
        quote: u8,
        is_literal: bool,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        let from = self.cursor;
        if self.clear_to <= from {
            self.clear_to = input.find2(quote, b'\\', from).unwrap_or_else(|| input.end());
        }
        let found = self.clear_to;
        let at = special(from..found, quote, input).unwrap_or(found);
        self.state = State::Text { quote, is_literal };
        if at > from {
            self.cursor = at;
            return Some(Step::Token(Token::Text(Piece::Run(input.slice(from..at)))));
        }
        match input.byte(at) {
            None => Some(Step::Wait),
            Some(b'\\') => self.backslash(quote, is_literal, input),
            Some(byte) if byte == quote => {
                self.state = State::Quote { look: Look::new(at), quote, is_literal };
                None
            }
            Some(b'"') => self.piece('"', "\\\""),
            Some(byte) => {
                self.repair(RepairKind::RawControl, at..at + 1);
                self.piece(char::from(byte), control(char::from(byte)))
            }
        }
    }

    pub(super) fn piece<'i>(&mut self, c: char, source: &'i str) -> Option<Step<'i>> {
        self.cursor += c.len_utf8();
        Some(Step::Token(Token::Text(Piece::Char(c, source))))
    }

    pub(super) fn backslash<'i>(
        &mut self,
        quote: u8,
        is_literal: bool,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        let at = self.cursor;
        if input.byte(at + 1) == Some(quote) && quote != b'"' {
            self.cursor += 2;
            return Some(Step::Token(Token::Text(Piece::Char(char::from(quote), "'"))));
        }
        match escape(at, input) {
            Escape::More => Some(Step::Wait),
            Escape::Char(c, n) if !is_literal || matches!(c, '"' | '\\') => {
                self.cursor += n;
                Some(Step::Token(Token::Text(Piece::Char(c, input.slice(at..at + n)))))
            }
            Escape::Half if !is_literal => {
                self.repair(RepairKind::InvalidEscape, at..at + HALF);
                self.cursor += HALF;
                let piece = Piece::Char(char::REPLACEMENT_CHARACTER, "\\ufffd");
                Some(Step::Token(Token::Text(piece)))
            }
            Escape::Char(..) | Escape::Half => self.piece('\\', "\\\\"),
            Escape::Literal { is_letter } => {
                self.repair(RepairKind::InvalidEscape, at..at + 1);
                self.state = State::Text { quote, is_literal: is_literal || is_letter };
                self.piece('\\', "\\\\")
            }
        }
    }

    pub(super) fn quote<'i>(
        &mut self,
        mut look: Look,
        quote: u8,
        is_literal: bool,
        input: &Input<'i>,
    ) -> Option<Step<'i>> {
        match look.read(self.spot(), input) {
            Verdict::More => {
                self.state = State::Quote { look, quote, is_literal };
                Some(Step::Wait)
            }
            verdict @ (Verdict::Ends | Verdict::EndsWithoutComma) => {
                self.cursor = look.at + 1;
                self.state =
                    if verdict == Verdict::Ends { State::Behind } else { State::MissingComma };
                Some(Step::Token(Token::TextEnd))
            }
            Verdict::Data => {
                self.repair(RepairKind::InnerQuote, look.at..look.at + 1);
                self.state = State::Text { quote, is_literal };
                self.piece(char::from(quote), if quote == b'"' { "\\\"" } else { "'" })
            }
        }
    }

    pub(super) fn word<'i>(&mut self, from: usize, input: &Input<'i>) -> Option<Step<'i>> {
        loop {
            match input.peek(self.cursor) {
                _ if self.cursor - from > LONGEST_KEY => return self.too_long(from),
                Peek::Byte(byte) if is_word(byte) => self.cursor += 1,
                Peek::Byte(_) => break,
                // A word that the reply ends with may have gone on.
                Peek::More | Peek::Over => {
                    self.state = State::Word { from };
                    return Some(Step::Wait);
                }
            }
        }
        let text = input.slice(from..self.cursor);
        let (word, repair) = match text {
            "True" => (Word::Json("true"), Some(RepairKind::PythonLiteral)),
            "False" => (Word::Json("false"), Some(RepairKind::PythonLiteral)),
            "None" => (Word::Json("null"), Some(RepairKind::PythonLiteral)),
            "true" | "false" | "null" => (Word::Json(text), None),
            _ if is_number(text) => (Word::Json(text), None),
            _ => (Word::Bare(text), Some(RepairKind::UnquotedName)),
        };
        if let Some(kind) = repair {
            self.repair(kind, from..self.cursor);
        }
        Some(Step::Token(Token::Word(word)))
    }
}

/// The first byte of a range that must be escaped and is not: a control character, or a double
/// quote in a string of single quotes.
fn special(range: core::ops::Range<usize>, quote: u8, input: &Input<'_>) -> Option<usize> {
    let from = range.start;
    let text = input.slice(range);
    let is_special = |byte: u8| byte < 0x20 || (byte == b'"' && quote != b'"');
    text.bytes().position(is_special).map(|n| from + n)
}

pub(super) const fn is_word(byte: u8) -> bool {
    !is_blank(byte)
        && (byte.is_ascii_alphanumeric()
            || matches!(byte, b'+' | b'-' | b'.' | b'_' | b'/' | b'$' | b'@' | b'%' | b'*' | b'~')
            || byte >= 0x80)
}

/// Whether a text is a number (RFC 8259, section 6).
pub(crate) fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_whole = is_digits(whole) && (whole.len() == 1 || !whole.starts_with('0'));
    let unsigned = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    is_whole && fraction.is_none_or(is_digits) && unsigned.is_none_or(is_digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
