//! A base address: where a provider lives, and where its key may go.

use std::net::IpAddr;

use reqwest::Url;

/// An `http` or `https` address without credentials, query, fragment and last slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(Url);

impl Address {
    /// Reads an address; a bare `host` or `host:port` means `http`. The error is what was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "an address such as `http://127.0.0.1:8080/v1`";
        let text = text.trim();
        let url = if text.contains("://") {
            Url::parse(text)
        } else {
            Url::parse(&format!("http://{text}"))
        };
        let mut url = url.map_err(|_| EXPECTED)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(EXPECTED);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("an address without a user name or password in it");
        }
        url.set_query(None);
        url.set_fragment(None);
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The same address with a default port where none was written, and `127.0.0.1` for "every address".
    pub(crate) fn for_client(mut self, port: u16, text: &str) -> Self {
        let has_port = text
            .rsplit(':')
            .next()
            .is_some_and(|tail| tail.trim_end_matches('/').parse::<u16>().is_ok());
        if !has_port && self.0.scheme() == "http" {
            // Cannot fail: the address has a host.
            let _ = self.0.set_port(Some(port));
        }
        if matches!(self.0.host_str(), Some("0.0.0.0" | "[::]")) {
            let _ = self.0.set_host(Some("127.0.0.1"));
        }
        self
    }

    /// The same address below `path` where it has no path of its own.
    pub(crate) fn with_default_path(mut self, path: &str) -> Self {
        if self.0.path() == "/" || self.0.path().is_empty() {
            self.0.set_path(path);
        }
        self
    }

    /// The address as text, without a last slash.
    pub(crate) fn text(&self) -> String {
        self.0.as_str().trim_end_matches('/').to_owned()
    }

    /// `path` below the address.
    pub(crate) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.text())
    }

    /// Scheme, host and port, as text.
    pub(crate) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Host and port.
    pub(crate) fn server(&self) -> Option<(String, u16)> {
        Some((self.0.host_str()?.to_owned(), self.0.port_or_known_default()?))
    }

    /// Whether it is reached by TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether it is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        match self.0.host_str() {
            Some("localhost") => true,
            Some(host) => host
                .trim_matches(['[', ']'])
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback()),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let read = |text: &str| {
            Address::parse(text)
                .map(|address| address.for_client(11_434, text).with_default_path("/v1").text())
        };
        assert_eq!(read("127.0.0.1").unwrap(), "http://127.0.0.1:11434/v1");
        assert_eq!(read("0.0.0.0:99").unwrap(), "http://127.0.0.1:99/v1");
        assert_eq!(read("http://box/").unwrap(), "http://box:11434/v1");
        assert_eq!(read("https://api.example/x/?k=1#f").unwrap(), "https://api.example/x");
        assert_eq!(read("[::1]:80").unwrap(), "http://[::1]/v1");
        assert!(read("http://user:pass@host").unwrap_err().contains("password"));
        assert!(read("ftp://host").is_err());
        assert!(read("").is_err());
    }

    #[test]
    fn an_address_names_its_server() {
        let server = |text: &str| crate::server_of(text);
        assert_eq!(server("http://127.0.0.1:8080/v1"), Some(("127.0.0.1".to_owned(), 8080)));
        assert_eq!(server("https://api.example/v1"), Some(("api.example".to_owned(), 443)));
        assert_eq!(server("http://[::1]/"), Some(("[::1]".to_owned(), 80)));
        assert_eq!(server(""), None);
    }

    #[test]
    fn only_loopback_is_local() {
        let is_local = |text: &str| Address::parse(text).unwrap().is_local();
        assert!(
            is_local("http://localhost:1") && is_local("127.9.9.9") && is_local("http://[::1]:5")
        );
        assert!(!is_local("http://127.0.0.1.example") && !is_local("https://192.168.0.1"));
    }
}
