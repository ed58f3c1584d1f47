//! The window of the reply that is in memory, addressed by positions in the whole reply.

use core::{cell::Cell, ops::Range};

use memchr::memmem::Finder;

use crate::{
    chars::{is_blank, is_name},
    skim::Skim,
};

/// What stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peek {
    /// This byte.
    Byte(u8),
    /// Nothing yet: the chunk is over.
    More,
    /// Nothing: the reply is over.
    Over,
}

/// The text in memory: what an earlier chunk left undecided, and the present chunk.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    text: &'a str,
    base: usize,
    is_over: Cell<bool>,
    visits: Cell<u64>,
}

impl<'a> Input<'a> {
    pub(crate) const fn new(text: &'a str, base: usize, is_over: bool) -> Self {
        Self { text, base, is_over: Cell::new(is_over), visits: Cell::new(0) }
    }

    /// The position of the first byte in memory.
    pub(crate) const fn base(&self) -> usize {
        self.base
    }

    /// The position behind the last byte in memory.
    pub(crate) const fn end(&self) -> usize {
        self.base + self.text.len()
    }

    /// Whether the reply ends with this window.
    pub(crate) const fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Changes whether the reply ends here.
    pub(crate) fn set_over(&self, is_over: bool) {
        self.is_over.set(is_over);
    }

    /// How many bytes were looked at.
    pub(crate) const fn visits(&self) -> u64 {
        self.visits.get()
    }

    fn visit(&self, n: usize) {
        self.visits.set(self.visits.get() + n as u64);
    }

    /// The text of a range; empty where it is not in memory.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a str {
        let start = range.start.saturating_sub(self.base);
        let end = range.end.saturating_sub(self.base);
        self.text.get(start..end).unwrap_or_default()
    }

    fn from(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at.saturating_sub(self.base)..).unwrap_or_default()
    }

    pub(crate) fn peek(&self, at: usize) -> Peek {
        match self.byte(at) {
            Some(byte) => Peek::Byte(byte),
            None if self.is_over() => Peek::Over,
            None => Peek::More,
        }
    }

    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.visit(1);
        self.text.as_bytes().get(at.checked_sub(self.base)?).copied()
    }

    /// The first position at or behind `from` that `search` finds.
    fn find(&self, from: usize, search: impl FnOnce(&[u8]) -> Option<usize>) -> Option<usize> {
        let bytes = self.from(from);
        let found = search(bytes);
        self.visit(found.map_or(bytes.len(), |n| n + 1));
        found.map(|n| from + n)
    }

    /// The first position at or behind `from` where something a body is skimmed for may begin.
    pub(crate) fn skim(&self, skim: &mut Skim, ends: &Finder<'_>, from: usize) -> Option<usize> {
        self.find(from, |bytes| skim.find(ends, from, bytes))
    }

    pub(crate) fn find1(&self, a: u8, from: usize) -> Option<usize> {
        self.find(from, |bytes| memchr::memchr(a, bytes))
    }

    pub(crate) fn find2(&self, a: u8, b: u8, from: usize) -> Option<usize> {
        self.find(from, |bytes| memchr::memchr2(a, b, bytes))
    }

    pub(crate) fn find3(&self, a: u8, b: u8, c: u8, from: usize) -> Option<usize> {
        self.find(from, |bytes| memchr::memchr3(a, b, c, bytes))
    }

    /// How many bytes the blank at this position has; 0 where there is none.
    pub(crate) fn blank_at(&self, at: usize) -> usize {
        match self.byte(at) {
            Some(byte) if is_blank(byte) => 1,
            Some(0xc2) if self.byte(at + 1) == Some(0xa0) => 2,
            Some(_) | None => 0,
        }
    }

    /// The first position at or behind `from` without a blank, or the window's end.
    pub(crate) fn skip_blanks(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.blank_at(at) {
                0 => return at,
                n => at += n,
            }
        }
    }

    /// As [`Self::skip_blanks`], but stops at a line break.
    pub(crate) fn skip_blanks_of_line(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.blank_at(at) {
                n if n > 0 && self.byte(at) != Some(b'\n') => at += n,
                _ => return at,
            }
        }
    }

    /// Whether the range holds nothing but blanks.
    pub(crate) fn is_blank(&self, range: Range<usize>) -> bool {
        self.skip_blanks(range.start) >= range.end
    }

    /// How often `byte` repeats from this position on.
    pub(crate) fn run_of(&self, byte: u8, from: usize) -> usize {
        let n = self.from(from).iter().take_while(|&&it| it == byte).count();
        self.visit(n + 1);
        n
    }

    /// Where a name that goes on here ends, after at most `most` bytes.
    pub(crate) fn name_end(&self, from: usize, most: usize) -> usize {
        let n = self.from(from).iter().take(most).take_while(|&&byte| is_name(byte)).count();
        self.visit(n);
        from + n
    }

    /// Whether `word` stands here, whatever its letter case; `None` while the chunk ends inside.
    pub(crate) fn has_word(&self, word: &str, at: usize) -> Option<bool> {
        for (n, expected) in word.bytes().enumerate() {
            match self.peek(at + n) {
                Peek::Byte(byte) if byte.eq_ignore_ascii_case(&expected) => {}
                Peek::More => return None,
                Peek::Byte(_) | Peek::Over => return Some(false),
            }
        }
        Some(true)
    }

    /// The bytes from here on; a few of them will be looked at.
    pub(crate) fn bytes(&self, at: usize) -> &'a [u8] {
        let bytes = self.from(at);
        self.visit(bytes.len().min(4));
        bytes
    }

    /// The last position up to this one where a character begins.
    pub(crate) fn floor(&self, at: usize) -> usize {
        let mut n = at.saturating_sub(self.base).min(self.text.len());
        while !self.text.is_char_boundary(n) {
            n -= 1;
        }
        self.base + n
    }

    /// How many bytes of `word` stand here, whatever their letter case.
    pub(crate) fn matched(&self, word: &str, at: usize) -> usize {
        let is_same = |(byte, expected): &(&u8, u8)| byte.eq_ignore_ascii_case(expected);
        let n = self.from(at).iter().zip(word.bytes()).take_while(is_same).count();
        self.visit(n + 1);
        n
    }

    /// The character before a position; `None` where it is not in memory.
    pub(crate) fn char_before(&self, at: usize) -> Option<char> {
        self.visit(1);
        self.text.get(..at.checked_sub(self.base)?)?.chars().next_back()
    }

    /// The rest of the window.
    pub(crate) fn rest(&self, from: usize) -> &'a str {
        self.text.get(from.saturating_sub(self.base)..).unwrap_or_default()
    }
}

impl Input<'_> {
    /// Counts what was looked at in a part of the window.
    pub(crate) fn add_visits(&self, n: u64) {
        self.visit(usize::try_from(n).unwrap_or(usize::MAX));
    }
}
