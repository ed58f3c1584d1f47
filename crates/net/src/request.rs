//! What is asked for, and what came.

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{
        ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderName, HeaderValue, TE,
        TRAILER, TRANSFER_ENCODING, UPGRADE,
    },
};

use crate::{
    error::{NetError, Problem},
    gate::Checked,
};

/// Headers that say how a message travels and to whom.
const OURS: [HeaderName; 9] = [
    ACCEPT_ENCODING,
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HOST,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// One request.
///
/// # Examples
///
/// ```
/// use tagline_net::Request;
///
/// let request = Request::get("https://example.com/").header("accept", "text/html")?;
/// assert!(request.header("host", "another.example").is_err());
/// # Ok::<(), tagline_net::NetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) url: String,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Request {
    /// Asks for what is at an address. A user and password in it are sent as its header.
    #[must_use]
    pub fn get(url: &str) -> Self {
        Self::new(Method::GET, url, Bytes::new())
    }

    /// Asks for the headers alone.
    #[must_use]
    pub fn head(url: &str) -> Self {
        Self::new(Method::HEAD, url, Bytes::new())
    }

    /// Sends a body.
    #[must_use]
    pub fn post(url: &str, body: impl Into<Bytes>) -> Self {
        Self::new(Method::POST, url, body.into())
    }

    fn new(method: Method, url: &str, body: Bytes) -> Self {
        Self { url: url.to_owned(), method, headers: HeaderMap::new(), body }
    }

    /// With a header. It goes to the origin of the address and no further.
    ///
    /// # Errors
    ///
    /// [`Problem::Header`] for what says how a message travels and to whom, and
    /// [`Problem::HeaderText`].
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, NetError> {
        let at = |problem: Problem| problem.at(&self.url, None);
        let text = || Problem::HeaderText(name.chars().filter(|c| !c.is_control()).collect());
        let key = HeaderName::try_from(name).map_err(|_| at(text()))?;
        if OURS.contains(&key) || key.as_str().starts_with("proxy-") || key == "keep-alive" {
            return Err(at(Problem::Header(key.to_string())));
        }
        let mut value = HeaderValue::from_str(value).map_err(|_| at(text()))?;
        value.set_sensitive(true);
        self.headers.insert(key, value);
        Ok(self)
    }
}

/// One answer, whole.
#[derive(Clone, Debug)]
pub struct Response {
    /// The address that answered, in its one spelling, without user and password.
    pub url: String,
    /// The addresses that redirected there, first to last.
    pub redirects: Vec<String>,
    /// Who answered.
    pub peer: Checked,
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, unpacked.
    pub body: Bytes,
}
