//! A frame as it is sent.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use tagline_protocol::Frame;

/// A frame as it is sent to readers: written as JSON once, shared by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireFrame {
    /// The first number that it covers. Where it is `seq`, the JSON does not say so.
    pub from: u64,
    /// The last number that it covers: where a reader stands that has seen it.
    pub seq: u64,
    /// The type, such as `tool.done`.
    pub kind: &'static str,
    /// One JSON object on one line.
    pub json: Bytes,
}

/// A frame and how it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) frame: Arc<Frame>,
    pub(crate) wire: WireFrame,
}

#[derive(Serialize)]
struct Spanning<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    #[serde(flatten)]
    frame: &'a Frame,
}

impl Encoded {
    pub(crate) fn new(frame: Frame) -> Self {
        let from = frame.seq;
        Self { wire: wire(from, &frame), frame: Arc::new(frame) }
    }

    /// What it takes, in bytes: the frame holds about what its JSON holds.
    pub(crate) const fn cost(&self) -> usize {
        self.wire.json.len() * 2
    }
}

/// The frame as one that covers everything from the number `from` on.
pub(crate) fn wire(from: u64, frame: &Frame) -> WireFrame {
    let spanning = Spanning { from: (from < frame.seq).then_some(from), frame };
    // Numbers, texts and JSON values alone: there is nothing that cannot be written.
    let json = serde_json::to_vec(&spanning).unwrap_or_default();
    WireFrame { from, seq: frame.seq, kind: frame.event.kind(), json: json.into() }
}
