//! Python strings and numbers: prefixes, escapes, and how a number is written in JSON.

use alloc::{borrow::Cow, format, string::String};

use crate::input::{Input, Peek};

use super::super::json::is_number;

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) byte: u8,
    pub(super) is_triple: bool,
    pub(super) is_raw: bool,
    pub(super) is_format: bool,
}

/// What stands where a string may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// A string, whose text begins there.
    Text(Quote, usize),
    Not,
    /// The chunk ends inside.
    More,
}

/// Reads a prefix and a quote.
pub(super) fn opening(at: usize, input: &Input<'_>) -> Opening {
    let (mut is_raw, mut is_format, mut end) = (false, false, at);
    loop {
        let byte = match input.peek(end) {
            Peek::Byte(byte) => byte,
            Peek::More => return Opening::More,
            Peek::Over => return Opening::Not,
        };
        match byte.to_ascii_lowercase() {
            b'\'' | b'"' => break,
            b'r' if end < at + 2 => is_raw = true,
            b'f' if end < at + 2 => is_format = true,
            b'b' | b'u' if end < at + 2 => {}
            _ => return Opening::Not,
        }
        end += 1;
    }
    let Some(byte) = input.byte(end) else { return Opening::Not };
    let quote = Quote { byte, is_triple: false, is_raw, is_format };
    match (input.peek(end + 1), input.peek(end + 2)) {
        (Peek::More, _) => Opening::More,
        (Peek::Byte(next), Peek::More) if next == byte => Opening::More,
        (Peek::Byte(next), Peek::Byte(last)) if next == byte && last == byte => {
            Opening::Text(Quote { is_triple: true, ..quote }, end + 3)
        }
        (Peek::Byte(_) | Peek::Over, _) => Opening::Text(quote, end + 1),
    }
}

/// Passes over a string, and tells whether its end was found.
pub(super) fn pass(from: usize, quote: Quote, input: &Input<'_>) -> (usize, bool) {
    let mut at = from;
    loop {
        let Some(found) = input.find2(quote.byte, b'\\', at) else { return (input.end(), false) };
        let is_end = input.byte(found) == Some(quote.byte);
        let n = if is_end && quote.is_triple { 3 } else { 2 };
        if (!is_end || quote.is_triple) && found + n > input.end() {
            return (found, false);
        }
        at = match (is_end, quote.is_triple) {
            (false, _) => found + 2,
            (true, false) => return (found + 1, true),
            (true, true) if input.run_of(quote.byte, found) >= 3 => return (found + 3, true),
            (true, true) => found + 1,
        };
    }
}

/// What a backslash begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// An escape of so many bytes.
    Char(char, usize),
    /// A line break that does not count, of so many bytes.
    Nothing(usize),
    /// No escape, though it looks like one: the backslash is text.
    Broken,
    /// The backslash is text.
    Literal,
    /// The chunk ends inside.
    More,
}

/// Reads what stands at a backslash.
/// `[DP5]`
pub(super) fn escape(at: usize, input: &Input<'_>) -> Escape {
    let byte = match input.peek(at + 1) {
        Peek::Byte(byte) => byte,
        Peek::More => return Escape::More,
        Peek::Over => return Escape::Literal,
    };
    let c = match byte {
        b'\\' | b'\'' | b'"' => char::from(byte),
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'v' => '\u{b}',
        b'\n' => return Escape::Nothing(2),
        b'\r' => return if_followed(at, input),
        b'0'..=b'7' => return octal(at, input),
        b'x' => return hex(at, 2, input),
        b'U' => return hex(at, 8, input),
        b'u' => return unicode(at, input),
        _ => return Escape::Literal,
    };
    Escape::Char(c, 2)
}

/// A carriage return belongs to the line feed behind it.
fn if_followed(at: usize, input: &Input<'_>) -> Escape {
    match input.peek(at + 2) {
        Peek::Byte(b'\n') => Escape::Nothing(3),
        Peek::More => Escape::More,
        Peek::Byte(_) | Peek::Over => Escape::Nothing(2),
    }
}

