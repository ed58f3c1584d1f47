//! A body within its bounds, unpacked as it comes.

use std::io::{self, Write};

use flate2::write::GzDecoder;
use hyper::{HeaderMap, header::CONTENT_ENCODING};

use crate::{error::Problem, limits::Limits};

/// What has come of a body.
pub(crate) struct Body {
    limit: u64,
    ratio: u64,
    received: u64,
    text: Coded,
}

/// How it is sent.
enum Coded {
    Plain(Bounded),
    Gzip(Box<GzDecoder<Bounded>>),
}

/// Bytes up to a bound.
struct Bounded {
    bytes: Vec<u8>,
    limit: u64,
    is_over: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + bytes.len()) as u64 > self.limit {
            self.is_over = true;
            return Err(io::Error::other("over the bound"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// Nothing yet of a body with these headers.
    pub(crate) fn new(headers: &HeaderMap, limits: &Limits) -> Result<Self, Problem> {
        let bounded = Bounded { bytes: Vec::new(), limit: limits.body, is_over: false };
        let text = match coding(headers).as_str() {
            "" | "identity" => Coded::Plain(bounded),
            "gzip" | "x-gzip" => Coded::Gzip(Box::new(GzDecoder::new(bounded))),
            other => return Err(Problem::Coding(other.chars().take(40).collect())),
        };
        Ok(Self { limit: limits.body, ratio: limits.ratio, received: 0, text })
    }

    /// Bytes as they were sent.
    pub(crate) const fn received(&self) -> u64 {
        self.received
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.received += bytes.len() as u64;
        let over = Problem::TooLarge { limit: self.limit, received: self.received };
        if self.received > self.limit {
            return Err(over);
        }
        match &mut self.text {
            Coded::Plain(bounded) => bounded.write_all(bytes).map_err(|_| over),
            // Of several gzips in a row the first is read: each costs more to begin than to send.
            Coded::Gzip(decoder) => match decoder.write_all(bytes) {
                Err(_) if decoder.get_ref().is_over => Err(over),
                written => written.map_err(|error| unpacking(&error)),
            },
        }
    }

    /// All of it, once it is over.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Problem> {
        let Self { limit, ratio, received, text } = self;
        let bytes = match text {
            Coded::Plain(bounded) => bounded.bytes,
            // An answer without a body may have the header nevertheless.
            Coded::Gzip(_) if received == 0 => Vec::new(),
            Coded::Gzip(mut decoder) => match decoder.try_finish() {
                Err(_) if decoder.get_ref().is_over => {
                    return Err(Problem::TooLarge { limit, received });
                }
                finished => {
                    finished.map_err(|error| unpacking(&error))?;
                    std::mem::take(&mut decoder.get_mut().bytes)
                }
            },
        };
        let unpacked = bytes.len() as u64;
        if unpacked > received.saturating_mul(ratio) {
            return Err(Problem::Ratio { limit: ratio, received, unpacked });
        }
        Ok(bytes)
    }
}

fn unpacking(error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::WriteZero {
        return Problem::Broken("something follows its gzip".to_owned());
    }
    Problem::Broken(format!("it is not a whole gzip: {error}"))
}

/// How a body is coded, in lower case; several codings are one that is not known.
fn coding(headers: &HeaderMap) -> String {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let texts = values.map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_lowercase());
    texts.collect::<Vec<_>>().join(", ")
}
