//! The way to a provider: one request out, a status and a stream of bytes back.
//!
//! Keys live behind this seam: a [`Call`] has none, so what records a call cannot record a key.

mod address;
mod http;
mod mask;

use std::{fmt, pin::Pin, sync::Arc};

use bytes::Bytes;
use futures_util::{Stream, future::BoxFuture};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use address::Address;
pub(crate) use http::{HttpTransport, Key, KeyHeader};
pub(crate) use mask::mask;

/// A request without secrets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// Path and query below the base address, such as `/chat/completions`.
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// JSON; `Null` sends no body.
    pub(crate) body: Value,
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(crate) body: ByteStream,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// Bytes as the network cut them.
pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, TransportFault>> + Send>>;

/// Response headers by lower-case name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headers(pub(crate) Vec<(String, String)>);

impl Headers {
    /// The first header of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What can go wrong on the way, also as a cassette writes it. The words are the system's, without
/// addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TransportFault {
    /// Nobody listens there.
    Refused,
    /// The name has no address.
    Dns,
    /// No connection within the limit.
    ConnectTimeout,
    /// The other side's certificate or handshake.
    Tls(String),
    /// The connection broke before there was an answer.
    Reset(String),
    /// The connection broke in the middle of the answer.
    Broken(String),
    /// The request could not be built or sent at all.
    Unusable(String),
    /// A cassette that does not fit; never in one.
    #[serde(skip)]
    Cassette(String),
}

/// Sends calls.
pub(crate) trait Transport: Send + Sync + fmt::Debug {
    /// Sends one call. Dropping the future, or the answer's body, ends the connection.
    fn send(&self, call: Call) -> BoxFuture<'static, Result<Answer, TransportFault>>;

    /// Writes stars over the key in bytes that are about to be shown or kept.
    fn mask(&self, bytes: &mut [u8]);

    /// What went wrong beside the calls since this was asked last, in a sentence for the user.
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// Writes stars over the key in a text.
pub(crate) fn masked(transport: &dyn Transport, text: String) -> String {
    let mut bytes = text.into_bytes();
    transport.mask(&mut bytes);
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A shared transport.
pub(crate) type SharedTransport = Arc<dyn Transport>;
