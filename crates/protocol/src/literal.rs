//! Reads a value as JSON writes it, or as Python does: `'a'`, `True`, `None`, `(1, 2)`, a comma
//! before a closing bracket.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use crate::{Typed, number, typed::last_of_each};

/// Most brackets within each other: what reads JSON elsewhere stops at 128.
const DEPTH_MAX: usize = 120;

/// What a value begins as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Text,
    Word,
    Array,
    Object,
}

/// A value without quotes and brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    Null,
    Boolean(bool),
    /// In JSON's syntax.
    Number(&'a str),
}

/// Reads values one behind the other. After a `None` nothing more can be read.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How many brackets are open.
    pub(crate) depth: usize,
    /// Whether everything so far was JSON, so that it means the same to everybody.
    pub(crate) is_json: bool,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self::within(text, 0)
    }

    /// A reader of what stands within so many brackets already.
    pub(crate) const fn within(text: &'a str, depth: usize) -> Self {
        Self { text, at: 0, depth, is_json: true }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_ascii_start().len();
    }

    /// Steps over a byte, if it stands behind the blanks here.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let is_there = self.rest().as_bytes().first() == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Whether nothing follows but blanks.
    pub(crate) fn is_over(&mut self) -> bool {
        self.blanks();
        self.rest().is_empty()
    }

    /// Steps over the blanks before a value, and says what it begins as.
    pub(crate) fn start(&mut self) -> Option<Start> {
        self.blanks();
        Some(match self.rest().as_bytes().first()? {
            b'"' | b'\'' => Start::Text,
            b'[' | b'(' => Start::Array,
            b'{' => Start::Object,
            _ => Start::Word,
        })
    }

    /// Steps over a value, and gives its source.
    pub(crate) fn skip(&mut self) -> Option<&'a str> {
        let start = self.start()?;
        let skipped = self.with_source(|it| match start {
            Start::Text => it.string().map(drop),
            Start::Word => it.word().map(drop),
            Start::Array => it.array(&mut |it| it.skip().map(drop)),
            Start::Object => it.object(&mut |it, _| it.skip().map(drop)),
        });
        skipped.map(|(_, source)| source)
    }

    /// What is read, and its source.
    pub(crate) fn with_source<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(T, &'a str)> {
        let from = self.at;
        let read = read(self)?;
        Some((read, self.text.get(from..self.at)?))
    }

    pub(crate) fn value(&mut self) -> Option<Typed> {
        Some(match self.start()? {
            Start::Text => Typed::Text(self.string()?),
            Start::Word => self.word()?.into(),
            Start::Array => {
                let mut items = Vec::new();
                self.array(&mut |it| it.value().map(|item| items.push(item)))?;
                Typed::Array(items)
            }
            Start::Object => {
                let mut members = Vec::new();
                self.object(&mut |it, name| it.value().map(|value| members.push((name, value))))?;
                Typed::object(members)
            }
        })
    }

    /// Reads an array; `item` reads each of its values.
    pub(crate) fn array(&mut self, item: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let is_tuple = self.take(b'(');
        if !is_tuple && !self.take(b'[') {
            return None;
        }
        self.is_json &= !is_tuple;
        let close = if is_tuple { b')' } else { b']' };
        let n_commas = self.items(close, item)?;
        // One value in parentheses is that value.
        (!is_tuple || n_commas != Some(0)).then_some(())
    }

    /// Reads an object; `member` is told each name and reads its value.
    pub(crate) fn object(
        &mut self,
        member: &mut dyn FnMut(&mut Self, String) -> Option<()>,
    ) -> Option<()> {
        if !self.take(b'{') {
            return None;
        }
        let mut one = |it: &mut Self| {
            it.blanks();
            let name = it.string()?;
            if it.take(b':') { member(it, name) } else { None }
        };
        self.items(b'}', &mut one).map(drop)
    }

    /// Reads up to a closing bracket, and counts the commas; `None` within: there is no item.
    fn items(
        &mut self,
        close: u8,
        item: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<Option<usize>> {
        if self.take(close) {
            return Some(None);
        }
        self.depth += 1;
        let mut n_commas = 0;
        loop {
            if self.depth > DEPTH_MAX {
                return None;
            }
            item(self)?;
            let is_comma = self.take(b',');
            n_commas += usize::from(is_comma);
            if self.take(close) {
                self.is_json &= !is_comma;
                self.depth -= 1;
                return Some(Some(n_commas));
            }
            if !is_comma {
                return None;
            }
        }
    }

    pub(crate) fn word(&mut self) -> Option<Word<'a>> {
        let rest = self.rest();
        let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.' | '_');
        let word = rest.get(..rest.find(|it| !is_part(it)).unwrap_or(rest.len()))?;
        self.at += word.len();
        let python = match word {
            "null" => return Some(Word::Null),
            "true" => return Some(Word::Boolean(true)),
            "false" => return Some(Word::Boolean(false)),
            "None" => Word::Null,
            "True" => Word::Boolean(true),
            "False" => Word::Boolean(false),
            _ => return number::lexeme(word).filter(|it| *it == word).map(Word::Number),
        };
        self.is_json = false;
        Some(python)
    }

    /// Reads a text in either kind of quotes, and decodes it.
    pub(crate) fn string(&mut self) -> Option<String> {
        let quote = self.rest().chars().next().filter(|it| matches!(it, '"' | '\''))?;
        self.is_json &= quote == '"';
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let n = rest.find([quote, '\\'])?;
            let plain = rest.get(..n)?;
            self.is_json &= !plain.bytes().any(|it| it < b' ');
            out.push_str(plain);
            self.at += n + 1;
            if rest.get(n..)?.starts_with(quote) {
                return Some(out);
            }
            self.escape(&mut out)?;
        }
    }

    /// Reads what stands behind a backslash.
    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        let decoded = match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => match self.unicode() {
                Some(c) => c,
                None => return self.odd_escape(c, out),
            },
            _ => return self.odd_escape(c, out),
        };
        out.push(decoded);
        Some(())
    }

    /// An escape of Python's, or a backslash that stands for itself.
    fn odd_escape(&mut self, c: char, out: &mut String) -> Option<()> {
        self.is_json = false;
        match c {
            '\'' => out.push(c),
            '\n' => (),
            'a' => out.push('\u{7}'),
            'v' => out.push('\u{b}'),
            'x' => match self.hex(2).and_then(char::from_u32) {
                Some(c) => out.push(c),
                None => out.push_str("\\x"),
            },
            'U' => match self.hex(8).and_then(char::from_u32) {
                Some(c) => out.push(c),
                None => out.push_str("\\U"),
            },
            other => out.extend(['\\', other]),
        }
        Some(())
    }

    /// Four digits, or twice four for one character beyond the basic plane. Half of such a
    /// character is no character.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex(4)?;
        let behind = self.at;
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.hex(4).filter(|it| (0xdc00..0xe000).contains(it));
            if let Some(second) = second {
                return char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
            self.at = behind;
        }
        Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// A number of exactly so many hexadecimal digits.
    fn hex(&mut self, n_digits: usize) -> Option<u32> {
        let digits = self.rest().get(..n_digits)?;
        let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        self.at += n_digits;
        Some(number)
    }
}

