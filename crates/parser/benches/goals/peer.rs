//! What the parser is measured against: a scan for `<`, and a reader of XML.

use std::{
    hint::black_box,
    io::{BufRead, Read, Result},
};

use quick_xml::{Reader, events::Event};

use crate::shared::chunks;

/// Visits every `<` of the text as one buffer.
pub(crate) fn scan(text: &str) {
    visit(text.as_bytes());
}

/// Visits every `<`, chunk by chunk.
pub(crate) fn scan_chunks(text: &str, size: usize) {
    chunks(text, size).for_each(|chunk| visit(chunk.as_bytes()));
}

fn visit(bytes: &[u8]) {
    for at in memchr::memchr_iter(b'<', black_box(bytes)) {
        black_box(at);
    }
}

/// Reads a well-formed text with quick-xml, which is handed one chunk at a time. Attributes are read,
/// as a call needs them; nothing is kept.
pub(crate) fn quick_xml(text: &str, size: usize) -> usize {
    let mut reader = Reader::from_reader(Chunked { rest: text.as_bytes(), size, used: 0 });
    let mut buffer = Vec::new();
    let mut n_events = 0;
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) | Err(_) => return n_events,
            Ok(event) => {
                if let Event::Start(tag) | Event::Empty(tag) = &event {
                    tag.attributes().for_each(|attribute| _ = black_box(attribute));
                }
                black_box(&event);
                n_events += 1;
            }
        }
        buffer.clear();
    }
}

/// A text of which only one chunk can be seen.
struct Chunked<'a> {
    rest: &'a [u8],
    size: usize,
    /// How much of the present chunk was consumed.
    used: usize,
}

impl Read for Chunked<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let n = self.fill_buf()?.read(to)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Chunked<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        let left = (self.size - self.used).min(self.rest.len());
        Ok(self.rest.get(..left).unwrap_or_default())
    }

    fn consume(&mut self, n: usize) {
        self.rest = self.rest.get(n..).unwrap_or_default();
        self.used = (self.used + n) % self.size;
    }
}
