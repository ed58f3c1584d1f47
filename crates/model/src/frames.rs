//! Bytes → server-sent events, within bounds.
//!
//! The events are those of the HTML standard, section "interpreting an event stream"; a UTF-8
//! character or a line end may be split over chunks. Two things differ. A stream that ends in an orderly
//! way closes its last event, since some servers forget the empty line. And a line or an event
//! over [`MAX_EVENT`] ends the stream, so that memory stays bounded.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use sse_stream::{Error, SseByteStream};

use crate::transport::{ByteStream, TransportFault};

/// Bytes of one event at most, and of one line: 4 MiB.
pub(crate) const MAX_EVENT: usize = 4 << 20;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) event: Option<String>,
    pub(crate) data: String,
}

/// Why there are no more events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FrameFault {
    #[error("the connection broke")]
    Transport(TransportFault),
    #[error("an event is over {MAX_EVENT} bytes")]
    TooLong,
    #[error("an event is no UTF-8")]
    NotUtf8,
}

/// Decodes a body. Comments and events without data are left out.
pub(crate) fn frames(body: ByteStream) -> impl Stream<Item = Result<Frame, FrameFault>> + Send {
    SseByteStream::new(bounded(body)).filter_map(|event| {
        std::future::ready(match event {
            Ok(event) => event.data.map(|data| Ok(Frame { event: event.event, data })),
            Err(error) => Some(Err(fault(error))),
        })
    })
}

fn fault(error: Error) -> FrameFault {
    match error {
        Error::Body(inner) => match inner.downcast::<FrameFault>() {
            Ok(fault) => *fault,
            Err(other) => FrameFault::Transport(TransportFault::Broken(other.to_string())),
        },
        Error::Utf8Parse(_) => FrameFault::NotUtf8,
        // The library may grow; what it cannot decode is a broken stream.
        other @ (Error::UnknownField | _) => {
            FrameFault::Transport(TransportFault::Broken(other.to_string()))
        }
    }
}

/// Passes bytes on, counts them, and closes the last event.
fn bounded(body: ByteStream) -> impl Stream<Item = Result<Bytes, FrameFault>> + Send {
    async_stream::try_stream! {
        let mut meter = Meter::default();
        for await chunk in body {
            let chunk = chunk.map_err(FrameFault::Transport)?;
            if !meter.admits(&chunk) {
                Err(FrameFault::TooLong)?;
            }
            yield chunk;
        }
        yield Bytes::from_static(b"\n\n");
    }
}

/// Counts the bytes of the open line and the open event.
#[derive(Debug, Default)]
struct Meter {
    line: usize,
    event: usize,
    is_comment: bool,
    after_return: bool,
}

impl Meter {
    fn admits(&mut self, chunk: &[u8]) -> bool {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, tail) = rest.split_at(end);
            let (mark, tail) = tail.split_at(1);
            self.take(line);
            self.end_line(mark);
            rest = tail;
        }
        self.take(rest);
        self.line <= MAX_EVENT && self.event <= MAX_EVENT
    }

    fn take(&mut self, bytes: &[u8]) {
        let Some(first) = bytes.first() else { return };
        self.after_return = false;
        if self.line == 0 {
            self.is_comment = *first == b':';
        }
        self.line += bytes.len();
        // A comment is skipped, not kept.
        if !self.is_comment {
            self.event += bytes.len();
        }
    }

    fn end_line(&mut self, mark: &[u8]) {
        let second_half = self.after_return && mark == b"\n";
        self.after_return = mark == b"\r";
        if second_half {
            return;
        }
        if self.line == 0 {
            self.event = 0;
        }
        self.line = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use bytes::Bytes;
    use expect_test::{Expect, expect};
    use futures_util::StreamExt as _;
    use proptest::prelude::*;

    use super::{FrameFault, frames};

    fn decode(chunks: Vec<Vec<u8>>) -> String {
        let body =
            futures_util::stream::iter(chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk))));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut out = String::new();
            let mut events = Box::pin(frames(Box::pin(body)));
            while let Some(event) = events.next().await {
                match event {
                    Ok(event) => writeln!(out, "{:?} {:?}", event.event, event.data).unwrap(),
                    Err(fault) => writeln!(out, "{fault}").unwrap(),
                }
            }
            out
        })
    }

    fn cut(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
        bytes.chunks(size.max(1)).map(<[u8]>::to_vec).collect()
    }

    /// Decodes at every chunk size and with every line end.
    #[track_caller]
    fn check(body: &str, expected: Expect) {
        let whole = decode(cut(body.as_bytes(), body.len()));
        expected.assert_eq(&whole);
        for line_end in ["\n", "\r\n", "\r"] {
            let body = body.replace('\n', line_end);
            for size in 1..=body.len() {
                assert_eq!(decode(cut(body.as_bytes(), size)), whole, "{line_end:?} by {size}");
            }
        }
    }

    #[test]
    fn events_survive_every_cut_and_every_line_end() {
        check(
            "\u{feff}data: {\"a\":\"é😀\"}\n\n: comment\n\nevent: ping\ndata: {}\n\ndata:x\ndata: y\nid: 7\n\n\n",
            expect![[r#"
                None "{\"a\":\"é😀\"}"
                Some("ping") "{}"
                None "x\ny"
            "#]],
        );
    }

    #[test]
    fn the_last_event_needs_no_empty_line() {
        check(
            "data: a\n\ndata: b",
            expect![[r#"
            None "a"
            None "b"
        "#]],
        );
    }

    #[test]
    fn comments_and_unknown_fields_are_no_events() {
        check(": a\n\n:\n\nretry: 5\n\nevent: x\n\nfoo: bar\n\n", expect![""]);
    }

    #[test]
    fn bytes_that_are_no_utf8_end_the_stream() {
        let body = b"data: a\n\ndata: \xff\n\ndata: b\n\n";
        expect![[r#"
            None "a"
            an event is no UTF-8
        "#]]
        .assert_eq(&decode(cut(body, 4)));
    }

    #[test]
    fn memory_is_bounded_for_a_line_and_for_an_event_but_not_for_comments() {
        let too_long = FrameFault::TooLong.to_string();
        let line = vec![b'x'; 1 << 20];
        assert!(decode(vec![line; 5]).contains(&too_long));
        let lines = vec![b"data: 0123456789\n".repeat(1 << 16); 5];
        assert!(decode(lines).contains(&too_long));
        let mut comments = vec![b": 0123456789\n".repeat(1 << 16); 8];
        comments.push(b"data: a\n\n".to_vec());
        assert_eq!(decode(comments), "None \"a\"\n");
        let mut events = vec![b"data: 0123456789\r\n\r\n".repeat(1 << 16); 5];
        events.push(b"\n\n".to_vec());
        assert!(!decode(events).contains(&too_long));
    }

    proptest! {
        #[test]
        fn noise_never_panics_and_its_cuts_do_not_matter(
            body in proptest::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'\r'), Just(b':'), Just(b'd'), any::<u8>()], 0..200),
            size in 1_usize..9,
        ) {
            prop_assert_eq!(decode(cut(&body, size)), decode(vec![body]));
        }
    }
}
