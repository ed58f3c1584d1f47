//! A transport that writes down what passes through it.

use std::{
    fmt,
    fs::File,
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{StreamExt as _, future::BoxFuture};
use tagline_protocol::system_words;
use tagline_secret::Secret;
use tokio::time::Instant;

use super::line::{AnswerLine, CallLine, CassetteError, ChunkLine, End, Head, Line};
use crate::transport::{
    Answer, ByteStream, Call, Headers, SharedTransport, Transport, TransportFault, mask,
};

/// Headers that are kept: those that decoding looks at.
const KEPT: &[&str] =
    &["content-type", "date", "location", "retry-after", "retry-after-ms", "server"];

/// How a cassette begins.
const BEGINNING: &[u8] = b"{\"cassette\":";

/// Writes down every exchange of another transport, without keys.
#[derive(Debug)]
pub(crate) struct RecordingTransport {
    inner: SharedTransport,
    tape: Arc<Tape>,
}

/// Where exchanges go.
struct Tape {
    /// As given.
    path: String,
    state: Mutex<State>,
    /// Keys that are known, whether they are in use or not: a reply may quote any of them.
    secrets: Vec<Secret>,
}

/// Whether it can still be written.
#[derive(Debug)]
enum State {
    Whole(File),
    /// It could not, and nobody was told yet.
    Torn(CassetteError),
    /// A hole in it would play as something else, so nothing more is written.
    Over,
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("state", &self.state).finish_non_exhaustive()
    }
}

impl RecordingTransport {
    /// Makes the file anew, with its first line. What is there and is no cassette is left alone.
    pub(crate) fn create(
        path: &Path,
        inner: SharedTransport,
        head: &Head,
        secrets: Vec<Secret>,
    ) -> Result<Self, CassetteError> {
        let shown = || path.display().to_string();
        let failed =
            |error: io::Error| CassetteError::File { path: shown(), why: system_words(&error) };
        if !is_free(path).map_err(failed)? {
            return Err(CassetteError::Occupied { path: shown() });
        }
        let mut file = anew(path).map_err(failed)?;
        let first = text(&[Line::Cassette(head.clone())]);
        file.write_all(first.as_bytes()).map_err(failed)?;
        let tape = Tape { path: shown(), state: Mutex::new(State::Whole(file)), secrets };
        Ok(Self { inner, tape: Arc::new(tape) })
    }
}

/// Whether nothing is lost by writing there.
fn is_free(path: &Path) -> io::Result<bool> {
    // What is no file, such as a terminal, holds nothing; it must not be read either.
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    if !is_file {
        return Ok(true);
    }
    let mut beginning = Vec::new();
    File::open(path)?.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == BEGINNING)
}

/// The file, empty. It will hold a conversation, so a new one is its owner's alone.
fn anew(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

impl Transport for RecordingTransport {
    fn send(&self, call: Call) -> BoxFuture<'static, Result<Answer, TransportFault>> {
        let mut exchange = Exchange::new(self, &call);
        let sent = self.inner.send(call);
        Box::pin(async move {
            match sent.await {
                Ok(answer) => {
                    exchange.head(answer.status, &answer.headers);
                    Ok(Answer { body: recorded(answer.body, exchange), ..answer })
                }
                Err(fault) => {
                    exchange.fail(&fault);
                    Err(fault)
                }
            }
        })
    }

    fn mask(&self, bytes: &mut [u8]) {
        self.inner.mask(bytes);
    }

    fn trouble(&self) -> Option<String> {
        self.tape.trouble().map(|error| error.to_string())
    }
}

impl Tape {
    fn write(&self, lines: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Whole(file) = &mut *state else { return };
        if let Err(error) = file.write_all(lines) {
            let why = system_words(&error);
            *state = State::Torn(CassetteError::Unfinished { path: self.path.clone(), why });
        }
    }

    /// Why it is torn; told once.
    fn trouble(&self) -> Option<CassetteError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, State::Over) {
            State::Torn(error) => Some(error),
            other @ (State::Whole(_) | State::Over) => {
                *state = other;
                None
            }
        }
    }
}

fn recorded(mut body: ByteStream, mut exchange: Exchange) -> ByteStream {
    Box::pin(async_stream::stream! {
        while let Some(chunk) = body.next().await {
            exchange.chunk(&chunk);
            yield chunk;
        }
        exchange.complete();
    })
}

/// One exchange; it writes itself when it is dropped, so one that was given up is written, too.
struct Exchange {
    tape: Arc<Tape>,
    inner: SharedTransport,
    call: CallLine,
    answer: Option<AnswerLine>,
    /// All bytes in one piece, so that a key in it is found even where it was cut.
    body: Vec<u8>,
    sizes: Vec<(usize, u64)>,
    end: End,
    last: Instant,
}

impl Exchange {
    fn new(transport: &RecordingTransport, call: &Call) -> Self {
        Self {
            tape: transport.tape.clone(),
            inner: transport.inner.clone(),
            call: CallLine::of(call),
            answer: None,
            body: Vec::new(),
            sizes: Vec::new(),
            end: End::Open,
            last: Instant::now(),
        }
    }

    fn head(&mut self, status: u16, headers: &Headers) {
        let kept = headers.0.iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
        let headers = kept.cloned().collect();
        let after_ms = self.since_last();
        self.answer = Some(AnswerLine::Head { status, headers, after_ms });
    }

    fn chunk(&mut self, chunk: &Result<bytes::Bytes, TransportFault>) {
        let after_ms = self.since_last();
        match chunk {
            Ok(bytes) => {
                self.body.extend_from_slice(bytes);
                self.sizes.push((bytes.len(), after_ms));
            }
            Err(fault) => self.end = End::Fault(fault.clone()),
        }
    }

    fn fail(&mut self, fault: &TransportFault) {
        self.answer = Some(AnswerLine::Fault(fault.clone()));
    }

    fn complete(&mut self) {
        if self.end == End::Open {
            self.end = End::Complete;
        }
    }

    fn mask(&self, bytes: &mut [u8]) {
        self.inner.mask(bytes);
        self.tape.secrets.iter().for_each(|secret| mask(secret, bytes));
    }

    fn since_last(&mut self) -> u64 {
        let now = Instant::now();
        let since = now.duration_since(self.last).as_millis();
        self.last = now;
        u64::try_from(since).unwrap_or(u64::MAX)
    }

    fn lines(&mut self) -> Vec<Line> {
        let mut body = std::mem::take(&mut self.body);
        self.mask(&mut body);
        let mut lines = vec![Line::Call(self.call.clone())];
        let answer = self.answer.take().unwrap_or(AnswerLine::Open);
        let has_body = matches!(answer, AnswerLine::Head { .. });
        lines.push(Line::Answer(answer));
        let mut rest = body.as_slice();
        for (size, after_ms) in &self.sizes {
            let Some((chunk, tail)) = rest.split_at_checked(*size) else { break };
            lines.push(Line::Chunk(ChunkLine::of(chunk, *after_ms)));
            rest = tail;
        }
        if has_body {
            lines.push(Line::End(self.end.clone()));
        }
        lines
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut bytes = text(&self.lines()).into_bytes();
        // The call's body may quote a key, too.
        self.mask(&mut bytes);
        self.tape.write(&bytes);
    }
}

fn text(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        // Cannot fail: the lines hold texts and numbers alone.
        out.push_str(&serde_json::to_string(line).unwrap_or_default());
        out.push('\n');
    }
    out
}
