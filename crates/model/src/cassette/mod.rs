//! Recordings of what providers sent, and a model that plays them through the same decoders.
//!
//! A cassette is a file of JSON lines. The first says which wire format it is; then, for each
//! exchange, the call without its key, the head of the answer, the chunks as the network cut them
//! with the time between them, and how it ended.

mod line;
mod record;
mod replay;

pub use line::CassetteError;
pub(crate) use line::Head;
pub(crate) use record::RecordingTransport;
pub use replay::CassetteModel;
