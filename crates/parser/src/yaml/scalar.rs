//! Scalars: plain, in quotes, and in blocks of lines.

use alloc::string::String;

use crate::input::{Input, Peek};

/// A plain scalar in the rest of its line, without a comment.
pub(super) fn plain(line: &str) -> &str {
    let text = line.split(" #").next().unwrap_or_default();
    text.trim()
}

/// The text of a scalar in quotes.
pub(super) fn quoted(source: &str) -> Option<String> {
    if let Some(inner) = source.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
        return Some(inner.replace("''", "'"));
    }
    let inner = source.strip_prefix('"').and_then(|it| it.strip_suffix('"'))?;
    Some(crate::foreign::decoded(inner))
}

/// How the lines of a block become a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Lines are joined by blanks.
    is_folded: bool,
    chomp: Chomp,
    /// How much more than the key its lines are indented, where that is said.
    indent: Option<usize>,
}

/// Which line breaks at the end of a block count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chomp {
    None,
    One,
    All,
}

impl Header {
    /// Reads `|`, `>-`, `|2+` and the like.
    pub(super) fn read(line: &str) -> Option<Self> {
        let line = plain(line);
        let (is_folded, marks) = match line.strip_prefix('|') {
            Some(marks) => (false, marks),
            None => (true, line.strip_prefix('>')?),
        };
        let (mut chomp, mut indent) = (Chomp::One, None);
        for mark in marks.chars() {
            match mark {
                '-' => chomp = Chomp::None,
                '+' => chomp = Chomp::All,
                '1'..='9' => indent = mark.to_digit(10).and_then(|n| usize::try_from(n).ok()),
                _ => return None,
            }
        }
        Some(Self { is_folded, chomp, indent })
    }
}

/// A block scalar that is read.
#[derive(Debug)]
pub(super) struct Block {
    header: Header,
    /// How far its key is indented.
    key_indent: usize,
    /// How far its lines are indented, once that is known.
    indent: Option<usize>,
    /// Where the present line starts.
    line: usize,
    /// Behind the blanks that were read of it.
    cursor: usize,
    limit: usize,
    /// Whether the present line's text has begun.
    is_in_text: bool,
    /// Line breaks that count if more text follows.
    n_breaks: usize,
    has_text: bool,
    /// The last line began with blanks of its own, so that it is not folded.
    is_apart: bool,
}

impl Block {
    /// `limit` bounds the blanks that are held; blanks beyond it count as text.
    pub(super) fn new(header: Header, line: usize, key_indent: usize, limit: usize) -> Self {
        let indent = header.indent.map(|n| n + key_indent);
        let (is_in_text, has_text, is_apart) = (false, false, false);
        let (cursor, n_breaks) = (line, 0);
        Self {
            header,
            key_indent,
            indent,
            line,
            cursor,
            is_in_text,
            n_breaks,
            has_text,
            is_apart,
            limit,
        }
    }

    /// The first byte that must stay in memory.
    pub(super) const fn needs(&self) -> usize {
        self.line
    }

    /// Reads on, and hands out what is certain. `Some`: the line there is no part of it.
    pub(super) fn read(
        &mut self,
        scan: &mut usize,
        input: &Input<'_>,
        out: &mut String,
    ) -> Option<usize> {
        loop {
            if !self.is_in_text && !self.begin_line(scan, input, out)? {
                return Some(self.line);
            }
            let found = input.find1(b'\n', *scan);
            let end = found.unwrap_or_else(|| input.end());
            // A carriage return may be the first half of a line break, which is read as `\n`
            // (YAML 1.2.2, section 5.4).
            let text = input.slice(*scan..end);
            let text = text.strip_suffix('\r').unwrap_or(text);
            out.push_str(text);
            *scan += text.len();
            self.line = *scan;
            found?;
            *scan = end + 1;
            self.line = *scan;
            self.is_in_text = false;
            self.n_breaks = 1;
        }
    }

    /// Reads the indentation of a line. `Some(false)`: the line is no part; `None`: that is not
    /// known yet.
    fn begin_line(
        &mut self,
        scan: &mut usize,
        input: &Input<'_>,
        out: &mut String,
    ) -> Option<bool> {
        loop {
            self.cursor = input.skip_blanks_of_line(self.cursor.max(self.line));
            let at = self.cursor;
            let is_beyond = at - self.line > self.limit;
            match input.peek(at) {
                Peek::Byte(b'\n') if !is_beyond => {
                    self.n_breaks += 1;
                    self.line = at + 1;
                }
                Peek::More | Peek::Over if !is_beyond => return None,
                Peek::Byte(_) | Peek::More | Peek::Over => {
                    let width = self.width(at, input).min(self.limit + 1);
                    if width < self.indent.unwrap_or(self.key_indent + 1) {
                        return Some(false);
                    }
                    let indent = *self.indent.get_or_insert(width);
                    self.join(width > indent, out);
                    *scan = self.line + indent;
                    self.is_in_text = true;
                    return Some(true);
                }
            }
        }
    }

    /// How far the line is indented whose blanks end there. Blanks beyond ASCII are text.
    fn width(&self, end: usize, input: &Input<'_>) -> usize {
        let blanks = input.slice(self.line..end);
        blanks.bytes().position(|byte| !byte.is_ascii()).unwrap_or(blanks.len())
    }

    /// What stands between the last line and the next.
    fn join(&mut self, is_apart: bool, out: &mut String) {
        let n = core::mem::take(&mut self.n_breaks);
        let is_folded = self.header.is_folded && self.has_text && !is_apart && !self.is_apart;
        match (is_folded, n) {
            (true, 1) => out.push(' '),
            (true, n) => out.extend(core::iter::repeat_n('\n', n.saturating_sub(1))),
            (false, n) => out.extend(core::iter::repeat_n('\n', n)),
        }
        (self.has_text, self.is_apart) = (true, is_apart);
    }

    /// What counts of the line breaks at the end.
    pub(super) fn rest(&self) -> String {
        let n = match self.header.chomp {
            Chomp::None => 0,
            Chomp::One => usize::from(self.has_text && self.n_breaks > 0),
            Chomp::All => self.n_breaks,
        };
        "\n".repeat(n)
    }
}
