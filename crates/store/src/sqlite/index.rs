//! What is searched: words, in a file of their own beside the journal.
//!
//! The file follows from the log. It is brought up to it before each search, so that no append
//! waits for it; whatever is wrong with it, it is made anew.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags, Row, params};

use super::{failure::Failure, migrate::beside, open, reading};
use crate::{
    Hit, Place, Record,
    scope::Scope,
    search::{excerpt, matches, passages, words},
    time::{micros, rfc3339},
};

/// Counts changes of [`TABLES`] and of what is a word.
const FORMAT: i64 = 1;

/// Words are cut before they come here; all signs that can be in one are part of a token to the
/// tokenizer `ascii`.
const TABLES: &str = "
    CREATE TABLE seen (session TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
    CREATE VIRTUAL TABLE found USING fts5 (
        words, session UNINDEXED, seq UNINDEXED, at UNINDEXED, place UNINDEXED, part UNINDEXED,
        tokenize = 'ascii', prefix = '2 3'
    );
";

/// The index of one journal.
#[derive(Debug)]
pub(super) struct Index {
    path: PathBuf,
    /// Reads the journal.
    log: Connection,
    /// `None` until it is needed.
    db: Option<Connection>,
}

impl Index {
    /// That of the journal at `journal`.
    pub(super) fn new(journal: &Path, log: Connection) -> Self {
        Self { path: beside(journal, "-search"), log, db: None }
    }

    /// See [`crate::Journal::search`].
    pub(super) fn search(
        &mut self,
        scope: &Scope,
        query: &str,
        limit: usize,
    ) -> Result<Vec<Hit>, Failure> {
        let wanted = words(query);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        match self.try_search(scope, &wanted, limit) {
            Err(Failure::Sql(_)) => {
                self.remove()?;
                self.try_search(scope, &wanted, limit)
            }
            done @ (Ok(_) | Err(Failure::Io(_) | Failure::Store(_))) => done,
        }
    }

    /// Removes the index; the next search makes it.
    pub(super) fn remove(&mut self) -> Result<(), Failure> {
        self.db = None;
        for suffix in ["", "-wal", "-shm", "-journal"] {
            match fs::remove_file(beside(&self.path, suffix)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error.into());
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Forgets a session.
    pub(super) fn forget(&mut self, session: &str) -> Result<(), Failure> {
        if self.db.is_none() && !self.path.exists() {
            return Ok(());
        }
        let forgotten = self.open().and_then(|()| forget(self.db()?, session));
        forgotten.or_else(|_| self.remove())
    }

    fn try_search(
        &mut self,
        scope: &Scope,
        wanted: &[String],
        limit: usize,
    ) -> Result<Vec<Hit>, Failure> {
        self.open()?;
        self.catch_up()?;
        let db = self.db()?;
        let terms: Vec<String> = wanted.iter().map(|word| format!("\"{word}\"*")).collect();
        let mut query = db.prepare_cached(
            "SELECT session, seq, at, place, part FROM found WHERE words MATCH ?1
             ORDER BY at DESC, session, seq DESC, part",
        )?;
        let mut rows = query.query([terms.join(" AND ")])?;
        let mut hits = Vec::new();
        while hits.len() < limit
            && let Some(row) = rows.next()?
        {
            hits.extend(self.hit(scope, wanted, row)?);
        }
        Ok(hits)
    }

    /// The place that a row names; `None` where it cannot be seen any more.
    fn hit(&self, scope: &Scope, wanted: &[String], row: &Row<'_>) -> Result<Option<Hit>, Failure> {
        let session: String = row.get(0)?;
        let seq = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        let place = Place::named(&row.get::<_, String>(3)?);
        let part = usize::try_from(row.get::<_, i64>(4)?).unwrap_or(usize::MAX);
        let text = self.text(scope, &session, seq, part)?.filter(|text| matches(wanted, text));
        let ts = rfc3339(row.get(2)?);
        Ok(place.zip(text).map(|(place, text)| {
            let excerpt = excerpt(wanted, &text);
            Hit { session, seq, ts, place, excerpt }
        }))
    }

    fn text(
        &self,
        scope: &Scope,
        session: &str,
        seq: u64,
        part: usize,
    ) -> Result<Option<String>, Failure> {
        let found = match reading::frames(&self.log, scope, session, seq.saturating_sub(1), 1) {
            Err(Failure::Store(crate::StoreError::NoSession(_))) => return Ok(None),
            Err(error) => return Err(error),
            Ok(frames) => frames,
        };
        let passage = found.first().and_then(|frame| passages(frame).into_iter().nth(part));
        Ok(passage.map(|passage| passage.text))
    }

    fn db(&self) -> Result<&Connection, Failure> {
        let gone = || Failure::Io(std::io::Error::other("the index of words is not open"));
        self.db.as_ref().ok_or_else(gone)
    }

    fn open(&mut self) -> Result<(), Failure> {
        if self.db.is_some() {
            return Ok(());
        }
        open::make_private(&self.path)?;
        let db = open::connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // Whatever a power cut takes is found anew.
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "off")?;
        let format: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if format != FORMAT {
            let work = db.unchecked_transaction()?;
            work.execute_batch("DROP TABLE IF EXISTS seen; DROP TABLE IF EXISTS found")?;
            work.execute_batch(TABLES)?;
            work.pragma_update(None, "user_version", FORMAT)?;
            work.commit()?;
        }
        self.db = Some(db);
        Ok(())
    }

    /// Reads what was written since the last time, of every profile.
    fn catch_up(&self) -> Result<(), Failure> {
        let db = self.db()?;
        let mut all = self.log.prepare_cached(
            "SELECT s.n, s.id, (SELECT max(seq) FROM events WHERE session = s.n) FROM sessions s",
        )?;
        let mut gone = all_seen(db)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (key, session): (i64, String) = (row.get(0)?, row.get(1)?);
            let last: Option<i64> = row.get(2)?;
            let seen = gone.remove(&session).unwrap_or(0);
            if last.is_some_and(|last| seen < last) {
                self.take_in(db, key, &session, seen)?;
            }
        }
        gone.keys().try_for_each(|session| forget(db, session))
    }

    fn take_in(&self, db: &Connection, key: i64, session: &str, seen: i64) -> Result<(), Failure> {
        let work = db.unchecked_transaction()?;
        let kinds = ["message.user", "message.assistant", "tool.ready"];
        let after = u64::try_from(seen).unwrap_or(0);
        let last =
            reading::each_of(&self.log, key, after, &kinds, |record| add(&work, record, session))?;
        work.execute(
            "INSERT OR REPLACE INTO seen (session, seq) VALUES (?1, ?2)",
            params![session, i64::try_from(last).unwrap_or(0)],
        )?;
        Ok(work.commit()?)
    }
}

/// How far each session was taken in.
fn all_seen(db: &Connection) -> Result<HashMap<String, i64>, Failure> {
    let mut query = db.prepare_cached("SELECT session, seq FROM seen")?;
    let all = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(all.collect::<Result<_, _>>()?)
}

fn add(db: &Connection, record: Record, session: &str) -> Result<(), Failure> {
    let Some(frame) = record.into_frame(session) else { return Ok(()) };
    let at = micros(session, &frame.ts).unwrap_or_default();
    let seq = i64::try_from(frame.seq).unwrap_or(0);
    let mut insert = db.prepare_cached(
        "INSERT INTO found (words, session, seq, at, place, part) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (part, passage) in passages(&frame).into_iter().enumerate() {
        let words = words(&passage.text).join(" ");
        insert.execute(params![
            words,
            session,
            seq,
            at,
            passage.place.name(),
            i64::try_from(part).unwrap_or(0)
        ])?;
    }
    Ok(())
}

fn forget(db: &Connection, session: &str) -> Result<(), Failure> {
    let work = db.unchecked_transaction()?;
    work.execute("DELETE FROM found WHERE session = ?1", [session])?;
    work.execute("DELETE FROM seen WHERE session = ?1", [session])?;
    Ok(work.commit()?)
}
