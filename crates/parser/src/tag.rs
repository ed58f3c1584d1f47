//! Reads tags byte by byte, so that a chunk may end anywhere inside.

use core::ops::Range;

use crate::{
    chars::{is_blank, is_name, is_name_start, is_same_name},
    dialect::{BARRED, BRACKETS, PIPED, Sentinel},
    input::{Input, Peek},
};

/// Most blanks between `<` and a name.
const MOST_BLANKS: usize = 64;

/// A bar of full width.
const WIDE_BAR: &str = "\u{ff5c}";

/// The start of a CDATA section.
pub(crate) const CDATA: &str = "<![CDATA[";

/// How reading went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read<T> {
    /// The chunk is over inside.
    More,
    /// The reply is over inside.
    Cut,
    /// It is none; reading goes on there.
    Not(usize),
    /// It is one.
    Done(T),
}

/// What a `<` begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `<name` or `</name`, up to the byte behind the name.
    Tag(Head),
    /// `<![CDATA[`.
    Cdata(Range<usize>),
    /// `<!--`.
    Comment(Range<usize>),
}

/// The beginning of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) at: usize,
    pub(crate) is_end: bool,
    /// A blank stands before the name.
    pub(crate) is_loose: bool,
    /// What stands before the name, other than a namespace.
    pub(crate) sentinel: Sentinel,
    pub(crate) name: Range<usize>,
}

impl Head {
    /// Whether what follows the name may follow a name of this kind of tag.
    /// `[B2]`
    pub(crate) fn is_bounded(&self, input: &Input<'_>) -> bool {
        match input.byte(self.name.end) {
            Some(b'>') => true,
            Some(b'/') => !self.is_end,
            Some(_) => input.blank_at(self.name.end) > 0,
            None => false,
        }
    }
}

/// Reads up to the end of a name.
#[derive(Clone, Debug)]
pub(crate) struct HeadReader {
    at: usize,
    /// Where the `<` stands.
    open: usize,
    /// It was begun at the bracket before the `<`.
    is_at_bracket: bool,
    /// How far before the cursor was looked.
    looked_at: usize,
    cursor: usize,
    is_end: bool,
    is_loose: bool,
    sentinel: Sentinel,
    name: Option<usize>,
    longest: usize,
}

impl HeadReader {
    /// A reader for the `<` at this position, and names up to `longest` bytes.
    pub(crate) const fn new(at: usize, longest: usize) -> Self {
        Self {
            at,
            open: at,
            is_at_bracket: false,
            looked_at: at,
            cursor: at + 1,
            is_end: false,
            is_loose: false,
            sentinel: Sentinel::None,
            name: None,
            longest,
        }
    }

    /// A reader for the `<` or the bracket before one at this position.
    pub(crate) fn at_mark(at: usize, longest: usize, input: &Input<'_>) -> Self {
        let is_at_bracket = input.byte(at) == Some(b']');
        Self { is_at_bracket, ..Self::new(at, longest) }
    }

    /// Where the tag would begin.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Behind the `<`, where text goes on if no tag begins.
    pub(crate) const fn behind(&self) -> usize {
        self.open + 1
    }

    /// The last position that was looked at.
    pub(crate) fn looked_at(&self) -> usize {
        self.looked_at.max(self.cursor)
    }

    /// The name so far, for a reply that ends inside.
    pub(crate) fn fragment(&self) -> (bool, Range<usize>) {
        (self.is_end, self.name.unwrap_or(self.cursor)..self.cursor)
    }

    pub(crate) fn read(&mut self, input: &Input<'_>) -> Read<Mark> {
        loop {
            let byte = match input.peek(self.cursor) {
                Peek::Byte(byte) => byte,
                Peek::More => return Read::More,
                Peek::Over => return Read::Cut,
            };
            let step = match self.name {
                Some(name) => self.in_name(name, byte, input),
                None => self.before_name(byte, input),
            };
            if let Some(read) = step {
                return read;
            }
        }
    }

