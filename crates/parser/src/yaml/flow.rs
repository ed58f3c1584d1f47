//! Lists and maps in brackets, as JSON; and where they, or a scalar in quotes, end.

use alloc::{string::String, vec::Vec};

use crate::input::Input;

/// The search for the end of a value that closes itself.
#[derive(Debug)]
pub(super) struct Scan {
    cursor: usize,
    depth: usize,
    /// The quote that is open.
    quote: Option<u8>,
    is_closed: bool,
    behind: usize,
}

impl Scan {
    pub(super) const fn new(at: usize) -> Self {
        Self { cursor: at, depth: 0, quote: None, is_closed: false, behind: 0 }
    }

    /// Behind what was looked at; at last, behind the value.
    pub(super) const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Behind the blanks behind the value.
    pub(super) fn behind(&mut self, input: &Input<'_>) -> usize {
        self.behind = input.skip_blanks_of_line(self.behind.max(self.cursor));
        self.behind
    }

    /// Reads on. `false`: the chunk is over.
    pub(super) fn read(&mut self, input: &Input<'_>) -> bool {
        if self.is_closed {
            return true;
        }
        while let Some(byte) = input.byte(self.cursor) {
            match (self.quote, byte) {
                (Some(b'"'), b'\\') => {
                    if input.byte(self.cursor + 1).is_none() {
                        return false;
                    }
                    self.cursor += 1;
                }
                (Some(b'\''), b'\'') => match input.byte(self.cursor + 1) {
                    Some(b'\'') => self.cursor += 1,
                    None if !input.is_over() => return false,
                    Some(_) | None => self.quote = None,
                },
                (Some(quote), _) if quote == byte => self.quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => self.quote = Some(byte),
                (None, b'[' | b'{') => self.depth += 1,
                (None, b']' | b'}') => self.depth = self.depth.saturating_sub(1),
                (None, _) => {}
            }
            self.cursor += 1;
            if self.quote.is_none() && self.depth == 0 {
                self.is_closed = true;
                return true;
            }
        }
        false
    }
}

/// A list or map in brackets as JSON; `None` where it is none.
pub(super) fn json(source: &str, depth_limit: usize) -> Option<String> {
    let mut writer = Writer { out: String::new(), open: Vec::new(), is_value_due: true };
    let mut rest = source.trim();
    while !rest.is_empty() {
        let first = rest.bytes().next()?;
        let n = match first {
            b'[' | b'{' => {
                writer.open(first, depth_limit)?;
                1
            }
            b']' | b'}' => {
                writer.close(first)?;
                1
            }
            b',' => {
                writer.comma()?;
                1
            }
            b':' => {
                writer.colon()?;
                1
            }
            b' ' | b'\t' | b'\n' | b'\r' => 1,
            _ => {
                let n = token(rest);
                writer.scalar(rest.get(..n)?.trim())?;
                n
            }
        };
        rest = rest.get(n..)?;
    }
    writer.open.is_empty().then_some(writer.out)
}

/// How long the scalar at the start of a text is.
fn token(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let mut at = 1;
            while let Some(&byte) = bytes.get(at) {
                at += 1;
                match byte {
                    b'\\' if *quote == b'"' => at += 1,
                    b'\'' if *quote == b'\'' && bytes.get(at) == Some(&b'\'') => at += 1,
                    byte if byte == *quote => break,
                    _ => {}
                }
            }
            at.min(bytes.len())
        }
        _ => {
            let ends = |(at, byte): (usize, &u8)| match byte {
                b',' | b']' | b'}' | b'[' | b'{' | b'\n' => true,
                b':' => matches!(bytes.get(at + 1), Some(b' ' | b'\n') | None),
                _ => false,
            };
            bytes.iter().enumerate().position(ends).unwrap_or(bytes.len())
        }
    }
}

/// Writes JSON.
struct Writer {
    out: String,
    open: Vec<u8>,
    is_value_due: bool,
}

impl Writer {
    fn open(&mut self, bracket: u8, depth_limit: usize) -> Option<()> {
        if !self.is_value_due || self.open.len() >= depth_limit {
            return None;
        }
        self.open.push(bracket);
        self.out.push(char::from(bracket));
        Some(())
    }

    fn close(&mut self, bracket: u8) -> Option<()> {
        let open = self.open.pop()?;
        let fits = matches!((open, bracket), (b'[', b']') | (b'{', b'}'));
        if self.out.ends_with([',', ':']) {
            self.out.push_str("null");
        }
        self.out.push(char::from(bracket));
        self.is_value_due = false;
        fits.then_some(())
    }

    fn comma(&mut self) -> Option<()> {
        self.open.last()?;
        self.is_value_due = true;
        self.out.push(',');
        Some(())
    }

    fn colon(&mut self) -> Option<()> {
        if *self.open.last()? != b'{' {
            return None;
        }
        self.is_value_due = true;
        self.out.push(':');
        Some(())
    }

    fn scalar(&mut self, text: &str) -> Option<()> {
        if !self.is_value_due {
            return None;
        }
        self.is_value_due = false;
        let is_key = self.open.last() == Some(&b'{') && !self.out.ends_with(':');
        if is_key {
            write_text(&mut self.out, text)
        } else {
            write_scalar(&mut self.out, text)
        }
        Some(())
    }
}

/// A scalar: what JSON has a word for as that word, else as a string.
pub(super) fn write_scalar(out: &mut String, text: &str) {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => out.push_str("null"),
        "true" | "True" | "TRUE" => out.push_str("true"),
        "false" | "False" | "FALSE" => out.push_str("false"),
        _ if is_number(text) => out.push_str(text),
        _ => write_text(out, text),
    }
}

/// A string, from a scalar with or without quotes.
pub(super) fn write_text(out: &mut String, text: &str) {
    match super::scalar::quoted(text) {
        Some(text) => write_string(out, &text),
        None => write_string(out, text),
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                let digit = |n: u32| char::from_digit(n & 15, 16).unwrap_or('0');
                out.push_str("\\u00");
                out.extend([digit(u32::from(c) >> 4), digit(u32::from(c))]);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Whether a text is a number in JSON (RFC 8259, section 6).
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let n = digits(text);
    if n == 0 || (n > 1 && text.starts_with('0')) {
        return false;
    }
    let mut rest = text.get(n..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix('.') {
        let n = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = fraction.get(n..).unwrap_or_default();
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let n = digits(exponent);
        return n > 0 && n == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::json;

    #[track_caller]
    fn check(source: &str, expected: Option<&str>) {
        assert_eq!(json(source, 8).as_deref(), expected, "{source}");
    }

    #[test]
    fn brackets_become_json() {
        check(
            "[a, 'b, c', \"d\", 1, 01, true, ~]",
            Some("[\"a\",\"b, c\",\"d\",1,\"01\",true,null]"),
        );
        check(
            "{a: 1, b: [x], 'c d': http://e}",
            Some("{\"a\":1,\"b\":[\"x\"],\"c d\":\"http://e\"}"),
        );
        check("[]", Some("[]"));
        check("[a, b}", None);
        check("[a b, c", None);
    }

    #[test]
    fn nesting_is_bounded() {
        check(&"[".repeat(9), None);
        check("[[[[[[[[]]]]]]]]", Some("[[[[[[[[]]]]]]]]"));
    }
}
