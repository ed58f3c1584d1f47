//! Skims over a body: where nothing is held back, only tags of the block's own name and the marks of
//! sections can matter, and most of the text can be seen at once to hold neither.

use memchr::memmem::Finder;

use crate::{
    cdata::{Cdata, END},
    chars::is_name_start,
    value::Value,
};

/// How many places are looked at together; two more bytes behind them are seen.
const PLACES: usize = 64;
const LANES: usize = 16;

/// Text up to this length is compared place by place.
const SHORT: usize = 16;

/// How far is looked ahead of what may be the end of a section.
const NEAR: usize = 128;

/// What matters in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skim {
    /// The lower-case letter that every name of the block begins with.
    letter: u8,
    section: Option<Ends>,
}

/// What is known of the ends of sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    /// The first one behind what was skimmed.
    next: Option<usize>,
    /// None begins before this position but that one.
    to: usize,
}

impl Skim {
    /// For these names; `None` where they begin with several letters.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut letters = names.map(|name| name.bytes().next().map_or(0, |byte| byte | 0x20));
        let letter = letters.next().filter(|&letter| is_name_start(letter))?;
        letters.all(|other| other == letter).then_some(Self { letter, section: None })
    }

    /// For a section, whose own marks matter too.
    pub(crate) fn in_section(self) -> Self {
        Self { section: Some(Ends::default()), ..self }
    }

    /// Whether these are enough bytes of a mark to see that it does not matter.
    pub(crate) const fn is_dull(self, bytes: &[u8]) -> bool {
        match *bytes {
            [b'<', b, c, ..] => !self.may_begin(b'<', b, c),
            [b'<', b] => b | 0x20 != self.letter && !is_gap(b),
            _ => false,
        }
    }

    /// Whether a mark is dull that begins in one chunk and goes on in the next, and its bytes begin
    /// no other.
    pub(crate) fn is_dull_across(&self, bytes: &[u8], next: &[u8]) -> bool {
        let mut mark = [0; 3];
        let all = bytes.iter().chain(next);
        let n = mark.iter_mut().zip(all).map(|(to, byte)| *to = *byte).count();
        let [_, rest @ ..] = mark;
        let is_dull = mark.get(..n).is_some_and(|mark| self.is_dull(mark));
        bytes.len() < 3 && is_dull && !rest.iter().any(|&byte| byte == b'<' || byte == b']')
    }

    /// How far a short text holds nothing that matters: up to its end, or up to a `<` of which too
    /// little is there. `None` where something may matter.
    pub(crate) fn passes(&self, bytes: &[u8]) -> Option<usize> {
        let bracket = if self.section.is_some() { b']' } else { b'<' };
        // Without a branch for each byte, so that many are looked at with one instruction.
        let is_mark = |byte: u8| u8::from((byte == b'<') | (byte == bracket));
        if bytes.iter().fold(0, |any, &byte| any | is_mark(byte)) == 0 {
            return Some(bytes.len());
        }
        for n in memchr::memchr2_iter(b'<', bracket, bytes) {
            match bytes.get(n..)? {
                [b']', b']', third, ..] if *third != b'>' => {}
                [b']', second, ..] if *second != b']' => {}
                rest if self.is_dull(rest) => {}
                [b'<'] | [b'<', _] => return Some(n),
                _ => return None,
            }
        }
        Some(bytes.len())
    }

    /// How far from its start the text of a window, which stands at `from`, holds nothing that
    /// matters: up to where that may begin, or is not all seen. `ends` finds ends of sections.
    pub(crate) fn find(&mut self, ends: &Finder<'_>, from: usize, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..)?;
            let end = self.section.as_mut().and_then(|known| known.find(ends, from + at, rest));
            let seen = end.and_then(|end| rest.get(..end + 2)).unwrap_or(rest);
            match (self.tag(seen), end) {
                (Some(tag), _) => return Some(at + tag),
                (None, None) => return None,
                (None, Some(end)) => match self.void(rest.get(end + END.len()..)) {
                    Some(n) => at += end + END.len() + n,
                    None => return Some(at + end),
                },
            }
        }
    }

    /// Behind the next `<`, if that is soon and shows that what stands before it ends no section.
    fn void(&self, behind: Option<&[u8]>) -> Option<usize> {
        let behind = behind?;
        let near = behind.get(..NEAR).unwrap_or(behind);
        let n = memchr::memchr(b'<', near)?;
        self.is_dull(near.get(n..)?).then_some(n + 1)
    }

    fn tag(&self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(seen) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            if self.may_hold(seen) {
                break;
            }
            at += PLACES;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let is_mark = |n: usize| (!self.is_dull(rest.get(n..)?)).then_some(n);
        memchr::memchr_iter(b'<', rest).find_map(is_mark).map(|n| at + n)
    }

    /// Whether something that matters may begin at any of the places.
    fn may_hold(self, seen: &[u8; PLACES + 2]) -> bool {
        let mut lanes = [0; LANES];
        for from in [0, LANES, 2 * LANES, 3 * LANES] {
            if let Some(row) = seen.get(from..).and_then(|rest| rest.first_chunk()) {
                self.look(row, &mut lanes);
            }
        }
        lanes.iter().fold(0, |any, lane| any | lane) != 0
    }

    /// Looks at a row of places. No branch depends on the text, and each lane is for itself, so
    /// that one instruction looks at all of them.
    fn look(self, row: &[u8; LANES + 2], lanes: &mut [u8; LANES]) {
        for (lane, &[a, b, c]) in lanes.iter_mut().zip(row.array_windows()) {
            *lane |= u8::from(self.may_begin(a, b, c));
        }
    }

    /// Whether something that matters may begin with these bytes: `<w`, `</w`, `< w`, `<![`.
    const fn may_begin(self, a: u8, b: u8, c: u8) -> bool {
        let is_named = (b | 0x20 == self.letter) | (is_gap(b) & self.may_follow(c));
        (a == b'<') & is_named
    }

    /// Whether a byte may follow one between `<` and a name.
    const fn may_follow(self, byte: u8) -> bool {
        let is_blank = byte.cast_signed() <= 0x20;
        (byte | 0x20 == self.letter) | is_blank | (byte == b'/') | (byte == b'[')
    }
}

