//! Does the audit still tell what happened?

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::{Anchors, AuditEntry, COPIED, Copied, Fact, REMOVED, Tail, digest, is_audited, link};
use crate::{Content, Journal, Record, StoreError};

/// Entries and records read at once.
const PAGE: usize = 1_000;

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// Entries of the chain.
    pub entries: u64,
    /// Sessions that are there.
    pub sessions: usize,
    /// What is broken, by its place in the chain; what has no place comes last.
    pub broken: Vec<Broken>,
}

/// A place that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The entry; `None` where there is none.
    pub n: Option<u64>,
    /// The session, where it is known.
    pub session: Option<String>,
    /// The record in it.
    pub seq: Option<u64>,
    /// What must be there.
    pub expected: String,
    /// What is.
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n {
            Some(n) => write!(f, "entry {n}")?,
            None => f.write_str("no entry")?,
        }
        if let Some(session) = &self.session {
            write!(f, ", session {session}")?;
        }
        if let Some(seq) = self.seq {
            write!(f, ", record {seq}")?;
        }
        write!(f, ": expected {}, but found {}", self.expected, self.found)
    }
}

/// Looks at the whole chain of the profile that the journal is narrowed to, and at every record
/// that it speaks of.
///
/// # Errors
///
/// What the journal says.
pub async fn verify<J: Journal>(
    journal: &J,
    profile: &str,
    anchors: Option<&Anchors>,
) -> Result<Audited, StoreError> {
    let mut look = Look::new(profile);
    let mut after = 0;
    loop {
        let page = journal.audit(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.n;
        page.into_iter().for_each(|entry| look.entry(entry));
    }
    if let Some(anchors) = anchors {
        look.anchors(anchors);
    }
    let sessions: BTreeSet<String> =
        journal.sessions().await?.into_iter().map(|info| info.id).collect();
    look.missing(&sessions);
    for session in &sessions {
        let mut facts = look.facts.remove(session).unwrap_or_default();
        let mut after = 0;
        loop {
            let page = journal.records(session, after, PAGE).await?;
            let is_last = page.len() < PAGE;
            for record in page {
                after = record.seq;
                look.record(session, &mut facts, &record);
            }
            if is_last {
                break;
            }
        }
        look.rest(session, facts);
    }
    look.broken.sort_by_key(|broken| (broken.n.is_none(), broken.n, broken.seq));
    Ok(Audited { entries: look.tail.n, sessions: sessions.len(), broken: look.broken })
}

/// What the chain says of one session.
#[derive(Debug, Default)]
struct Facts {
    /// Entries of records, by the record's number.
    records: BTreeMap<u64, AuditEntry>,
    /// The entry for records that it came with, and those so far.
    copied: Option<(AuditEntry, Copied)>,
    removed: Option<u64>,
}

struct Look<'a> {
    profile: &'a str,
    tail: Tail,
    /// The entries that are held against anchors.
    hashes: BTreeMap<u64, String>,
    facts: BTreeMap<String, Facts>,
    broken: Vec<Broken>,
}

impl<'a> Look<'a> {
    fn new(profile: &'a str) -> Self {
        let (tail, facts, hashes) = Default::default();
        Self { profile, tail, hashes, facts, broken: Vec::new() }
    }

    fn entry(&mut self, entry: AuditEntry) {
        let AuditEntry { n, session, seq, what, digest, hash } = entry.clone();
        let expected = self.tail.n + 1;
        if n != expected {
            let found = format!("entry {n}");
            self.add(Some(expected), None, None, format!("entry {expected}"), found);
        }
        let fact = Fact { session: session.clone(), seq, what: what.clone(), digest };
        let linked = link(&self.tail.hash, self.profile, n, &fact);
        if linked != hash && n == expected {
            let (session, found) = (Some(session.as_str()), format!("hash {hash}"));
            self.add(Some(n), session, Some(seq), format!("hash {linked}"), found);
        }
        self.tail = Tail { n, hash: hash.clone() };
        self.hashes.insert(n, hash);
        let facts = self.facts.entry(session).or_default();
        match what.as_str() {
            COPIED => facts.copied = Some((entry, Copied::default())),
            REMOVED => *facts = Facts { removed: Some(n), ..Facts::default() },
            _ => {
                facts.removed = None;
                facts.records.insert(seq, entry);
            }
        }
    }

