//! An address, read once: everything that follows reads what was read here.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use url::{Origin, Url};

use crate::{error::Problem, host::Host};

/// Longest address, in bytes.
const LONGEST: usize = 8 * 1024;

/// Where a request goes. It has no user, no password and no fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    url: Url,
    host: Host,
    port: u16,
}

/// User and password of an address, as their header. `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials(pub(crate) String);

impl Target {
    /// Reads an address as it was written.
    ///
    /// # Errors
    ///
    /// A [`Problem`] where it cannot be read, is not `http` or `https`, or names this machine.
    pub fn read(text: &str) -> Result<Self, Problem> {
        Ok(Self::with_credentials(text)?.0)
    }

    /// What an address says, and who asks.
    pub(crate) fn with_credentials(text: &str) -> Result<(Self, Option<Credentials>), Problem> {
        within_length(text)?;
        Self::of(Url::parse(text).map_err(|error| Problem::NotAUrl(error.to_string()))?)
    }

    /// Where a redirect leads. What it says of a user is the server's word and not ours.
    pub(crate) fn join(&self, location: &str) -> Result<Self, Problem> {
        within_length(location)?;
        let url = self.url.join(location).map_err(|error| Problem::NotAUrl(error.to_string()))?;
        Ok(Self::of(url)?.0)
    }

    fn of(mut url: Url) -> Result<(Self, Option<Credentials>), Problem> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Problem::Scheme(url.scheme().to_owned()));
        }
        let missing = || Problem::NotAUrl("it names no host".to_owned());
        let host = Host::of(url.host().ok_or_else(missing)?)?;
        let port = url.port_or_known_default().ok_or_else(missing)?;
        let credentials = Credentials::of(&url);
        let written = host.to_string();
        url.set_host(Some(&written)).map_err(|error| Problem::NotAUrl(error.to_string()))?;
        // An address with a host takes all of these.
        let _ = (url.set_username(""), url.set_password(None));
        url.set_fragment(None);
        Ok((Self { url, host, port }, credentials))
    }

    /// The host.
    #[must_use]
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// The port, also where it goes without saying.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The whole address, in its one spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }

    pub(crate) fn origin(&self) -> Origin {
        self.url.origin()
    }

    /// What the header `host` says.
    pub(crate) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.to_string(),
        }
    }

    /// What the first line of the request says.
    pub(crate) fn path(&self) -> &str {
        &self.url[url::Position::BeforePath..url::Position::AfterQuery]
    }
}

fn within_length(text: &str) -> Result<(), Problem> {
    let found = text.len();
    if found > LONGEST { Err(Problem::TooLong { limit: LONGEST, found }) } else { Ok(()) }
}

impl Credentials {
    fn of(url: &Url) -> Option<Self> {
        let decoded = |text| percent_decode_str(text).collect::<Vec<u8>>();
        let password = url.password().unwrap_or_default();
        if url.username().is_empty() && password.is_empty() {
            return None;
        }
        let both = [decoded(url.username()), b":".to_vec(), decoded(password)].concat();
        Some(Self(format!("Basic {}", STANDARD.encode(both))))
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_is_not_shown() {
        assert_eq!(format!("{:?}", Credentials("Basic bWU6cGFzcw==".to_owned())), "Credentials");
    }
}
