//! The audit: which decisions and effects there were, chained by hash, for each profile.
//!
//! An entry holds the hash of a record of the journal, and that of the entry before it. It is
//! written by the same stroke as the record. Entries outlive their sessions.

mod anchor;
mod verify;

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tagline_protocol::{Event, Frame};

pub(crate) use self::anchor::Anchor;
pub use self::{
    anchor::Anchors,
    verify::{Audited, Broken, verify},
};
use crate::{Content, Record, record::with_session};

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// Number in the profile's chain, from 1 without a gap.
    pub n: u64,
    /// The session.
    pub session: String,
    /// The record's number in it.
    pub seq: u64,
    /// The type of the record's event, or [`COPIED`] or [`REMOVED`].
    pub what: String,
    /// SHA-256 of the record's text, in which its session's name is left out.
    pub digest: String,
    /// SHA-256 of the entry and of the hash before it.
    pub hash: String,
}

/// A session that came with records: its audited ones up to `seq`, hashed as one.
pub const COPIED: &str = "session.copied";

/// A session that was removed, with `seq` records.
pub const REMOVED: &str = "session.removed";

/// What stands before the first entry.
pub(crate) const BEGINNING: &str = "";

/// An entry before it has its place.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) session: String,
    pub(crate) seq: u64,
    pub(crate) what: String,
    pub(crate) digest: String,
}

/// The last entry of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) n: u64,
    pub(crate) hash: String,
}

impl Default for Tail {
    fn default() -> Self {
        Self { n: 0, hash: BEGINNING.to_owned() }
    }
}

impl Tail {
    /// The entry that the fact becomes behind this one, which is the tail then.
    pub(crate) fn extend(&mut self, profile: &str, fact: Fact) -> AuditEntry {
        let n = self.n + 1;
        let hash = link(&self.hash, profile, n, &fact);
        *self = Self { n, hash: hash.clone() };
        let Fact { session, seq, what, digest } = fact;
        AuditEntry { n, session, seq, what, digest, hash }
    }
}

/// Each part stands on a line of its own, and none can hold a line break but names, which are
/// quoted.
pub(crate) fn link(before: &str, profile: &str, n: u64, fact: &Fact) -> String {
    let Fact { session, seq, what, digest } = fact;
    sha256(&format!("{before}\n{profile:?}\n{n}\n{session:?}\n{seq}\n{what:?}\n{digest}\n"))
}

impl Fact {
    /// What the frame says that must be in the audit, if anything. `json` is its text.
    pub(crate) fn of(frame: &Frame, json: &str) -> Option<Self> {
        is_audited(&frame.event).then(|| Self {
            session: frame.session.clone(),
            seq: frame.seq,
            what: frame.event.kind().to_owned(),
            digest: digest(json),
        })
    }

    pub(crate) fn removed(session: &str, last_seq: u64) -> Self {
        let (session, what) = (session.to_owned(), REMOVED.to_owned());
        Self { session, seq: last_seq, what, digest: sha256("") }
    }
}

/// Hashes the audited records of a session as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copied {
    hash: Sha256,
    last: u64,
    has_any: bool,
}

impl Copied {
    /// Takes the next record, audited or not.
    pub(crate) fn push(&mut self, seq: u64, json: &str) {
        self.last = seq;
        if let Content::Frame(frame) = Record::parse(seq, json.to_owned()).content
            && is_audited(&frame.event)
        {
            self.add(seq, &digest(json));
        }
    }

    fn add(&mut self, seq: u64, digest: &str) {
        self.has_any = true;
        self.hash.update(format!("{seq} {digest}\n"));
    }

    fn finish(self) -> String {
        digits(&self.hash.finalize())
    }

    /// The entry for a session that has them all; none where nothing is audited.
    pub(crate) fn into_fact(self, session: &str) -> Option<Fact> {
        let (session, seq, what) = (session.to_owned(), self.last, COPIED.to_owned());
        self.has_any.then(|| Fact { session, seq, what, digest: self.finish() })
    }
}

