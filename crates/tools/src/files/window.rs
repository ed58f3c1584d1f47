//! Some lines of a text, numbered, in bounded memory and bounded length.

use std::{
    fmt::Write as _,
    io::{self, BufRead},
};

/// Longest line that is shown, in bytes; the rest of it is counted.
const LINE: usize = 2_000;
/// How far is read on to count the lines behind the last shown one, in bytes.
const COUNTED: u64 = 64 * 1024 * 1024;

/// Which lines are wanted, from 1, and how many bytes they may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) budget: usize,
}

/// The lines that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    /// Lines as `7 | text`, each with a line break.
    pub(crate) shown: String,
    /// Number of the last shown line; 0 if none is.
    pub(crate) last: u64,
    /// Lines of the whole text, where it was read to its end.
    pub(crate) total: Option<u64>,
    /// Lines read.
    pub(crate) n_read: u64,
    /// Some line was too long.
    pub(crate) is_line_cut: bool,
}

/// Reads the wanted lines. Costs the bytes up to the last of them, and up to 64 MiB more for
/// counting the rest; memory is bounded by the budget and one line.
pub(crate) fn read(source: &mut dyn BufRead, wanted: Wanted) -> io::Result<Window> {
    let mut scan =
        Scan { window: Window::default(), wanted, line: Line::default(), is_full: false };
    let mut n_behind = 0_u64;
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            scan.end();
            return Ok(scan.window);
        }
        let n = bytes.len();
        scan.feed(bytes);
        source.consume(n);
        if scan.is_full {
            n_behind += n as u64;
        }
        if n_behind > COUNTED {
            return Ok(scan.window);
        }
    }
}

struct Scan {
    window: Window,
    wanted: Wanted,
    line: Line,
    is_full: bool,
}

/// The line that is being read: its start, and its whole length.
#[derive(Default)]
struct Line {
    kept: Vec<u8>,
    len: usize,
}

impl Scan {
    fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            self.push(line);
            self.finish_line();
            rest = after.get(1..).unwrap_or_default();
        }
        self.push(rest);
    }

    fn push(&mut self, bytes: &[u8]) {
        let line = &mut self.line;
        line.len += bytes.len();
        let room = LINE.saturating_sub(line.kept.len());
        line.kept.extend(bytes.iter().take(room));
    }

    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.window.n_read += 1;
        let n = self.window.n_read;
        if n > self.wanted.to {
            self.is_full = true;
        }
        if self.is_full || n < self.wanted.from {
            return;
        }
        let text = render(n, &line);
        // One line is always shown, so that reading on makes progress.
        let is_first = self.window.shown.is_empty();
        if !is_first && self.window.shown.len() + text.len() > self.wanted.budget {
            self.is_full = true;
            return;
        }
        self.window.shown.push_str(&text);
        self.window.last = n;
        self.window.is_line_cut |= line.len > LINE;
    }

    fn end(&mut self) {
        if self.line.len > 0 {
            self.finish_line();
        }
        self.window.total = Some(self.window.n_read);
    }
}

fn render(n: u64, line: &Line) -> String {
    let kept = if line.len > LINE { whole_chars(&line.kept) } else { &line.kept };
    let kept_text = String::from_utf8_lossy(kept);
    let text = kept_text.strip_suffix('\r').unwrap_or(&kept_text);
    let mut shown = format!("{n} | {text}");
    if line.len > LINE {
        let n_cut = line.len - kept.len();
        let _ = write!(shown, " [{n_cut} more bytes of this line]");
    }
    shown.push('\n');
    shown
}

/// Without the bytes of a character that was cut at the end.
fn whole_chars(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).unwrap_or(bytes)
        }
        Ok(_) | Err(_) => bytes,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, (from, to, budget): (u64, u64, usize), expected: Expect) {
        let window = read(&mut text.as_bytes(), Wanted { from, to, budget }).unwrap();
        let Window { shown, last, total, .. } = window;
        expected.assert_eq(&format!("{shown}last {last} total {total:?}\n"));
    }

    #[test]
    fn lines_are_numbered_from_one() {
        check(
            "a\nb\n",
            (1, 9, 99),
            expect![[r#"
            1 | a
            2 | b
            last 2 total Some(2)
        "#]],
        );
        check(
            "a\r\n\nc",
            (2, 3, 99),
            expect![[r#"
            2 | 
            3 | c
            last 3 total Some(3)
        "#]],
        );
        check(
            "",
            (1, 9, 99),
            expect![[r#"
            last 0 total Some(0)
        "#]],
        );
    }

    #[test]
    fn a_small_budget_still_shows_one_line() {
        check(
            "first line\nsecond line\nthird",
            (1, 9, 12),
            expect![[r#"
            1 | first line
            last 1 total Some(3)
        "#]],
        );
    }

    #[test]
    fn a_long_line_is_cut_and_counted() {
        let text = format!("x{}", "é".repeat(1_001));
        let window = read(&mut text.as_bytes(), Wanted { from: 1, to: 1, budget: 1 }).unwrap();
        assert!(window.shown.ends_with("é [4 more bytes of this line]\n"), "{}", window.shown);
        assert!(window.is_line_cut);
    }

    proptest! {
        #[test]
        fn where_the_source_is_cut_does_not_matter(text in "[aé\n\r]{0,80}", size in 1_usize..20) {
            let wanted = Wanted { from: 1, to: u64::MAX, budget: 1_000 };
            let mut cut = io::BufReader::with_capacity(size, text.as_bytes());
            let whole = read(&mut text.as_bytes(), wanted).unwrap();
            prop_assert_eq!(&read(&mut cut, wanted).unwrap(), &whole);
            prop_assert_eq!(whole.total, Some(text.lines().count() as u64));
        }
    }
}
