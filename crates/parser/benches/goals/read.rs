//! Ways to read a reply: with a sink, and by draining.

use std::hint::black_box;

use tagline_parser::{EventRef, Finish, Limits, Parser, TagSet};

use crate::shared::{chunks, limits};

/// Reads a reply in chunks with a sink that looks at every event.
pub(crate) fn stream(tags: &TagSet, limits: Limits, text: &str, size: usize) -> usize {
    let mut parser = Parser::new(tags, limits);
    let mut n_events = 0;
    let mut sink = |event: EventRef<'_>| {
        black_box(&event);
        n_events += 1;
    };
    for chunk in chunks(text, size) {
        parser.feed_to(chunk, &mut sink);
    }
    parser.flush_to(Finish::Stop, &mut sink);
    n_events
}

/// Reads a reply in chunks and drains the events behind each.
pub(crate) fn drain(tags: &TagSet, text: &str, size: usize) -> usize {
    let mut parser = Parser::new(tags, limits(64 << 20));
    let mut n_events = 0;
    for chunk in chunks(text, size) {
        parser.feed(chunk);
        n_events += parser.drain().map(black_box).count();
    }
    parser.flush(Finish::Stop);
    n_events + parser.drain().map(black_box).count()
}