/// `\0` to `\777`.
fn octal(at: usize, input: &Input<'_>) -> Escape {
    let (mut code, mut n) = (0, 1);
    while n < 4 {
        match input.peek(at + n) {
            Peek::Byte(byte @ b'0'..=b'7') => code = code * 8 + u32::from(byte - b'0'),
            Peek::More => return Escape::More,
            Peek::Byte(_) | Peek::Over => break,
        }
        n += 1;
    }
    char::from_u32(code).map_or(Escape::Broken, |c| Escape::Char(c, n))
}

/// So many digits behind the letter.
fn hex(at: usize, n_digits: usize, input: &Input<'_>) -> Escape {
    let mut code: u32 = 0;
    for n in 0..n_digits {
        match input.peek(at + 2 + n) {
            Peek::Byte(byte) => match char::from(byte).to_digit(16) {
                Some(digit) => code = code.wrapping_mul(16).wrapping_add(digit),
                None => return Escape::Broken,
            },
            Peek::More => return Escape::More,
            Peek::Over => return Escape::Broken,
        }
    }
    char::from_u32(code).map_or(Escape::Broken, |c| Escape::Char(c, n_digits + 2))
}

/// `\uXXXX`; two of them are one character where JSON says so.
fn unicode(at: usize, input: &Input<'_>) -> Escape {
    use super::super::json::{Escape as Json, HALF, escape};
    match escape(at, input) {
        Json::Char(c, n) => Escape::Char(c, n),
        Json::Half => Escape::Char(char::REPLACEMENT_CHARACTER, HALF),
        Json::Literal { .. } => Escape::Broken,
        Json::More => Escape::More,
    }
}

/// A number as JSON writes it; `None` where it is none that JSON has.
pub(super) fn number(text: &str) -> Option<Cow<'_, str>> {
    if is_number(text) {
        return Some(Cow::Borrowed(text));
    }
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) if text.starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", text),
    };
    let is_grouped = digits != "." && digits.split('_').all(|group| !group.is_empty());
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let made = match based(&digits) {
        Some(value) => format!("{sign}{value}"),
        None => format!("{sign}{}", pointed(&digits)),
    };
    (is_grouped && is_number(&made)).then_some(Cow::Owned(made))
}

/// `0x1f`, `0o17` and `0b11`.
fn based(digits: &str) -> Option<u128> {
    let (base, digits) = match digits.get(..2)? {
        "0x" | "0X" => (16, digits.get(2..)?),
        "0o" | "0O" => (8, digits.get(2..)?),
        "0b" | "0B" => (2, digits.get(2..)?),
        _ => return None,
    };
    u128::from_str_radix(digits, base).ok()
}

/// With digits on both sides of the point.
fn pointed(digits: &str) -> String {
    let Some((whole, rest)) = digits.split_once('.') else { return digits.into() };
    let whole = if whole.is_empty() { "0" } else { whole };
    let zero = if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    format!("{whole}.{zero}{rest}")
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::number;

    #[track_caller]
    fn check(written: &str, expected: Option<&str>) {
        let made = number(written).map(String::from);
        assert_eq!(made.as_deref(), expected, "{written}");
    }

    #[test]
    fn numbers_are_written_as_json() {
        check("-0.5", Some("-0.5"));
        check("1_000", Some("1000"));
        check("+3", Some("3"));
        check("-.5", Some("-0.5"));
        check("5.", Some("5.0"));
        check("1.e5", Some("1.0e5"));
        check("-0x1F", Some("-31"));
        check("0b101", Some("5"));
        check("123456789012345678901234567890", Some("123456789012345678901234567890"));
    }

    #[test]
    fn what_json_has_no_number_for_is_none() {
        for written in ["007", "1__0", "_1", "1_", "1j", "-", "1.2.3", "0x", "1e", "."] {
            check(written, None);
        }
    }
}
