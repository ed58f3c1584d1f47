//! What is found in a damaged journal.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::{
    cells::{self, Row, Value},
    pages::{Pages, number},
};
use crate::{
    Content, Record,
    sqlite::{audit, derived, failure::Failure, open::APPLICATION},
    time::micros,
};

/// The profile of sessions of which only records are left: nobody's, until somebody looks.
const NOBODY: &str = "recovered";

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Whether it was a journal of ours.
    pub(super) is_ours: bool,
    sessions: BTreeMap<i64, Session>,
    /// By session and number.
    events: BTreeMap<(i64, i64), Event>,
}

#[derive(Debug)]
struct Session {
    id: String,
    profile: String,
    created: i64,
    named: String,
    workspace: Vec<u8>,
}

#[derive(Debug)]
struct Event {
    at: i64,
    text: String,
}

impl Found {
    pub(super) fn read(pages: &Pages) -> Self {
        let mut found = Self::default();
        let first = pages.read(1).unwrap_or_default();
        found.is_ours = i64::from(number(&first, 68)) == APPLICATION;
        for n in pages.numbers() {
            cells::rows(pages, n).into_iter().for_each(|row| found.take(row));
        }
        found.is_ours |= !found.sessions.is_empty() || !found.events.is_empty();
        found.name_the_nameless();
        found
    }

    /// Rows are known by their shape. Those of the other tables can be done without.
    fn take(&mut self, row: Row) {
        let Row { rowid, values } = row;
        match values.as_slice() {
            [Value::Int(key), Value::Int(seq), Value::Int(at), Value::Text(text)]
                if *key > 0 && *seq > 0 =>
            {
                let text = String::from_utf8_lossy(text).into_owned();
                self.add((*key, *seq), Event { at: *at, text });
            }
            [
                Value::Null,
                Value::Text(id),
                Value::Text(profile),
                Value::Int(created),
                Value::Text(title),
                Value::Blob(workspace),
                rest @ ..,
            ] if rowid > 0 && rest.len() <= 1 => {
                // Before there were given names, the title stood for them.
                let named = match rest {
                    [Value::Text(named)] => named,
                    [] | [_, ..] => title,
                };
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let (id, profile, named) = (text(id), text(profile), text(named));
                let (created, workspace) = (*created, workspace.clone());
                self.sessions.insert(rowid, Session { id, profile, created, named, workspace });
            }
            _ => {}
        }
    }

    /// Of two rows in one place, the one that reads counts.
    fn add(&mut self, place: (i64, i64), event: Event) {
        let reads = |event: &Event| {
            let seq = u64::try_from(place.1).unwrap_or(0);
            !matches!(Record::parse(seq, event.text.clone()).content, Content::Damaged(_))
        };
        if self.events.get(&place).is_none_or(|old| !reads(old) && reads(&event)) {
            self.events.insert(place, event);
        }
    }

    /// A session whose own row is lost gets its name from its records. What was taken for two
    /// sessions of one name stays apart.
    fn name_the_nameless(&mut self) {
        let keys: BTreeSet<i64> = self.events.keys().map(|place| place.0).collect();
        for key in keys {
            let mut events = self.events.range((key, 0)..=(key, i64::MAX));
            let told = events.find_map(|(_, event)| Some((session_of(&event.text)?, event.at)));
            match (self.sessions.get_mut(&key), told) {
                // Every record says the name, and only one row does.
                (Some(session), Some((id, _))) => session.id = id,
                (Some(_), None) => {}
                (None, told) => {
                    let (id, created) = told.unwrap_or_else(|| (format!("lost-{key}"), 0));
                    let (profile, named) = (NOBODY.to_owned(), String::new());
                    let workspace = Vec::new();
                    self.sessions.insert(key, Session { id, profile, created, named, workspace });
                }
            }
        }
    }

    /// Writes all of it into a new journal. How many sessions and records there are.
    pub(super) fn write(&self, mut db: Connection) -> Result<(usize, usize), Failure> {
        let work = db.transaction()?;
        for (key, session) in &self.sessions {
            write_session(&work, *key, session)?;
        }
        for ((key, seq), Event { at, text }) in &self.events {
            work.prepare_cached(
                "INSERT INTO events (session, seq, at, json) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![key, seq, at, text])?;
        }
        derived::rebuild(&work)?;
        // The chain cannot be mended: one begins that says what was saved.
        audit::adopt_all(&work)?;
        work.commit()?;
        db.pragma_update(None, "journal_mode", "delete")?;
        Ok((self.sessions.len(), self.events.len()))
    }
}

fn write_session(db: &Connection, key: i64, session: &Session) -> Result<(), Failure> {
    let Session { id, profile, created, named, workspace } = session;
    let sql = "INSERT INTO sessions (n, id, profile, created, title, named, workspace)
               VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6) ON CONFLICT (id) DO NOTHING";
    let add = |id: &str| db.execute(sql, params![key, id, profile, created, named, workspace]);
    if add(id)? == 0 {
        add(&format!("{id}-{key}"))?;
    }
    Ok(())
}

/// The session that a record names.
fn session_of(json: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(json).ok()?;
    let id = value.get("session")?.as_str()?;
    micros(id, value.get("ts")?.as_str()?).ok()?;
    Some(id.to_owned())
}
