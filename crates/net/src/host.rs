//! A host as it was written, in its one spelling.

use std::{fmt, net::IpAddr};

use crate::error::Problem;

/// Longest name of a host, and longest part of one between dots, in bytes (RFC 1035, 2.3.4).
const LONGEST: (usize, usize) = (253, 63);

/// A host: what is judged, looked up, asked for by name and compared with lists. Read by the rules
/// of WHATWG's URL standard: numbers in any base, percent signs, other scripts' digits and dots all
/// come to one spelling, in lower case and without a last dot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// A name, in ASCII.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Host {
    /// A host alone, without scheme and port; an IPv6 address stands in brackets.
    ///
    /// # Errors
    ///
    /// [`Problem::Host`] where no host is written like this, and [`Problem::LocalName`].
    pub fn read(text: &str) -> Result<Self, Problem> {
        if let Some(odd) = text.chars().find(|c| c.is_control()) {
            return Err(Problem::Host(format!("U+{:04X} is in no host name", u32::from(odd))));
        }
        let host = url::Host::parse(text).map_err(|error| Problem::Host(error.to_string()))?;
        Self::of(host)
    }

    /// What the parser of URLs read.
    pub(crate) fn of<T: AsRef<str>>(host: url::Host<T>) -> Result<Self, Problem> {
        match host {
            url::Host::Ipv4(address) => Ok(Self::Address(address.into())),
            url::Host::Ipv6(address) => Ok(Self::Address(address.into())),
            url::Host::Domain(name) => Self::named(name.as_ref()),
        }
    }

    fn named(name: &str) -> Result<Self, Problem> {
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        let bad = |what: &str| Err(Problem::Host(what.to_owned()));
        let is_usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some(odd) = name.chars().find(|c| !is_usual(*c)) {
            return bad(&format!("U+{:04X} is in no host name", u32::from(odd)));
        }
        let (whole, part) = LONGEST;
        if name.len() > whole || name.split('.').any(|it| it.is_empty() || it.len() > part) {
            return bad("a part of the name is empty or too long");
        }
        if name == "localhost" || name.ends_with(".localhost") {
            return Err(Problem::LocalName(name));
        }
        Ok(Self::Name(name))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}
