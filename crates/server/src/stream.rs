//! A session's events as the body of an answer.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderValue, header::CACHE_CONTROL},
    response::{IntoResponse as _, Response},
};
use bytes::{Bytes, BytesMut};
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use serde_json::json;
use tagline_secret::Secret;
use tagline_session::{Position, Watched, WireFrame};
use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    ApiError,
    gate::StreamSlot,
    sse,
    state::{App, Grant, Peer},
};

/// Most bytes handed on in one piece, so that a reader that stops holds little.
const PIECE: usize = 65_536;

/// Time in which a reader is told why its stream ends; then the connection is cut.
const NOTICE: Duration = Duration::from_millis(700);

/// Time in which a reader of a server that stops is given what is there yet: the ends of its turns.
const REST: Duration = Duration::from_millis(300);

/// The event behind which nothing comes.
const CLOSED: &str = "stream.closed";

/// Where a stream ends by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// It goes on.
    Never,
    /// With the turn that this message begins or enters.
    AnswerTo(String),
    /// With this turn.
    EndOf(String),
}

/// One open stream.
struct Stream {
    app: Arc<App>,
    session: String,
    watched: BoxStream<'static, Watched>,
    rotated: watch::Receiver<Secret>,
    ready: VecDeque<Bytes>,
    after: u64,
    until: Until,
    is_over: bool,
    /// Until when it is given the rest, once the server stops.
    rest: Option<Instant>,
    _slot: StreamSlot,
    _guard: DropGuard,
}

/// An answer that shows what is watched.
pub(crate) fn answer(
    app: &Arc<App>,
    peer: &Peer,
    grant: Grant,
    session: String,
    watched: BoxStream<'static, Watched>,
    until: Until,
) -> Result<Response, ApiError> {
    let slot = app.streams.take(peer.address.ip())?;
    app.metrics.streams_opened.fetch_add(1, Ordering::Relaxed);
    let gone = CancellationToken::new();
    app.tasks.spawn(cut(Arc::clone(app), grant.clone(), peer.cut.clone(), gone.clone()));
    let stream = Stream {
        app: Arc::clone(app),
        session,
        watched,
        rotated: grant.0,
        ready: VecDeque::from([Bytes::from_static(sse::RETRY.as_bytes())]),
        after: 0,
        until,
        is_over: false,
        rest: None,
        _slot: slot,
        _guard: gone.drop_guard(),
    };
    let pieces = stream::unfold(stream, async |mut stream| {
        let piece = stream.next().await?;
        Some((Ok::<_, Infallible>(piece), stream))
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// Ends the connection of a stream that must end and whose reader does not read.
async fn cut(
    app: Arc<App>,
    Grant(mut rotated): Grant,
    connection: CancellationToken,
    gone: CancellationToken,
) {
    tokio::select! {
        () = gone.cancelled() => return,
        () = app.stop.cancelled() => {}
        _ = rotated.changed() => {}
    }
    tokio::select! {
        () = gone.cancelled() => {}
        () = tokio::time::sleep(NOTICE) => connection.cancel(),
    }
}

impl Stream {
    /// The next piece of the body.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.is_revoked() && !self.is_over {
                self.ready.clear();
                self.close("token_replaced");
            }
            if let Some(piece) = self.ready.pop_front() {
                let n = u64::try_from(piece.len()).unwrap_or(u64::MAX);
                self.app.metrics.stream_bytes.fetch_add(n, Ordering::Relaxed);
                return Some(piece);
            }
            if self.is_over {
                return None;
            }
            self.wait().await;
        }
    }

    fn is_revoked(&self) -> bool {
        self.rotated.has_changed().unwrap_or(true)
    }

    /// Waits for something to send.
    async fn wait(&mut self) {
        let heartbeat = self.app.limits.heartbeat;
        let stop = self.app.stop.clone();
        tokio::select! {
            biased;
            _ = self.rotated.changed() => {
                self.close("token_replaced");
            }
            () = stop.cancelled() => self.finish().await,
            watched = self.watched.next() => self.take(watched),
            () = tokio::time::sleep(heartbeat) => {
                self.ready.push_back(Bytes::from_static(sse::COMMENT.as_bytes()));
            }
        }
    }

    /// The server stops: the turns have ended by now, and whoever watched one sees its end.
    async fn finish(&mut self) {
        let until = *self.rest.get_or_insert_with(|| Instant::now() + REST);
        match timeout_at(until, self.watched.next()).await {
            Ok(watched) if Instant::now() < until => self.take(watched),
            Ok(_) | Err(_) => self.close("shutting_down"),
        }
    }

    fn take(&mut self, watched: Option<Watched>) {
        match watched {
            Some(Watched::Frames(frames)) => self.send(&frames),
            Some(Watched::Resync(resync)) => self.send(&[resync.snapshot]),
            Some(Watched::Closed(closed)) => {
                self.after = self.after.max(closed.after());
                self.close(closed.as_str());
            }
            None => self.is_over = true,
        }
    }

    fn send(&mut self, frames: &[WireFrame]) {
        let mut piece = BytesMut::new();
        for frame in frames {
            sse::frame(&mut piece, &self.session, frame);
            self.app.metrics.frames.fetch_add(1, Ordering::Relaxed);
            self.after = frame.seq;
            if piece.len() >= PIECE {
                self.ready.push_back(piece.split().freeze());
            }
            if self.is_last(frame) {
                self.is_over = true;
                break;
            }
        }
        if !piece.is_empty() {
            self.ready.push_back(piece.freeze());
        }
    }

    /// Whether the stream ends by itself behind this frame.
    fn is_last(&mut self, frame: &WireFrame) -> bool {
        match &self.until {
            Until::Never => false,
            Until::EndOf(run) => is_end(frame) && run_of(frame).as_ref() == Some(run),
            Until::AnswerTo(message) => {
                if let Some(run) = taken(frame, message) {
                    self.until = Until::EndOf(run);
                }
                false
            }
        }
    }

    /// Says why nothing more comes, and where to go on.
    fn close(&mut self, why: &str) {
        self.app.metrics.streams_cut.fetch_add(1, Ordering::Relaxed);
        let after = Position::write(&self.session, self.after);
        let mut piece = BytesMut::new();
        sse::named(&mut piece, CLOSED, &json!({ "why": why, "after": after }).to_string());
        self.ready.push_back(piece.freeze());
        self.is_over = true;
    }
}

fn is_end(frame: &WireFrame) -> bool {
    matches!(frame.kind, "run.finished" | "run.failed")
}

fn run_of(frame: &WireFrame) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(&frame.json).ok()?;
    json.get("run")?.as_str().map(str::to_owned)
}

/// The turn that took the message, if this frame says so.
fn taken(frame: &WireFrame, message: &str) -> Option<String> {
    if frame.kind != "message.unqueued" {
        return None;
    }
    let json: serde_json::Value = serde_json::from_slice(&frame.json).ok()?;
    let is_it = json.get("message")?.as_str()? == message;
    is_it.then(|| run_of(frame)).flatten()
}
