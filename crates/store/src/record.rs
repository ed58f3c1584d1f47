//! A record as it stands in the file, and what can be made of it.

use tagline_protocol::{AnyFrame, Event, Frame, SCHEMA_VERSION};

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

/// Shows the reader of a session that something is missing here.
fn stand_in(session: &str, seq: u64, message: String) -> Frame {
    let session = session.to_owned();
    let damage = crate::StoreError::Damaged { session: session.clone(), seq, message };
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
