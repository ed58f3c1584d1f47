//! A record as it stands in the file, and what can be made of it.

use serde::Deserialize;
use serde_json::value::RawValue;
use tagline_protocol::{AnyFrame, Event, Frame, SCHEMA_VERSION};

use crate::{StoreError, journal::Stored};

/// One record of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number.
    pub seq: u64,
    /// The JSON as it was written; empty where the file is damaged there.
    pub json: String,
    /// What it is.
    pub content: Content,
}

/// What a record is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A frame.
    Frame(Box<Frame>),
    /// A frame of a type that this version does not know, by its name.
    Unknown(String),
    /// It cannot be read, and why.
    Damaged(String),
}

impl Record {
    /// Reads one record. `seq` is where it stood; a frame that claims another place is damaged.
    pub(crate) fn parse(seq: u64, json: String) -> Self {
        let content = match serde_json::from_str::<AnyFrame>(&json) {
            Err(error) => Content::Damaged(error.to_string()),
            Ok(any) if any.seq() != seq => {
                Content::Damaged(format!("expected number {seq}, but its text says {}", any.seq()))
            }
            Ok(any) => match any.frame() {
                Some(frame) => Content::Frame(Box::new(frame.clone())),
                None => Content::Unknown(any.kind().to_owned()),
            },
        };
        Self { seq, json, content }
    }

    /// A record that cannot be read at all.
    pub(crate) const fn damaged(seq: u64, message: String) -> Self {
        Self { seq, json: String::new(), content: Content::Damaged(message) }
    }

    /// The frame to show for it: its own, or a notice in the place of a damaged one. A record of
    /// an unknown type has none.
    #[must_use]
    pub fn into_frame(self, session: &str) -> Option<Frame> {
        match self.content {
            Content::Frame(frame) => Some(*frame),
            Content::Unknown(_) => None,
            Content::Damaged(message) => Some(stand_in(session, self.seq, message)),
        }
    }
}

/// Why there is no text where others follow.
const MISSING: &str = "it is missing";

/// The text of a record, or why there is none.
pub(crate) struct Raw {
    pub(crate) seq: u64,
    pub(crate) text: Result<String, String>,
}

impl Raw {
    pub(crate) fn record(self) -> Record {
        match self.text {
            Ok(json) => Record::parse(self.seq, json),
            Err(message) => Record::damaged(self.seq, message),
        }
    }

    pub(crate) fn missing(seq: u64) -> Self {
        Self { seq, text: Err(MISSING.to_owned()) }
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.text.as_ref().is_err_and(|why| why == MISSING)
    }

    /// Adds the record that was found behind `found`, and says of those in between that they are
    /// missing. One that was there before is none.
    pub(crate) fn push(found: &mut Vec<Self>, expected: &mut u64, seq: u64, text: String) {
        if seq < *expected {
            return;
        }
        found.extend((*expected..seq).map(Self::missing));
        found.push(Self { seq, text: Ok(text) });
        *expected = seq.saturating_add(1);
    }
}

/// What a record says of its session, as a piece of the record's text.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow)]
    session: &'t RawValue,
}

/// When a record says that it was written.
pub(crate) fn ts_of(json: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Dated {
        ts: String,
    }
    serde_json::from_str::<Dated>(json).ok().map(|dated| dated.ts)
}

/// The record's text with another session in it. All else stays byte by byte; damaged text stays
/// whole.
pub(crate) fn with_session(json: &str, session: &str) -> String {
    let Ok(head) = serde_json::from_str::<Head<'_>>(json) else { return json.to_owned() };
    let old = head.session.get();
    let start = old.as_ptr().addr() - json.as_ptr().addr();
    let (before, rest) = json.split_at(start);
    let after = rest.get(old.len()..).unwrap_or_default();
    format!("{before}{}{after}", serde_json::Value::from(session))
}

/// Makes sure that the records rise from 1 without a gap.
pub(crate) fn check_dense(session: &str, records: &[Stored]) -> Result<(), StoreError> {
    for (expected, record) in (1..).zip(records) {
        if record.seq != expected {
            let session = session.to_owned();
            return Err(StoreError::Gap { session, expected, found: record.seq });
        }
    }
    Ok(())
}

/// Shows the reader of a session that something is missing here.
fn stand_in(session: &str, seq: u64, message: String) -> Frame {
    let session = session.to_owned();
    let damage = StoreError::Damaged { session: session.clone(), seq, message };
    Frame {
        v: SCHEMA_VERSION,
        seq,
        ts: "1970-01-01T00:00:00.000Z".to_owned(),
        session,
        run: None,
        turn: None,
        call: None,
        event: Event::Notice { level: "error".to_owned(), message: damage.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_session_changes() {
        let json = r#"{"n":2.50, "session" : "a\u0062", "deep":{"session":"a"},"ü":"\u00fc"}"#;
        let expected = r#"{"n":2.50, "session" : "new\"one", "deep":{"session":"a"},"ü":"\u00fc"}"#;
        assert_eq!(with_session(json, "new\"one"), expected);
    }

    #[test]
    fn damaged_text_stays_whole() {
        assert_eq!(with_session(r#"{"session":"a"#, "b"), r#"{"session":"a"#);
    }
}
