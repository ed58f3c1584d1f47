//! The inside of a JSON string: escapes, and what should have been one.

use alloc::string::String;

use crate::input::Input;

/// A piece of a string, with what it means and how it is written in valid JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'i> {
    /// Text without quotes, backslashes and control characters: both are the same.
    Run(&'i str),
    /// One character that is written as an escape.
    Char(char, &'i str),
    /// Text of another syntax, which JSON may have to escape.
    Text(&'i str),
    /// One character of another syntax.
    Plain(char),
}

impl<'i> Piece<'i> {
    /// Hands out what the piece means.
    /// `[DJ6]`
    pub(crate) fn decoded(self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Run(text) | Self::Text(text) => out(text),
            Self::Char(c, _) | Self::Plain(c) => out(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Hands out how the piece is written in JSON.
    pub(crate) fn written(self, out: &mut dyn FnMut(&str)) {
        match self {
            Self::Run(text) | Self::Char(_, text) => out(text),
            Self::Text(text) => escaped(text, out),
            Self::Plain(c) => escaped(c.encode_utf8(&mut [0; 4]), out),
        }
    }
}

/// How long `\uXXXX` is.
pub(crate) const HALF: usize = 6;

/// What a backslash begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// An escape of so many bytes.
    Char(char, usize),
    /// `\uXXXX` for one half of a character beyond the basic plane, without the other.
    Half,
    /// None: the backslash is text. Before a letter, the whole string was not escaped.
    Literal { is_letter: bool },
    /// The chunk ends inside.
    More,
}

/// Reads what stands at a backslash.
pub(crate) fn escape(at: usize, input: &Input<'_>) -> Escape {
    let Some(byte) = input.byte(at + 1) else {
        return if input.is_over() { Escape::Literal { is_letter: false } } else { Escape::More };
    };
    let c = match byte {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b'/' => char::from(byte),
        b'u' => return unicode(at, input),
        _ => return Escape::Literal { is_letter: byte.is_ascii_alphabetic() },
    };
    Escape::Char(c, 2)
}

/// `\uXXXX`, or two of them for one character beyond the basic plane.
fn unicode(at: usize, input: &Input<'_>) -> Escape {
    let first = match unit(at, input) {
        Unit::Is(unit) => unit,
        Unit::More => return Escape::More,
        Unit::Not => return Escape::Literal { is_letter: true },
    };
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first).map_or(Escape::Half, |c| Escape::Char(c, HALF));
    }
    match (input.byte(at + 6), input.byte(at + 7)) {
        (Some(b'\\'), Some(b'u')) => {}
        (None, _) | (Some(b'\\'), None) if !input.is_over() => return Escape::More,
        _ => return Escape::Half,
    }
    match unit(at + 6, input) {
        Unit::More => Escape::More,
        Unit::Is(second) if (0xdc00..0xe000).contains(&second) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            Escape::Char(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        Unit::Is(_) | Unit::Not => Escape::Half,
    }
}

enum Unit {
    Is(u32),
    Not,
    More,
}

/// The four digits behind `\u`.
fn unit(at: usize, input: &Input<'_>) -> Unit {
    let mut unit = 0;
    for n in 2..6 {
        let digit = match input.byte(at + n) {
            Some(byte) => char::from(byte).to_digit(16),
            None if input.is_over() => None,
            None => return Unit::More,
        };
        match digit {
            Some(digit) => unit = unit * 16 + digit,
            None => return Unit::Not,
        }
    }
    Unit::Is(unit)
}

/// How a control character is escaped (RFC 8259, section 7).
pub(crate) fn control(c: char) -> &'static str {
    const NAMES: [&str; 32] = [
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b", "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011",
        "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019",
        "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
    ];
    NAMES.get(c as usize).copied().unwrap_or("\\ufffd")
}

/// Hands out a text as it is written between quotes.
pub(crate) fn escaped(text: &str, out: &mut dyn FnMut(&str)) {
    for piece in text.split_inclusive(|c: char| c < ' ' || c == '"' || c == '\\') {
        let (run, last) = piece.char_indices().next_back().map_or((piece, None), |(at, c)| {
            let is_special = c < ' ' || c == '"' || c == '\\';
            if is_special { (piece.get(..at).unwrap_or_default(), Some(c)) } else { (piece, None) }
        });
        out(run);
        match last {
            Some('"') => out("\\\""),
            Some('\\') => out("\\\\"),
            Some(c) => out(control(c)),
            None => {}
        }
    }
}

/// What the inside of a string means (RFC 8259, section 7). What is no escape stays as it is.
pub(crate) fn decoded(written: &str) -> String {
    let input = Input::new(written, 0, true);
    let (mut text, mut at) = (String::with_capacity(written.len()), 0);
    while let Some(slash) = input.find1(b'\\', at) {
        text.push_str(input.slice(at..slash));
        let (c, n) = match escape(slash, &input) {
            Escape::Char(c, n) => (c, n),
            Escape::Half => (char::REPLACEMENT_CHARACTER, HALF),
            Escape::Literal { .. } | Escape::More => ('\\', 1),
        };
        text.push(c);
        at = slash + n;
    }
    text.push_str(input.rest(at));
    text
}
