//! Why something was not fetched: facts in variants, words in one place.

use std::{io, time::Duration};

use crate::{address::Refusal, hosts::BadEntry};

/// How much of an address messages show, in characters.
const SHOWN: usize = 200;

/// Why an address was not fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{url}`{}: {problem}", redirected(.from.as_deref()))]
pub struct NetError {
    /// The address that was the trouble, at most 200 characters of it, without user and password.
    pub url: String,
    /// The address that led there by a redirect.
    pub from: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl NetError {
    /// What kind of trouble it is. What a redirect wrote is not the request's fault.
    #[must_use]
    pub const fn class(&self) -> Class {
        match (self.problem.class(), &self.from) {
            (Class::Call, Some(_)) => Class::Failed,
            (class, _) => class,
        }
    }
}

fn redirected(from: Option<&str>) -> String {
    from.map_or_else(String::new, |from| format!(", where `{from}` redirects to"))
}

/// What kind of trouble it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The request is wrong as it was written.
    Call,
    /// A rule forbids it: asking again does not help.
    Refused,
    /// It may work later.
    Later,
    /// The other side does what cannot be used.
    Failed,
}

/// What is wrong. Matched without a wildcard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No address.
    #[error(
        "expected an address such as `https://example.com/page`, but this is none ({0}); write the whole \
         address"
    )]
    NotAUrl(String),
    /// Over the bound, in bytes.
    #[error("expected at most {limit} bytes of address, but found {found}; shorten it")]
    TooLong {
        /// The bound.
        limit: usize,
        /// The length.
        found: usize,
    },
    /// Something else than the web.
    #[error("expected `http` or `https`, but found `{0}`; nothing else is fetched")]
    Scheme(String),
    /// No host is written like this.
    #[error("no valid host: {0}; write the host name as it is registered")]
    Host(String),
    /// `localhost` and what is below it (RFC 6761, 6.3).
    #[error(
        "`{0}` is a name of this machine (127.0.0.1, RFC 6761); nothing fetched may reach it, and no \
         setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`"
    )]
    LocalName(String),
    /// A port at which this very program listens.
    #[error(
        "port {0} is our own control port; nothing that a model steers may reach it at any address, and \
         no setting opens it"
    )]
    OwnPort(u16),
    /// An address that is not one of the public internet.
    #[error("{0}")]
    Address(Refusal),
    /// The list has another hosts.
    #[error("`{0}` is not in the list of allowed hosts; the user can add `{0}` to it")]
    NotListed(String),
    /// The list allows nothing.
    #[error("the list of allowed hosts cannot be read, so it allows nothing; mend it: {0}")]
    BrokenList(BadEntry),
    /// An address in the address.
    #[error(
        "it holds an address of `{0}`, which is not in the list of allowed hosts, and an allowed page \
         must not show another one; the user can add `{0}` to it"
    )]
    Embedded(String),
    /// Something in the address that begins like one and leads nobody knows where.
    #[error(
        "it holds `{0}`, which begins like an address and cannot be read, while a list says which hosts \
         are allowed; leave it out"
    )]
    Unreadable(String),
    /// Too many requests to one host.
    #[error("slow down: at most {limit} requests a minute go to `{host}`; wait {seconds} s")]
    TooOften {
        /// The host.
        host: String,
        /// How many a minute.
        limit: usize,
        /// Until the next one may go, in seconds.
        seconds: u64,
    },
    /// A header that is not for the caller to say.
    #[error("the header `{0}` is set by the client itself; leave it out")]
    Header(String),
    /// A header with characters that no header has.
    #[error("the header `{0}` holds characters that no header can carry; leave them out")]
    HeaderText(String),
    /// The name is not known.
    #[error("its host was not found: {0}; check the spelling of the name")]
    LookUp(String),
    /// No connection.
    #[error("no connection to {address}: {said}; try again later")]
    Connect {
        /// The last address tried.
        address: String,
        /// The system's words.
        said: String,
    },
    /// No connection in time.
    #[error("no connection within {} s; try again later", .0.as_secs_f64())]
    ConnectTime(Duration),
    /// TLS failed.
    #[error("no secure connection: {0}; ask for another address")]
    Tls(String),
    /// Not finished in time.
    #[error(
        "not finished within {} s, {received} bytes of the body had come; ask for a smaller part",
        .limit.as_secs_f64()
    )]
    Time {
        /// The bound.
        limit: Duration,
        /// Bytes of the body that had come.
        received: u64,
    },
    /// The body is over the bound.
    #[error(
        "the body is over {limit} bytes, reading stopped after {received}; ask for a part of it"
    )]
    TooLarge {
        /// The bound, in bytes.
        limit: u64,
        /// Bytes that had come, as they were sent.
        received: u64,
    },
    /// The body grew too much when it was unpacked.
    #[error(
        "{received} bytes grew to {unpacked} when unpacked, over {limit} times as many; ask for another \
         address"
    )]
    Ratio {
        /// The bound.
        limit: u64,
        /// Bytes as they were sent.
        received: u64,
        /// Bytes that came of them.
        unpacked: u64,
    },
    /// A coding that was not asked for.
    #[error("the body is sent as `{0}`, but only `gzip` was asked for; ask for another address")]
    Coding(String),
    /// The answer broke off or is none.
    #[error("the answer cannot be read: {0}; try again later")]
    Broken(String),
    /// Too many redirects.
    #[error("more than {0} redirects; ask for the page itself")]
    Redirects(usize),
    /// From `https` to `http`.
    #[error(
        "a redirect from https to http, which anyone on the way could read; ask for it by https"
    )]
    Downgrade,
    /// A redirect that would carry a body to another origin.
    #[error(
        "a redirect that takes the body of the request to another origin; send it there itself"
    )]
    BodyElsewhere,
}

impl Problem {
    /// What kind of trouble it is.
    #[must_use]
    pub const fn class(&self) -> Class {
        match self {
            Self::NotAUrl(_)
            | Self::TooLong { .. }
            | Self::Scheme(_)
            | Self::Host(_)
            | Self::Header(_)
            | Self::HeaderText(_) => Class::Call,
            Self::LocalName(_)
            | Self::OwnPort(_)
            | Self::Address(_)
            | Self::NotListed(_)
            | Self::BrokenList(_)
            | Self::Embedded(_)
            | Self::Unreadable(_)
            | Self::Downgrade
            | Self::BodyElsewhere => Class::Refused,
            Self::TooOften { .. }
            | Self::Connect { .. }
            | Self::ConnectTime(_)
            | Self::Time { .. }
            | Self::Broken(_) => Class::Later,
            Self::LookUp(_)
            | Self::Tls(_)
            | Self::TooLarge { .. }
            | Self::Ratio { .. }
            | Self::Coding(_)
            | Self::Redirects(_) => Class::Failed,
        }
    }

    /// With the address it is about.
    pub(crate) fn at(self, url: &str, from: Option<&str>) -> NetError {
        NetError { url: shown(url), from: from.map(shown), problem: self }
    }
}

/// The beginning, without control characters, and without what may be user and password.
fn shown(url: &str) -> String {
    let (before, rest) = url.find("//").map_or(("", url), |at| url.split_at(at + 2));
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let all = [before, host, behind].concat();
    let mut chars = all.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut text: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

/// What the system says, without its number.
pub(crate) fn said(error: &io::Error) -> String {
    error.to_string().split(" (os error ").next().unwrap_or_default().to_owned()
}