    // [B4]
    fn before_name(&mut self, byte: u8, input: &Input<'_>) -> Option<Read<Mark>> {
        match byte {
            _ if self.is_at_bracket => return self.bracketed(input),
            b'/' if !self.is_end => {
                self.is_end = true;
                self.cursor += 1;
            }
            b'!' if self.cursor == self.open + 1 => return Some(self.declaration(input)),
            _ if is_name_start(byte) => self.name = Some(self.cursor),
            b'|' | 0xef if self.sentinel == Sentinel::None => return self.barred(input),
            b']' if self.cursor == self.open + 1 => return self.bracketed(input),
            _ if input.blank_at(self.cursor) > 0 && self.cursor - self.open <= MOST_BLANKS => {
                self.is_loose |= self.sentinel == Sentinel::None;
                self.cursor += input.blank_at(self.cursor);
            }
            _ => return Some(Read::Not(self.open + 1)),
        }
        None
    }

    // [L2]
    /// A word between bars.
    fn barred(&mut self, input: &Input<'_>) -> Option<Read<Mark>> {
        let mut probe = Probe { input, looked_at: self.looked_at };
        let found = probe.barred(self.cursor);
        self.looked_at = probe.looked_at;
        match found {
            Ok((n, end)) => {
                (self.sentinel, self.cursor) = (Sentinel::Barred(n), end);
                None
            }
            Err(Miss::Unknown) => Some(Read::More),
            Err(Miss::Other) => Some(Read::Not(self.open + 1)),
        }
    }

    /// The brackets around the `<` of a tag.
    fn bracketed(&mut self, input: &Input<'_>) -> Option<Read<Mark>> {
        let is_at_bracket = core::mem::take(&mut self.is_at_bracket);
        let from = self.open + usize::from(is_at_bracket);
        let mut probe = Probe { input, looked_at: self.looked_at };
        let found = probe.word(BRACKETS, from);
        self.looked_at = probe.looked_at;
        match found {
            Err(Miss::Unknown) => {
                self.is_at_bracket = is_at_bracket;
                return Some(Read::More);
            }
            Err(Miss::Other) => return Some(Read::Not(self.open + 1)),
            Ok(_) => {}
        }
        (self.sentinel, self.open) = (Sentinel::Brackets, from);
        self.cursor = from + BRACKETS.len();
        if !is_at_bracket && input.char_before(self.at) == Some(']') {
            self.at -= 1;
        }
        None
    }

    fn in_name(&mut self, name: usize, byte: u8, input: &Input<'_>) -> Option<Read<Mark>> {
        if is_name(byte) {
            let most = self.longest.saturating_sub(self.cursor - name).saturating_add(1);
            self.cursor = input.name_end(self.cursor, most);
            return (self.cursor - name > self.longest).then_some(Read::Not(self.cursor));
        }
        let name = name..self.cursor;
        if byte == b'|'
            && self.sentinel == Sentinel::None
            && let Some(n) = piped(input.slice(name.clone()))
        {
            (self.sentinel, self.name) = (Sentinel::Piped(n), None);
            self.cursor += 1;
            return None;
        }
        let Self { at, is_end, is_loose, sentinel, .. } = *self;
        Some(Read::Done(Mark::Tag(Head { at, is_end, is_loose, sentinel, name })))
    }

    fn declaration(&mut self, input: &Input<'_>) -> Read<Mark> {
        let comment = input.matched("<!--", self.open);
        let cdata = input.matched(CDATA, self.open);
        self.cursor = self.open + comment.max(cdata);
        if comment == 4 {
            return Read::Done(Mark::Comment(self.open..self.open + 4));
        }
        if cdata == CDATA.len() {
            return Read::Done(Mark::Cdata(self.open..self.open + CDATA.len()));
        }
        match input.peek(self.cursor) {
            Peek::More => {
                self.cursor = self.open + 1;
                Read::More
            }
            Peek::Byte(_) | Peek::Over => Read::Not(self.open + 1),
        }
    }
}

/// Which word with a bar behind this is.
fn piped(name: &str) -> Option<u8> {
    let n = PIPED.iter().position(|it| is_same_name(it, name))?;
    u8::try_from(n).ok()
}

/// Why something was not read.
enum Miss {
    /// The chunk is over inside.
    Unknown,
    /// Something else stands there.
    Other,
}

/// Compares words, and knows how far it had to look.
struct Probe<'a, 'i> {
    input: &'a Input<'i>,
    looked_at: usize,
}

