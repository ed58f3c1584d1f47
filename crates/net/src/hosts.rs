//! Lists of hosts that may be reached.

use std::fmt;

use crate::{error::Problem, host::Host};

/// Which hosts may be asked for at all. Said by whoever makes the guard: there is no default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// Every host whose addresses are public.
    Public,
    /// Of these, the ones of a list.
    Listed(HostList),
}

/// A list of hosts, each a host or `*.` and the end of a name. Entries are compared after both were
/// brought to one spelling, by whole parts between dots; ports and users do not matter.
///
/// A list with an entry that cannot be read allows nothing, as an empty one.
///
/// # Examples
///
/// ```
/// use tagline_net::{Host, HostList};
///
/// let list = HostList::new(["example.com", "*.example.com"]);
/// assert!(list.allows(&Host::read("WWW.example.com.").unwrap()));
/// assert!(!list.allows(&Host::read("notexample.com").unwrap()));
/// assert!(!HostList::new(["example.com", "*"]).allows(&Host::read("example.com").unwrap()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostList(Result<Vec<Entry>, BadEntry>);

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    /// This host alone.
    Host(Host),
    /// Every name that ends in a dot and this.
    Below(String),
}

/// An entry that is no host and no `*.` suffix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{entry}`: expected a host such as `example.com`, or `*.example.com`, but {problem}")]
pub struct BadEntry {
    /// As it was written, at most 200 characters, none of them for control.
    pub entry: String,
    /// What is wrong with it.
    pub problem: String,
}

impl HostList {
    /// Reads a list.
    pub fn new<T: AsRef<str>>(entries: impl IntoIterator<Item = T>) -> Self {
        Self(entries.into_iter().map(|entry| Entry::read(entry.as_ref())).collect())
    }

    /// Whether the list has the host.
    #[must_use]
    pub fn allows(&self, host: &Host) -> bool {
        self.check(host).is_ok()
    }

    /// The entry that cannot be read, if there is one.
    #[must_use]
    pub fn bad_entry(&self) -> Option<&BadEntry> {
        self.0.as_ref().err()
    }

    pub(crate) fn check(&self, host: &Host) -> Result<(), Problem> {
        let entries = self.0.as_ref().map_err(|bad| Problem::BrokenList(bad.clone()))?;
        let is_listed = entries.iter().any(|entry| entry.holds(host));
        if is_listed { Ok(()) } else { Err(Problem::NotListed(host.to_string())) }
    }
}

impl Entry {
    fn read(text: &str) -> Result<Self, BadEntry> {
        let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let entry = text.chars().take(200).map(visible).collect();
        let bad = |problem: String| BadEntry { entry, problem };
        let (is_suffix, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        // What a host may hold in an address and a list has no use for.
        if let Some(odd) = rest.chars().find(|c| matches!(c, '%' | '*' | '\t' | '\r' | '\n')) {
            return Err(bad(format!("found U+{:04X}", u32::from(odd))));
        }
        match (Host::read(rest), is_suffix) {
            (Ok(Host::Name(name)), true) => Ok(Self::Below(name)),
            (Ok(host), false) => Ok(Self::Host(host)),
            (Ok(Host::Address(_)), true) => Err(bad("found an address behind `*.`".to_owned())),
            (Err(problem), _) => Err(bad(problem.to_string())),
        }
    }

    fn holds(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::Host(entry), host) => entry == host,
            (Self::Below(end), Host::Name(name)) => {
                name.strip_suffix(end.as_str()).is_some_and(|rest| rest.ends_with('.'))
            }
            (Self::Below(_), Host::Address(_)) => false,
        }
    }
}

impl fmt::Display for HostList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(entries) if entries.is_empty() => f.write_str("no host"),
            Ok(entries) => {
                let words = entries.iter().map(|entry| match entry {
                    Entry::Host(host) => host.to_string(),
                    Entry::Below(end) => format!("*.{end}"),
                });
                f.write_str(&words.collect::<Vec<_>>().join(", "))
            }
            Err(bad) => write!(f, "no host, since {bad}"),
        }
    }
}
