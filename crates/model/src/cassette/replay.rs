//! A model that plays a cassette.

use std::{
    collections::VecDeque,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use tagline_protocol::system_words;

use super::line::{AnswerLine, CallLine, CassetteError, ChunkLine, End, Head, Line};
use crate::{
    Model, ModelInfo, ModelLimits, ModelStream, Request,
    fault::Asked,
    host::Gate,
    remote::RemoteModel,
    transport::{Answer, ByteStream, Call, Headers, Transport, TransportFault},
};

/// A model that plays recorded exchanges in their order, through the decoders, watchdogs and tries
/// of the provider that was recorded.
///
/// The waits between chunks go through tokio's clock, so a test with a paused clock does not wait.
#[derive(Clone, Debug)]
pub struct CassetteModel {
    remote: RemoteModel,
}

impl CassetteModel {
    /// Reads a cassette.
    ///
    /// # Errors
    ///
    /// [`CassetteError::BadLine`], which names the line.
    pub fn from_text(text: &str) -> Result<Self, CassetteError> {
        let (head, exchanges) = read(text)?;
        let transport = Arc::new(ReplayTransport { exchanges: Mutex::new(exchanges) });
        let info = head.info();
        Ok(Self {
            remote: RemoteModel {
                wire: head.wire(),
                model: head.model.split_once('/').map_or("", |(_, model)| model).to_owned(),
                asked: Asked {
                    model: head.model.clone(),
                    host: "cassette".to_owned(),
                    is_local: head.is_local,
                    ..Asked::default()
                },
                info,
                transport,
                limits: ModelLimits::default(),
                gate: Gate::default(),
            },
        })
    }

    /// Reads a cassette from a file.
    ///
    /// # Errors
    ///
    /// [`CassetteError::File`], and what [`CassetteModel::from_text`] says.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, CassetteError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| CassetteError::File {
            path: path.display().to_string(),
            why: system_words(&error),
        })?;
        Self::from_text(&text)
    }

    /// The same cassette under other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: ModelLimits) -> Self {
        self.remote.limits = limits;
        self
    }
}

impl Model for CassetteModel {
    fn info(&self) -> &ModelInfo {
        self.remote.info()
    }

    fn ask(&self, request: Request) -> ModelStream {
        self.remote.ask(request)
    }
}

/// One recorded exchange.
#[derive(Debug)]
struct Exchange {
    call: CallLine,
    answer: AnswerLine,
    chunks: Vec<(Duration, Bytes)>,
    end: End,
}

#[derive(Debug)]
struct ReplayTransport {
    exchanges: Mutex<VecDeque<Exchange>>,
}

impl Transport for ReplayTransport {
    fn send(&self, call: Call) -> BoxFuture<'static, Result<Answer, TransportFault>> {
        let next = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            let exchange = next
                .ok_or_else(|| TransportFault::Cassette("holds no further exchange".to_owned()))?;
            if exchange.call.path != call.path {
                let why = format!("holds a call of `{}` next", exchange.call.path);
                return Err(TransportFault::Cassette(why));
            }
            match exchange.answer {
                AnswerLine::Head { status, headers, after_ms } => {
                    tokio::time::sleep(Duration::from_millis(after_ms)).await;
                    let body = play(exchange.chunks, exchange.end);
                    Ok(Answer { status, headers: Headers(headers), body })
                }
                AnswerLine::Fault(fault) => Err(fault),
                AnswerLine::Open => std::future::pending().await,
            }
        })
    }

    fn mask(&self, _: &mut [u8]) {}
}

fn play(chunks: Vec<(Duration, Bytes)>, end: End) -> ByteStream {
    Box::pin(async_stream::stream! {
        for (wait, bytes) in chunks {
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            yield Ok(bytes);
        }
        match end {
            End::Complete => {}
            End::Fault(fault) => yield Err(fault),
            End::Open => std::future::pending::<()>().await,
        }
    })
}

fn read(text: &str) -> Result<(Head, VecDeque<Exchange>), CassetteError> {
    let mut head = None;
    let mut exchanges: VecDeque<Exchange> = VecDeque::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |expected| CassetteError::BadLine {
            line: at + 1,
            expected,
            found: line.chars().take(60).collect(),
        };
        let parsed: Line = serde_json::from_str(line).map_err(|_| bad("a line of a cassette"))?;
        match (parsed, exchanges.back_mut()) {
            (Line::Cassette(first), _) if first.version == 1 && head.is_none() => {
                head = Some(first);
            }
            (Line::Cassette(_), _) => return Err(bad("one first line of version 1")),
            (Line::Call(call), _) => exchanges.push_back(Exchange {
                call,
                answer: AnswerLine::Open,
                chunks: Vec::new(),
                end: End::Open,
            }),
            (_, None) => return Err(bad("a call first")),
            (Line::Answer(answer), Some(exchange)) => exchange.answer = answer,
            (Line::Chunk(chunk), Some(exchange)) => {
                exchange.chunks.push(bytes(chunk).ok_or_else(|| bad("a chunk of its size"))?);
            }
            (Line::End(end), Some(exchange)) => exchange.end = end,
        }
    }
    let missing = CassetteError::BadLine {
        line: 1,
        expected: "a first line with `cassette`",
        found: text.chars().take(60).collect(),
    };
    Ok((head.ok_or(missing)?, exchanges))
}

fn bytes(chunk: ChunkLine) -> Option<(Duration, Bytes)> {
    let wait = Duration::from_millis(chunk.after_ms);
    Some((wait, Bytes::from(chunk.decode()?)))
}
