//! Hosts in rules: whole labels, never parts of them.

use std::fmt;

/// A host, or all hosts below one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostPattern {
    /// In lower case, without a dot at its end.
    name: String,
    is_below: bool,
}

impl HostPattern {
    /// `example.org`, or `*.example.org`; `None` where the text is neither.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (name, is_below) = text.strip_prefix("*.").map_or((text, false), |name| (name, true));
        let name = plain(name);
        let is_host = is_v6(&name) || name.split('.').all(is_label);
        (is_host && !(is_below && is_v6(&name))).then_some(Self { name, is_below })
    }

    /// Whether the host is this one, or lies below it.
    pub(crate) fn fits(&self, host: &str) -> bool {
        let host = plain(host);
        match self.is_below {
            false => host == self.name,
            true => host.strip_suffix(&self.name).is_some_and(|head| head.ends_with('.')),
        }
    }

    /// Whether a word of a command may name such a host: alone, in an address, behind a user.
    pub(crate) fn may_be_in(&self, word: &str) -> bool {
        let is_other = |it: char| !it.is_ascii_alphanumeric() && !"-._[]".contains(it);
        let bare = |piece: &str| piece.trim_matches(['[', ']']).to_owned();
        // In an address of version 6 the colon divides nothing.
        word.split(is_other).chain([word]).any(|piece| self.fits(&bare(piece)))
    }

    /// Whether it is a whole top level.
    pub(crate) fn is_broad(&self) -> bool {
        self.is_below && !self.name.contains('.')
    }
}

/// In lower case, without brackets and the root's dot.
fn plain(host: &str) -> String {
    let host = host.trim_matches(['[', ']']);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

fn is_v6(name: &str) -> bool {
    name.parse::<std::net::Ipv6Addr>().is_ok()
}

fn is_label(label: &str) -> bool {
    let is_known = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
    (1..=63).contains(&label.len()) && label.bytes().all(is_known)
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_below { "*." } else { "" }, self.name)
    }
}