/// The hash of a record. Its session's name is left out, so that a copy has the same.
pub(crate) fn digest(json: &str) -> String {
    sha256(&with_session(json, ""))
}

fn sha256(text: &str) -> String {
    digits(&Sha256::digest(text.as_bytes()))
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // Writing into a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Decisions, what they were about, and effects. The rest of a session is talk.
pub(crate) const fn is_audited(event: &Event) -> bool {
    match event {
        Event::RunStarted { .. }
        | Event::SessionMode { .. }
        | Event::ToolReady { .. }
        | Event::ToolEdited { .. }
        | Event::ApprovalAsked { .. }
        | Event::ApprovalAnswered { .. }
        | Event::BudgetAsked { .. }
        | Event::BudgetAnswered { .. }
        | Event::GrantRevoked { .. }
        | Event::ToolRunning { .. }
        | Event::ToolDone { .. }
        | Event::ToolFailed { .. }
        | Event::ToolCancelled { .. }
        | Event::Audit { .. } => true,
        Event::RunFinished { .. }
        | Event::RunFailed { .. }
        | Event::PassStarted
        | Event::PassFinished { .. }
        | Event::UserMessage { .. }
        | Event::AssistantMessage { .. }
        | Event::ResultsMessage { .. }
        | Event::MessageQueued { .. }
        | Event::MessageUnqueued { .. }
        | Event::SayStart { .. }
        | Event::SayDelta { .. }
        | Event::SayEnd
        | Event::ThinkStart
        | Event::ThinkDelta { .. }
        | Event::ThinkEnd
        | Event::ToolOpening { .. }
        | Event::ToolAttr { .. }
        | Event::ToolBody { .. }
        | Event::ToolAborted
        | Event::ToolRepaired { .. }
        | Event::ToolRejected { .. }
        | Event::ToolOutput { .. }
        | Event::ToolProgress { .. }
        | Event::ModelState { .. }
        | Event::Usage(_)
        | Event::ContextCompacted { .. }
        | Event::Notice { .. }
        | Event::SessionTitle { .. }
        | Event::SessionForked { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_chain_is_as_reviewed() {
        let text = |session: &str| {
            format!(
                r#"{{"v":1,"seq":1,"ts":"2026-11-27T10:00:00.000Z","session":"{session}","type":"session.mode","mode":"full"}}"#
            )
        };
        let Content::Frame(frame) = Record::parse(1, text("a")).content else { panic!("no frame") };
        let mut tail = Tail::default();
        let fact = Fact::of(&frame, &text("a")).unwrap();
        let mut lines = String::new();
        let mut copied = Copied::default();
        copied.push(1, &text("b"));
        for fact in [Some(fact), copied.into_fact("b"), Some(Fact::removed("a", 1))] {
            let entry = tail.extend("default", fact.unwrap());
            lines += &(serde_json::to_string(&entry).unwrap() + "\n");
        }
        expect![[r#"
            {"n":1,"session":"a","seq":1,"what":"session.mode","digest":"04849553a1a7bd3078b26ad45d4684aaf967326db264f17924ce69a75b6d0676","hash":"c4ecbaadd29474e79ed01f657eac8be3684703cf9c8175daab4ac11798e119fc"}
            {"n":2,"session":"b","seq":1,"what":"session.copied","digest":"e8023ebb17333d03f3114ba2bd6f995549e2e0a9e7d94f0d22f0f6d9f0e673fb","hash":"cef1ba4ea6c7c924106e6ad65e1748e15a4afa488fb2123e75feb62ca5c982db"}
            {"n":3,"session":"a","seq":1,"what":"session.removed","digest":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","hash":"5d94725248f91e9c56f6b2a579a2451e4a1b19f8c90acd7c2bb86a40d055290f"}
        "#]].assert_eq(&lines);
    }
}
