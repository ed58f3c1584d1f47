//! The events of a session, as the server sends them.

use std::{collections::VecDeque, time::Duration};

use reqwest::Response;
use serde_json::Value;
use tagline_protocol::{AnyFrame, Frame};
use tagline_server::sse::{Message, Reader};
use tagline_session::SNAPSHOT;
use tokio::time::timeout;

/// A server says something every ten seconds, so that one that is silent this long is lost.
const SILENCE: Duration = Duration::from_secs(25);

/// An open stream.
pub(super) struct Events {
    response: Response,
    reader: Reader,
    ready: VecDeque<Next>,
}

/// What comes next.
pub(super) enum Next {
    /// A frame.
    Frame(Box<Frame>),
    /// Something that is none of ours to show, and the place behind it if it names one.
    Other(Option<u64>),
    /// The stream is over; another one goes on where this one ended.
    Over,
}

impl Events {
    pub(super) fn new(response: Response) -> Self {
        Self { response, reader: Reader::default(), ready: VecDeque::new() }
    }

    /// The next one. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Next {
        loop {
            if let Some(next) = self.ready.pop_front() {
                return next;
            }
            match timeout(SILENCE, self.response.chunk()).await {
                Ok(Ok(Some(piece))) => {
                    self.ready.extend(self.reader.feed(&piece).iter().flat_map(read));
                }
                Ok(Ok(None) | Err(_)) | Err(_) => return Next::Over,
            }
        }
    }
}

fn read(message: &Message) -> Vec<Next> {
    match message.event.as_str() {
        "stream.closed" => vec![Next::Over],
        SNAPSHOT => snapshot(&message.data),
        _ => vec![frame(&message.data)],
    }
}

fn frame(data: &str) -> Next {
    let frame = serde_json::from_str::<AnyFrame>(data).ok();
    match frame.as_ref().and_then(AnyFrame::frame) {
        Some(frame) => Next::Frame(Box::new(frame.clone())),
        None => Next::Other(frame.map(|any| any.seq())),
    }
}

/// A state in place of more frames than are sent again: it holds the last ones, among them those
/// of the turn that runs.
fn snapshot(data: &str) -> Vec<Next> {
    let state: Value = serde_json::from_str(data).unwrap_or_default();
    let frames = state.pointer("/state/frames").and_then(Value::as_array);
    let frames = frames.into_iter().flatten().map(|json| frame(&json.to_string()));
    frames.chain([Next::Other(state.get("seq").and_then(Value::as_u64))]).collect()
}
