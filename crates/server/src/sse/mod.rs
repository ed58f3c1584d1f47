//! Server-sent events as text: how frames are written, and how they are read again.
//!
//! Pure: bytes in, bytes out.

mod read;
mod write;

pub use read::{Message, Reader};
pub use write::{COMMENT, RETRY, frame, named};