/// Whether a byte may stand between `<` and a name: a slash, a part of a blank, or little else, so
/// that one comparison tells.
const fn is_gap(byte: u8) -> bool {
    byte.cast_signed() < 0x30
}

impl Value {
    /// How to skim over what follows: where nothing of what was seen still counts.
    pub(crate) fn skim(&mut self) -> Option<&mut Skim> {
        let is_fresh = self.is_fresh();
        self.skim.as_mut().filter(|_| is_fresh)
    }

    pub(crate) fn is_fresh(&self) -> bool {
        self.rule.is_fresh() && self.cdata.as_ref().is_none_or(Cdata::is_fresh)
    }

    /// Whether a mark that skimming passes over means nothing here either.
    pub(crate) fn is_skimmed(&self) -> bool {
        self.rule.is_fresh() && self.cdata.as_ref().is_none_or(Cdata::has_no_end)
    }
}

impl Ends {
    /// The next end in a window, or the beginning of one that the window cuts.
    fn find(&mut self, ends: &Finder<'_>, from: usize, bytes: &[u8]) -> Option<usize> {
        if self.next.is_none_or(|next| next < from) {
            let unseen = self.to.saturating_sub(from);
            let found = bytes.get(unseen..).and_then(|rest| match rest.len() {
                // A search that must be set up does not pay.
                ..SHORT => rest.windows(END.len()).position(|it| it == END.as_bytes()),
                _ => ends.find(rest),
            });
            self.next = found.map(|n| from + unseen + n);
            let end = from + bytes.len().saturating_sub(END.len() - 1);
            self.to = self.next.map_or(end, |next| next + 1);
        }
        match (self.next, bytes) {
            (Some(next), _) => Some(next - from),
            (None, [rest @ .., b']', b']']) => Some(rest.len()),
            (None, [rest @ .., b']']) => Some(rest.len()),
            (None, _) => None,
        }
    }
}