impl From<Word<'_>> for Typed {
    fn from(word: Word<'_>) -> Self {
        match word {
            Word::Null => Self::Null,
            Word::Boolean(it) => Self::Boolean(it),
            Word::Number(lexeme) => Self::Number(lexeme.to_owned()),
        }
    }
}

/// The value that a text is, and nothing else beside it.
pub(crate) fn read(text: &str) -> Option<Typed> {
    let mut reader = Reader::new(text);
    let value = reader.value()?;
    reader.is_over().then_some(value)
}

/// The text that a text is in quotes.
pub(crate) fn unquoted(text: &str) -> Option<String> {
    let mut reader = Reader::new(text);
    reader.blanks();
    let text = reader.string()?;
    reader.is_over().then_some(text)
}

/// The sources of an array's values, if the text is an array.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text);
    let mut items = Vec::new();
    reader.array(&mut |it| it.skip().map(|item| items.push(item)))?;
    reader.is_over().then_some(items)
}

/// The names of an object with the sources of their values, if the text is an object.
pub(crate) fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let mut reader = Reader::new(text);
    let mut members = Vec::new();
    reader.object(&mut |it, name| it.skip().map(|value| members.push((name, value))))?;
    reader.is_over().then(|| last_of_each(members))
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expected: Expect) {
        let lines = texts.iter().map(|text| {
            let mut reader = Reader::new(text);
            match reader.value().filter(|_| reader.is_over()) {
                Some(value) if reader.is_json => format!("{text} is {value}\n"),
                Some(value) => format!("{text} is {value}, not JSON\n"),
                None => format!("{text} is none\n"),
            }
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn json_is_read_with_every_digit() {
        check(
            &[
                r#" {"a": [1, 2.50, -0], "b": {"c": null, "d": true}, "e": ""} "#,
                r#"[9007199254740993, 1e400, 0.1234567890123456789]"#,
                r#"{"a":1,"b":2,"a":3}"#,
                "[]",
                "{ }",
                r#""\u0052iga \ud83c\udf27 \/ \"""#,
                r#""\ud83c""#,
                r#""\ud83c\u0041""#,
            ],
            expect![[r#"
                 {"a": [1, 2.50, -0], "b": {"c": null, "d": true}, "e": ""}  is {"a":[1,2.50,-0],"b":{"c":null,"d":true},"e":""}
                [9007199254740993, 1e400, 0.1234567890123456789] is [9007199254740993,1e400,0.1234567890123456789]
                {"a":1,"b":2,"a":3} is {"a":3,"b":2}
                [] is []
                { } is {}
                "\u0052iga \ud83c\udf27 \/ \"" is "Riga 🌧 / \""
                "\ud83c" is "�"
                "\ud83c\u0041" is "�A"
            "#]],
        );
    }

    #[test]
    fn python_is_read_too() {
        check(
            &[
                "['a', \"b\", True, False, None]",
                "{'k': None, 'n': (1, 2), 'e': ()}",
                "(1)",
                "(1,)",
                "[1, 2,]",
                r"'it\'s \x41 \U0001f600 \a \d \x4'",
                "'a\nb'",
                "{'it': 'he said \"x\"'}",
            ],
            expect![[r#"
                ['a', "b", True, False, None] is ["a","b",true,false,null], not JSON
                {'k': None, 'n': (1, 2), 'e': ()} is {"k":null,"n":[1,2],"e":[]}, not JSON
                (1) is none
                (1,) is [1], not JSON
                [1, 2,] is [1,2], not JSON
                'it\'s \x41 \U0001f600 \a \d \x4' is "it's A 😀 \u0007 \\d \\x4", not JSON
                'a
                b' is "a\nb", not JSON
                {'it': 'he said "x"'} is {"it":"he said \"x\""}, not JSON
            "#]],
        );
    }

    #[test]
    fn nothing_else_is_read() {
        check(
            &[
                "[1 2]",
                "[1",
                "[,]",
                "{a: 1}",
                "{\"a\" 1}",
                "{1: 2}",
                "[1]]",
                "[007]",
                "[1_000]",
                "[+1]",
                "[.5]",
                "[NaN]",
                "[undefined]",
                "'a",
                "\"a\\",
                "",
                " ",
                "nullx",
                "[1,,2]",
                "// x\n1",
                "é",
            ],
            expect![[r#"
                [1 2] is none
                [1 is none
                [,] is none
                {a: 1} is none
                {"a" 1} is none
                {1: 2} is none
                [1]] is none
                [007] is none
                [1_000] is none
                [+1] is none
                [.5] is none
                [NaN] is none
                [undefined] is none
                'a is none
                "a\ is none
                 is none
                  is none
                nullx is none
                [1,,2] is none
                // x
                1 is none
                é is none
            "#]],
        );
    }

    #[test]
    fn brackets_are_counted_up_to_a_limit() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(read(&nested(DEPTH_MAX)).is_some());
        assert!(read(&nested(DEPTH_MAX + 2)).is_none());
        assert!(read(&"[".repeat(1_000_000)).is_none());
        assert!(read(&r#"{"a":"#.repeat(1_000_000)).is_none());
    }
}