    /// The end of the chain must be what was remembered apart from it.
    fn anchors(&mut self, anchors: &Anchors) {
        if let Some(anchor) = anchors.read(self.profile) {
            let found = self.hashes.get(&anchor.n);
            if anchor.n == 0 || found != Some(&anchor.hash) {
                let found = found.map_or_else(
                    || format!("a chain that ends with entry {}", self.tail.n),
                    |hash| format!("hash {hash}"),
                );
                let expected = format!("hash {}, as was remembered apart from it", anchor.hash);
                self.add(Some(anchor.n), None, None, expected, found);
            }
        }
        for path in anchors.lost(self.profile) {
            let expected = "the chain that was remembered before it was cut or replaced";
            let found = format!("another one; what was remembered is in `{}`", path.display());
            self.add(None, None, None, expected.to_owned(), found);
        }
    }

    /// Sessions that are gone, and nobody removed them.
    fn missing(&mut self, sessions: &BTreeSet<String>) {
        let mut gone = Vec::new();
        for (session, facts) in &self.facts {
            let first = facts.records.values().chain(facts.copied.iter().map(|it| &it.0));
            if let Some(first) =
                first.min_by_key(|entry| entry.n).filter(|_| !sessions.contains(session))
            {
                gone.push((first.n, session.clone(), first.seq));
            }
        }
        for (n, session, seq) in gone {
            let expected = "a session that is there, or an entry that it was removed";
            self.add(Some(n), Some(&session), Some(seq), expected.to_owned(), "neither".to_owned());
        }
    }

    fn record(&mut self, session: &str, facts: &mut Facts, record: &Record) {
        let seq = record.seq;
        if let Some((_, copied)) = facts.copied.as_mut().filter(|it| seq <= it.0.seq) {
            copied.push(seq, &record.json);
            return;
        }
        let found = digest(&record.json);
        match facts.records.remove(&seq) {
            Some(entry) if entry.digest == found => {}
            Some(entry) => {
                let found = match &record.content {
                    Content::Damaged(why) => format!("a record that cannot be read: {why}"),
                    Content::Frame(_) | Content::Unknown(_) => format!("digest {found}"),
                };
                let expected = format!("digest {} of `{}`", entry.digest, entry.what);
                self.add(Some(entry.n), Some(session), Some(seq), expected, found);
            }
            None => {
                let is_owed =
                    matches!(&record.content, Content::Frame(frame) if is_audited(&frame.event));
                if is_owed {
                    let (expected, found) = ("an entry for it", "none");
                    self.add(None, Some(session), Some(seq), expected.to_owned(), found.to_owned());
                }
            }
        }
    }

    /// The records that a session came with are hashed as one.
    fn copied(&mut self, session: &str, entry: &AuditEntry, copied: Copied) {
        let found = copied.finish();
        if found != entry.digest {
            let expected = format!("digest {} of records 1 to {}", entry.digest, entry.seq);
            let found = format!("digest {found}");
            self.add(Some(entry.n), Some(session), Some(entry.seq), expected, found);
        }
    }

    /// Records of which the chain speaks, and that are not there.
    fn rest(&mut self, session: &str, facts: Facts) {
        if let Some((entry, copied)) = facts.copied {
            self.copied(session, &entry, copied);
        }
        for entry in facts.records.into_values() {
            let expected = format!("digest {} of `{}`", entry.digest, entry.what);
            let found = "no such record".to_owned();
            self.add(Some(entry.n), Some(session), Some(entry.seq), expected, found);
        }
    }

    fn add(
        &mut self,
        n: Option<u64>,
        session: Option<&str>,
        seq: Option<u64>,
        expected: String,
        found: String,
    ) {
        let session = session.map(str::to_owned);
        self.broken.push(Broken { n, session, seq, expected, found });
    }
}
