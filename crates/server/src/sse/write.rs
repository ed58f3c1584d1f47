//! Frames as text.

use bytes::{BufMut as _, BytesMut};
use tagline_session::{Position, WireFrame};

/// The first line of a stream: how long to wait before coming back, in milliseconds.
pub const RETRY: &str = "retry: 1000\n\n";

/// Keeps a connection from looking dead.
pub const COMMENT: &str = ": still here\n\n";

/// Appends one frame of `session`: its place, its type and its JSON, which is one line.
pub fn frame(into: &mut BytesMut, session: &str, frame: &WireFrame) {
    let place = Position::write(session, frame.seq);
    into.reserve(place.len() + frame.kind.len() + frame.json.len() + 24);
    for part in ["id: ", &place, "\nevent: ", frame.kind, "\ndata: "] {
        into.put_slice(part.as_bytes());
    }
    into.put_slice(&frame.json);
    into.put_slice(b"\n\n");
}

/// Appends an event that has no place of its own: a reader that saw it goes on from where it was.
/// `data` is one line.
pub fn named(into: &mut BytesMut, event: &str, data: &str) {
    for part in ["event: ", event, "\ndata: ", data, "\n\n"] {
        into.put_slice(part.as_bytes());
    }
}
