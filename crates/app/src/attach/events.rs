//! The events of a session, as the server sends them.

use std::collections::VecDeque;

use reqwest::Response;
use tagline_protocol::{AnyFrame, Frame};
use tagline_server::sse::{Message, Reader};

/// An open stream.
pub(super) struct Events {
    response: Response,
    reader: Reader,
    ready: VecDeque<Message>,
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
            if let Some(message) = self.ready.pop_front() {
                return read(&message);
            }
            match self.response.chunk().await {
                Ok(Some(piece)) => self.ready.extend(self.reader.feed(&piece)),
                Ok(None) | Err(_) => return Next::Over,
            }
        }
    }
}

fn read(message: &Message) -> Next {
    if message.event == "stream.closed" {
        return Next::Over;
    }
    let frame = serde_json::from_str::<AnyFrame>(&message.data).ok();
    match frame.as_ref().and_then(AnyFrame::frame) {
        Some(frame) => Next::Frame(Box::new(frame.clone())),
        None => Next::Other(frame.map(|any| any.seq())),
    }
}
