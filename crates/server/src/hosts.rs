//! By which names this server may be called: a list, compared whole.

use std::net::SocketAddr;

use axum::http::{
    Extensions, HeaderMap, HeaderName, Uri,
    header::{HOST, ORIGIN},
};

use crate::ApiError;

/// The names of this server, in lower case and with their ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    names: Vec<String>,
}

impl Hosts {
    /// The names of loopback with this port, and `extra` ones that the user listed, such as
    /// `tagline.lan` or `tagline.lan:8443`. What does not read as a name is left out and handed
    /// back: a broken list means fewer names, never all.
    #[must_use]
    pub fn new(address: SocketAddr, extra: &[String]) -> (Self, Vec<String>) {
        let port = address.port();
        let mut names: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .flat_map(|name| with_port(name, port))
            .collect();
        let (good, bad): (Vec<&String>, Vec<&String>) =
            extra.iter().partition(|name| is_name(name));
        for name in good.into_iter().map(|name| name.to_ascii_lowercase()) {
            if name.contains(':') { names.push(name) } else { names.extend(both(&name, port)) }
        }
        (Self { names }, bad.into_iter().cloned().collect())
    }

    /// Whether the request was sent to this server by one of its names. Forwarded headers are not
    /// looked at. Hands back the name.
    pub(crate) fn check<'a>(&self, uri: &Uri, headers: &'a HeaderMap) -> Result<&'a str, ApiError> {
        let refuse = |found| Err(ApiError::Host { found });
        // `GET http://other/ HTTP/1.1` means another server than its `Host` does.
        if uri.authority().is_some() {
            return refuse("a whole address in the first line");
        }
        let mut values = headers.get_all(HOST).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return refuse("none or several");
        };
        let Ok(host) = value.to_str() else { return refuse("another one") };
        if self.names.iter().any(|name| name.eq_ignore_ascii_case(host)) {
            return Ok(host);
        }
        refuse("another one")
    }

    /// The first name: how to reach the server.
    #[must_use]
    pub fn first(&self) -> &str {
        self.names.first().map_or("127.0.0.1", String::as_str)
    }
}

/// Port 80 is left out by browsers.
fn with_port(name: &str, port: u16) -> Vec<String> {
    let whole = format!("{name}:{port}");
    if port == 80 { vec![whole, name.to_owned()] } else { vec![whole] }
}

/// A name of the user's own is also reached through a proxy, by its bare form.
fn both(name: &str, port: u16) -> Vec<String> {
    vec![format!("{name}:{port}"), name.to_owned()]
}

/// Labels of letters, digits and hyphens, and a port perhaps. No star, no address of every
/// interface.
fn is_name(text: &str) -> bool {
    let (name, port) = text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    let is_unspecified = name.split('.').all(|part| part.bytes().all(|byte| byte == b'0'));
    !name.is_empty() && name.split('.').all(is_label) && is_port && !is_unspecified
}

/// What a browser says about the page that asks, in a header of its own making.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Refuses what another site's page sends. `host` is the checked name by which we were called: our
/// own origin is exactly that name. A request without `Origin` is a program's, or an address that
/// the user typed.
pub(crate) fn check_origin(host: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    let refuse = |found| Err(ApiError::Foreign { found });
    let mut sites = headers.get_all(SITE).iter();
    if !sites.all(|site| matches!(site.as_bytes(), b"same-origin" | b"none")) {
        return refuse("the page of another site asks");
    }
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Ok(()),
        (Some(origin), None) if is_own(origin.to_str().unwrap_or_default(), host) => Ok(()),
        (Some(_), _) => refuse("its `Origin` is another one"),
    }
}

fn is_own(origin: &str, host: &str) -> bool {
    let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    name.is_some_and(|name| name.eq_ignore_ascii_case(host))
}

/// Whether the user follows a link to the page: the one thing that another site may cause, and it
/// carries nothing.
pub(crate) fn is_visit(headers: &HeaderMap) -> bool {
    let is = |name: &HeaderName, value: &[u8]| headers.get(name).is_some_and(|v| v == value);
    is(&MODE, b"navigate") && is(&DEST, b"document") && !headers.contains_key(ORIGIN)
}

/// The checked name by which a request called us.
#[derive(Clone, Debug)]
pub(crate) struct CalledAs(pub(crate) String);

impl CalledAs {
    pub(crate) fn of(extensions: &Extensions) -> &str {
        extensions.get::<Self>().map_or("", |called| &called.0)
    }
}
