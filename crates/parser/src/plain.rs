//! What is only text at the first look: line breaks and `<` that begin nothing, which is most of
//! them. They are passed without leaving the state of text.

use crate::{
    chars::{is_blank, is_name_start},
    input::Input,
    machine::Machine,
    ticks::Line,
};

/// The longest word at the beginning of a line that is looked at.
const LONGEST_WORD: usize = 16;

/// How far was looked for something, so that no byte is looked at for it twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sought {
    /// Between the present position and this one it does not stand.
    to: usize,
    /// It stands here.
    is_found: bool,
}

impl Sought {
    /// The first position at or behind `from` where it stands.
    pub(crate) fn find(
        &mut self,
        from: usize,
        input: &Input<'_>,
        search: impl FnOnce(usize) -> Option<usize>,
    ) -> Option<usize> {
        if self.to < from || !self.is_found {
            let found = search(self.to.max(from));
            (self.to, self.is_found) = (found.unwrap_or_else(|| input.end()), found.is_some());
        }
        self.is_found.then_some(self.to)
    }
}

impl Machine {
    /// The next byte that may begin something.
    pub(crate) fn find_sign(&mut self, input: &Input<'_>) -> Option<usize> {
        let sign = self.sign.find(self.scan, input, |from| input.find3(b'<', b'`', b'\n', from));
        let to = sign.unwrap_or_else(|| input.end());
        let bracket = self.bracket.find(self.scan, input, |from| input.find1(b'[', from));
        bracket.filter(|at| *at < to).or(sign)
    }

    /// Passes a byte that may begin something, if what follows shows that it does not.
    pub(crate) fn pass_plain(&mut self, at: usize, input: &Input<'_>) -> bool {
        match *input.bytes(at) {
            [b'\n', b'\n', ref line @ ..] if self.is_plain_line(line) => self.begin_line(at + 2),
            [b'\n', ref line @ ..] if self.is_plain_line(line) => self.begin_line(at + 1),
            [b'<', ref behind @ ..] if self.is_plain_mark(behind) => {
                self.line.is_blank = false;
                self.scan = at + 1;
            }
            _ => return false,
        }
        true
    }

    fn begin_line(&mut self, at: usize) {
        self.line = Line::default();
        self.scan = at;
    }

    /// Whether a line that begins with these bytes has no beginning that matters: most lines of
    /// prose.
    fn is_plain_line(&self, line: &[u8]) -> bool {
        let [first, second, ..] = *line else { return false };
        if self.is_beginning || self.is_keyed || self.is_routed || !first.is_ascii_alphabetic() {
            return false;
        }
        let may_be_key = matches!(first, b'A' | b't' | b'T' | b'f');
        (!may_be_key && !self.names.may_begin(first, second)) || begins_with_plain_word(line)
    }

    /// Whether these bytes behind `<` begin no tag that means something here.
    fn is_plain_mark(&self, behind: &[u8]) -> bool {
        match *behind {
            [b'/', first, second, ..] if is_name_start(first) => {
                self.wrappers.is_empty() && !self.names.may_begin(first, second)
            }
            // An element that is not registered counts at the start of a line.
            [first, second, ..] if is_name_start(first) => {
                !self.line.is_blank && !self.names.may_begin(first, second)
            }
            [b' ', first, second, ..] if is_name_start(first) => {
                !self.names.may_begin(first, second)
            }
            [b' ', first, ..] => !is_blank(first) && !is_name_start(first) && is_dull(first),
            [first, ..] => !is_blank(first) && !is_name_start(first) && is_dull(first),
            [] => false,
        }
    }
}

/// Whether a line begins with a word behind which nothing that may lack its `<` goes on, nor a key of
/// lines that call.
fn begins_with_plain_word(line: &[u8]) -> bool {
    let word = line.get(..LONGEST_WORD).unwrap_or(line);
    let n = word.iter().position(|byte| !byte.is_ascii_alphabetic());
    match (n.and_then(|n| word.get(n)), line.first()) {
        (Some(b','), _) => true,
        // `function name="…"`, `invoke name="…"`, and an opening word of more than one word.
        (Some(b' '), Some(first)) => !matches!(first | 0x20, b'f' | b'i'),
        (Some(_) | None, _) => false,
    }
}

/// Whether a byte that begins no name begins nothing else behind `<`.
const fn is_dull(byte: u8) -> bool {
    !matches!(byte, b'/' | b'!' | b'|' | b']' | 0xc2 | 0xef)
}