impl Probe<'_, '_> {
    /// Behind the word, if it stands here.
    fn word(&mut self, word: &str, at: usize) -> Result<usize, Miss> {
        let n = self.input.matched(word, at);
        self.looked_at = self.looked_at.max(at + n.min(word.len() - 1));
        match self.input.peek(at + n) {
            _ if n == word.len() => Ok(at + n),
            Peek::More => Err(Miss::Unknown),
            Peek::Byte(_) | Peek::Over => Err(Miss::Other),
        }
    }

    /// Which word between bars stands here, and where it ends.
    fn barred(&mut self, at: usize) -> Result<(u8, usize), Miss> {
        let from = self.bars(at)?;
        for (n, word) in (0..).zip(BARRED) {
            match self.word(word, from) {
                Ok(end) => return Ok((n, self.bars(end)?)),
                Err(Miss::Unknown) => return Err(Miss::Unknown),
                Err(Miss::Other) => {}
            }
        }
        Err(Miss::Other)
    }

    /// Behind one or two bars.
    fn bars(&mut self, at: usize) -> Result<usize, Miss> {
        let first = self.bar(at)?;
        match self.bar(first) {
            Ok(second) => Ok(second),
            Err(Miss::Other) => Ok(first),
            Err(Miss::Unknown) => Err(Miss::Unknown),
        }
    }

    /// Behind one bar.
    fn bar(&mut self, at: usize) -> Result<usize, Miss> {
        match self.word("|", at) {
            Err(Miss::Other) => self.word(WIDE_BAR, at),
            found => found,
        }
    }
}

/// A whole tag inside a value, where its attributes do not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Light {
    pub(crate) head: Head,
    /// A start tag that is its own end.
    pub(crate) is_closed: bool,
    /// Behind `>`.
    pub(crate) end: usize,
}

/// Reads from behind a name to `>`.
#[derive(Clone, Debug)]
pub(crate) struct LightReader {
    head: Head,
    cursor: usize,
}

impl LightReader {
    pub(crate) const fn new(head: Head) -> Self {
        let cursor = head.name.end;
        Self { head, cursor }
    }

    pub(crate) const fn head(&self) -> &Head {
        &self.head
    }

    /// The last position that was looked at.
    pub(crate) const fn looked_at(&self) -> usize {
        self.cursor
    }

    pub(crate) fn read(&mut self, input: &Input<'_>) -> Read<Light> {
        if self.head.is_end { self.read_end(input) } else { self.read_start(input) }
    }

    fn read_end(&mut self, input: &Input<'_>) -> Read<Light> {
        self.cursor = input.skip_blanks(self.cursor);
        match input.peek(self.cursor) {
            Peek::Byte(b'>') => self.done(self.cursor, false),
            Peek::Byte(_) => Read::Not(self.head.name.end),
            Peek::More => Read::More,
            Peek::Over => Read::Cut,
        }
    }

    fn read_start(&mut self, input: &Input<'_>) -> Read<Light> {
        let found = input.find2(b'<', b'>', self.cursor);
        self.cursor = found.unwrap_or_else(|| input.end());
        match found {
            Some(at) if input.byte(at) == Some(b'>') => {
                self.done(at, at > self.head.name.end && input.byte(at - 1) == Some(b'/'))
            }
            Some(at) => Read::Not(at),
            None if input.is_over() => Read::Cut,
            None => Read::More,
        }
    }

    fn done(&self, at: usize, is_closed: bool) -> Read<Light> {
        Read::Done(Light { head: self.head.clone(), is_closed, end: at + 1 })
    }
}

/// An attribute as it stands in the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawAttribute {
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) quote: Option<u8>,
}

/// A whole start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartTag {
    pub(crate) head: Head,
    /// The word behind `=`, directly after the name.
    pub(crate) designator: Option<Range<usize>>,
    pub(crate) attributes: alloc::vec::Vec<RawAttribute>,
    /// It is its own end.
    pub(crate) is_closed: bool,
    /// It ends with an equals sign instead of `>`.
    pub(crate) is_broken: bool,
    /// Behind `>`.
    pub(crate) end: usize,
}

impl StartTag {
    /// Without attributes, up to this position.
    pub(crate) const fn bare(head: Head, end: usize) -> Self {
        let attributes = alloc::vec::Vec::new();
        Self { head, designator: None, attributes, is_closed: false, is_broken: false, end }
    }
}

/// Whether a byte ends an unquoted word.
pub(crate) const fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'>' | b'<')
}
