//! Readers of a session.
//!
//! A reader pulls: it holds a position and asks for what follows it. Recent frames come from the
//! session's tail, which is bounded and shared; older ones come from the store. So whoever writes
//! never waits for a reader, and a reader that stops costs nothing beside the tail.

mod channel;
#[cfg(test)]
mod orders;
mod position;
mod reader;
mod snapshot;
mod spans;
mod tail;
mod wire;

pub(crate) use channel::Channel;
pub use position::Position;
pub use reader::{Closed, Resync, Watched, Watching, Why};
pub(crate) use reader::{Opening, WatchLimits};
pub use snapshot::{SNAPSHOT, Snapshot};
pub use wire::WireFrame;
