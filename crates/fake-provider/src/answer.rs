//! What a provider does with one request.

use std::{fmt::Write as _, time::Duration};

use fastrand::Rng;

/// How an answer ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// As it should.
    Whole,
    /// The connection is closed in an orderly way, but too early where the body has an announced end.
    Closed,
    /// The connection is torn down.
    Reset,
    /// Nothing more comes, and the connection stays.
    Silent,
    /// These bytes come again and again, with this pause, until the other side has enough.
    Flood(Vec<u8>, Duration),
}

/// How the other side knows where a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    /// In chunks with their sizes.
    Chunked,
    /// Where the connection ends, or as the head says.
    Plain,
}

/// One answer, as bytes and pauses.
#[derive(Clone, Debug)]
pub struct Answer {
    head: Vec<u8>,
    framing: Framing,
    pieces: Vec<(Duration, Vec<u8>)>,
    end: End,
    /// Before the head.
    pause: Duration,
}

impl Answer {
    /// These bytes in place of any HTTP.
    #[must_use]
    pub fn raw(bytes: &[u8]) -> Self {
        Self {
            head: bytes.to_vec(),
            framing: Framing::Plain,
            pieces: Vec::new(),
            end: End::Whole,
            pause: Duration::ZERO,
        }
    }

    /// A body of known length.
    #[must_use]
    pub fn status(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let length = body.len().to_string();
        let mut all = headers.to_vec();
        if !headers.iter().any(|(name, _)| *name == "content-length") {
            all.push(("content-length", &length));
        }
        Self { pieces: vec![(Duration::ZERO, body.to_vec())], ..Self::raw(&head(status, &all)) }
    }

    /// An event stream in chunks.
    #[must_use]
    pub fn stream(body: &[u8]) -> Self {
        Self::chunked(&[("content-type", "text/event-stream; charset=utf-8")], body)
    }

    /// A body in chunks.
    #[must_use]
    pub fn chunked(headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut all = headers.to_vec();
        all.push(("transfer-encoding", "chunked"));
        Self {
            framing: Framing::Chunked,
            pieces: vec![(Duration::ZERO, body.to_vec())],
            ..Self::raw(&head(200, &all))
        }
    }

    /// The same answer with another end.
    #[must_use]
    pub fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }

    /// The same answer, later.
    #[must_use]
    pub fn after(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// More of the body, after a pause.
    #[must_use]
    pub fn then(mut self, pause: Duration, bytes: &[u8]) -> Self {
        self.pieces.push((pause, bytes.to_vec()));
        self
    }

    /// The same bytes, cut where the seed says; some of the pieces are late.
    #[must_use]
    pub fn cut(mut self, seed: u64) -> Self {
        let mut dice = Rng::with_seed(seed);
        // Some networks cut everywhere, others hardly ever.
        let most = *dice.choice(&[2, 9, 40, 200, 4096]).unwrap_or(&40);
        let mut pieces = Vec::new();
        for (pause, bytes) in self.pieces {
            let mut pause = pause;
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (piece, tail) = rest.split_at(dice.usize(1..=most).min(rest.len()));
                pieces.push((pause, piece.to_vec()));
                rest = tail;
                pause = pauses(&mut dice);
            }
        }
        self.pieces = pieces;
        self
    }

    pub(crate) fn pause(&self) -> Duration {
        self.pause
    }

    pub(crate) fn end(&self) -> &End {
        &self.end
    }

    /// Everything before the end, as it goes over the connection.
    pub(crate) fn bytes(&self) -> Vec<(Duration, Vec<u8>)> {
        let head = std::iter::once((Duration::ZERO, self.head.clone()));
        let body = self.pieces.iter().filter(|(_, bytes)| !bytes.is_empty());
        let framed = body.map(|(pause, bytes)| (*pause, self.framed(bytes)));
        let last = match (self.framing, &self.end) {
            (Framing::Chunked, End::Whole) => Some((Duration::ZERO, b"0\r\n\r\n".to_vec())),
            _ => None,
        };
        head.chain(framed).chain(last).collect()
    }

    pub(crate) fn framed(&self, bytes: &[u8]) -> Vec<u8> {
        match self.framing {
            Framing::Plain => bytes.to_vec(),
            Framing::Chunked => {
                let size = format!("{:x}\r\n", bytes.len());
                [size.as_bytes(), bytes, b"\r\n"].concat()
            }
        }
    }
}

/// Mostly none: pieces without a pause between them may arrive as one.
fn pauses(dice: &mut Rng) -> Duration {
    if dice.u8(..) < 20 { Duration::from_millis(dice.u64(1..50)) } else { Duration::ZERO }
}

fn head(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} Said\r\nconnection: close\r\n");
    for (name, value) in headers {
        // Writing into a text cannot fail.
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.push_str("\r\n");
    text.into_bytes()
}
