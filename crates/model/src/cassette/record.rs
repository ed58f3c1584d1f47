//! A transport that writes down what passes through it.

use std::{
    fs::File,
    io::Write as _,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{StreamExt as _, future::BoxFuture};
use tokio::time::Instant;

use super::line::{AnswerLine, CallLine, CassetteError, ChunkLine, End, Head, Line};
use crate::transport::{
    Answer, ByteStream, Call, Headers, SharedTransport, Transport, TransportFault,
};

/// Headers that are kept: those that decoding looks at.
const KEPT: &[&str] =
    &["content-type", "date", "location", "retry-after", "retry-after-ms", "server"];

/// Writes down every exchange of another transport, without keys.
#[derive(Debug)]
pub(crate) struct RecordingTransport {
    inner: SharedTransport,
    file: Arc<Mutex<File>>,
}

impl RecordingTransport {
    /// Makes the file anew, with its first line.
    pub(crate) fn create(
        path: &Path,
        inner: SharedTransport,
        head: &Head,
    ) -> Result<Self, CassetteError> {
        let written = File::create(path).and_then(|mut file| {
            file.write_all(text(&[Line::Cassette(head.clone())]).as_bytes())?;
            Ok(file)
        });
        let file = written.map_err(|error| CassetteError::File {
            path: path.display().to_string(),
            why: error.to_string(),
        })?;
        Ok(Self { inner, file: Arc::new(Mutex::new(file)) })
    }
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
    file: Arc<Mutex<File>>,
    masker: SharedTransport,
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
            file: transport.file.clone(),
            masker: transport.inner.clone(),
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
            Err(fault) => self.end = End::Fault(fault.into()),
        }
    }

    fn fail(&mut self, fault: &TransportFault) {
        self.answer = Some(AnswerLine::Fault(fault.into()));
    }

    fn complete(&mut self) {
        if self.end == End::Open {
            self.end = End::Complete;
        }
    }

    fn since_last(&mut self) -> u64 {
        let now = Instant::now();
        let since = now.duration_since(self.last).as_millis();
        self.last = now;
        u64::try_from(since).unwrap_or(u64::MAX)
    }

    fn lines(&mut self) -> Vec<Line> {
        self.masker.mask(&mut self.body);
        let mut lines = vec![Line::Call(self.call.clone())];
        let answer = self.answer.take().unwrap_or(AnswerLine::Open);
        let has_body = matches!(answer, AnswerLine::Head { .. });
        lines.push(Line::Answer(answer));
        let mut rest = self.body.as_slice();
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
        // The call's body may quote the key, too.
        self.masker.mask(&mut bytes);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(&bytes) {
            tracing::warn!(%error, "the cassette could not be written");
        }
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
