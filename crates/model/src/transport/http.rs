//! Calls over HTTP, with the key.
#![expect(
    clippy::disallowed_types,
    reason = "the provider is whom the user named, on this machine too; no model steers this client"
)]

use std::{error::Error as _, fmt, io, time::Duration};

use futures_util::{StreamExt as _, future::BoxFuture};
use reqwest::{
    Client,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
    redirect::{Action, Attempt, Policy},
};
use serde_json::Value;
use tagline_secret::Secret;

use super::{Address, Answer, Call, Headers, Method, Transport, TransportFault, mask};

/// Redirects followed within one origin.
const REDIRECTS: usize = 5;

/// Where the key of a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer …`.
    Bearer,
    /// The key alone under this name.
    Plain(&'static str),
}

/// A key and the header it goes into.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) header: KeyHeader,
    pub(crate) secret: Secret,
}

/// Sends calls to one address, and the key nowhere else.
pub(crate) struct HttpTransport {
    client: Client,
    address: Address,
    key: Option<Key>,
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport")
            .field("address", &self.address.text())
            .field("has_key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

impl HttpTransport {
    /// A transport to `address`.
    ///
    /// # Errors
    ///
    /// [`TransportFault::Unusable`] if the TLS library cannot be set up.
    pub(crate) fn new(
        address: Address,
        key: Option<Key>,
        connect_timeout: Duration,
    ) -> Result<Self, TransportFault> {
        let builder = Client::builder()
            .connect_timeout(connect_timeout)
            .redirect(Policy::custom(same_origin))
            .referer(false)
            // A proxy that compresses holds back what it has not filled a block with.
            .no_gzip()
            .user_agent(concat!("tagline/", env!("CARGO_PKG_VERSION")));
        // A proxy is for the way out; this machine is reached directly.
        let builder = if address.is_local() { builder.no_proxy() } else { builder };
        // Without TLS there is nothing to trust, and reading the system's roots takes a while. A redirect
        // to `https` leads to another origin, which is not followed.
        let builder =
            if address.is_secure() { builder } else { builder.tls_certs_only(std::iter::empty()) };
        let client = builder.build().map_err(|error| TransportFault::Unusable(words(&error)))?;
        Ok(Self { client, address, key })
    }

    fn request(&self, call: Call) -> Result<reqwest::RequestBuilder, TransportFault> {
        let url = self.address.join(&call.path);
        let mut request = match call.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url),
        };
        for (name, value) in call.headers {
            request = request.header(name, value);
        }
        if let Some(key) = &self.key {
            let (name, value) = key_header(key)?;
            request = request.header(name, value);
        }
        Ok(if call.body == Value::Null { request } else { request.json(&call.body) })
    }
}

impl Transport for HttpTransport {
    fn send(&self, call: Call) -> BoxFuture<'static, Result<Answer, TransportFault>> {
        let request = self.request(call);
        Box::pin(async move {
            let response = request?.send().await.map_err(|error| before_answer(&error))?;
            let headers = response.headers().iter().filter_map(|(name, value)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            });
            Ok(Answer {
                status: response.status().as_u16(),
                headers: Headers(headers.collect()),
                body: Box::pin(
                    response
                        .bytes_stream()
                        .map(|chunk| chunk.map_err(|error| TransportFault::Broken(words(&error)))),
                ),
            })
        })
    }

    fn mask(&self, bytes: &mut [u8]) {
        if let Some(key) = &self.key {
            mask(&key.secret, bytes);
        }
    }
}

/// Follows within the origin; anything else comes back as the answer that it is.
fn same_origin(attempt: Attempt<'_>) -> Action {
    let stays = attempt
        .previous()
        .last()
        .is_some_and(|previous| previous.origin() == attempt.url().origin());
    if stays && attempt.previous().len() <= REDIRECTS { attempt.follow() } else { attempt.stop() }
}

fn key_header(key: &Key) -> Result<(HeaderName, HeaderValue), TransportFault> {
    let secret = key.secret.expose();
    let (name, text) = match key.header {
        KeyHeader::Bearer => (AUTHORIZATION, format!("Bearer {secret}")),
        KeyHeader::Plain(name) => (HeaderName::from_static(name), secret.to_owned()),
    };
    let mut value = HeaderValue::from_str(&text).map_err(|_| {
        TransportFault::Unusable("the key holds characters that no header can carry".to_owned())
    })?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn before_answer(error: &reqwest::Error) -> TransportFault {
    let said = words(error);
    if error.is_dns() {
        TransportFault::Dns
    } else if error.is_connect() {
        connecting(error, said)
    } else if error.is_builder() {
        TransportFault::Unusable(said)
    } else {
        TransportFault::Reset(said)
    }
}

fn connecting(error: &reqwest::Error, said: String) -> TransportFault {
    let lower = said.to_lowercase();
    // The TLS library wraps what it cannot read as invalid data.
    let is_tls = is_of(error, io::ErrorKind::InvalidData)
        || ["certificate", "tls", "handshake"].iter().any(|word| lower.contains(word));
    if error.is_timeout() {
        TransportFault::ConnectTimeout
    } else if is_of(error, io::ErrorKind::ConnectionRefused) {
        TransportFault::Refused
    } else if is_tls {
        TransportFault::Tls(said)
    } else {
        TransportFault::Reset(said)
    }
}

/// Whether an error of the system is of this kind, however it is wrapped.
fn is_of(error: &reqwest::Error, kind: io::ErrorKind) -> bool {
    let sources = std::iter::successors(error.source(), |&error| {
        // An error in an error of the system is not among its sources.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        match inner {
            Some(inner) => Some(inner as &(dyn std::error::Error + 'static)),
            None => error.source(),
        }
    });
    sources.filter_map(|error| error.downcast_ref::<io::Error>()).any(|error| error.kind() == kind)
}

/// The innermost words of an error: the outer ones repeat the address.
fn words(error: &reqwest::Error) -> String {
    let Some(mut inner) = error.source() else { return "the request failed".to_owned() };
    while let Some(next) = inner.source() {
        inner = next;
    }
    inner.to_string()
}
