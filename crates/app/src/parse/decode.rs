//! Bytes to text, joined across the borders of what was read.

use std::{
    io::{self, Read},
    str,
};

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// A place where the bytes were no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    /// Where, in bytes of the input.
    pub(crate) at: u64,
    /// How many bytes were replaced by U+FFFD.
    pub(crate) len: usize,
}

/// Reads text from bytes as they arrive.
pub(crate) struct Text<R> {
    input: R,
    buffer: Box<[u8]>,
    /// Bytes of the buffer that hold the beginning of a character.
    n_kept: usize,
    at: u64,
}

impl<R: Read> Text<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, buffer: vec![0; CHUNK].into(), n_kept: 0, at: 0 }
    }

    /// Hands the next piece of text to `take`, and each invalid place to `invalid`, in order.
    /// `false`: the input is over.
    pub(crate) fn next(
        &mut self,
        mut take: impl FnMut(&str) -> io::Result<()>,
        mut invalid: impl FnMut(Invalid) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Some(room) = self.buffer.get_mut(self.n_kept..) else { return Ok(false) };
        let n = loop {
            match self.input.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        let is_over = n == 0;
        let len = self.n_kept + n;
        let mut rest = self.buffer.get(..len).unwrap_or_default();
        while !rest.is_empty() {
            let (text, bad) = match str::from_utf8(rest) {
                Ok(text) => (text, 0),
                Err(error) => {
                    let valid = rest.get(..error.valid_up_to()).unwrap_or_default();
                    let open = rest.len() - valid.len();
                    let bad = error.error_len().unwrap_or(if is_over { open } else { 0 });
                    (str::from_utf8(valid).unwrap_or_default(), bad)
                }
            };
            take(text)?;
            self.at += text.len() as u64;
            if bad > 0 {
                invalid(Invalid { at: self.at, len: bad })?;
                self.at += bad as u64;
            } else if text.is_empty() {
                break;
            }
            rest = rest.get(text.len() + bad..).unwrap_or_default();
        }
        self.n_kept = rest.len();
        self.buffer.copy_within(len - self.n_kept..len, 0);
        Ok(!is_over)
    }
}
