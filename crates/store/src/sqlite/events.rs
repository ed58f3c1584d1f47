//! Events: numbered and written.

use rusqlite::{Connection, params};
use tagline_protocol::Frame;

use super::{audit, derived, failure::Failure, leases, sessions};
use crate::{
    NewEvent, Stored,
    record::{ts_of, with_session},
    scope::Scope,
    time::micros,
};

/// Under which lease something is written; `None` where none was taken.
pub(super) type Epoch = Option<u64>;

/// Numbers `events` behind the session's last one and writes them. Runs inside a transaction that
/// nobody else can write beside, so the numbers are dense.
pub(super) fn append(
    db: &Connection,
    scope: &Scope,
    session: &str,
    epoch: Epoch,
    events: Vec<NewEvent>,
) -> Result<Vec<Frame>, Failure> {
    let key = sessions::key(db, scope, session)?;
    leases::check(db, key, session, epoch)?;
    let mut seq = last_seq(db, key)?;
    let mut frames = Vec::with_capacity(events.len());
    for event in events {
        seq += 1;
        let frame = event.place(session, u64::try_from(seq).unwrap_or(0));
        write(db, key, &frame)?;
        derived::follow(db, key, &frame)?;
        frames.push(frame);
    }
    Ok(frames)
}

/// Writes records of another journal as they stand.
pub(super) fn restore(
    db: &Connection,
    session: &str,
    created: &str,
    records: &[Stored],
) -> Result<(), Failure> {
    let key = sessions::key(db, &Scope::default(), session)?;
    // A record that says no time gets that of the one before it.
    let mut at = micros(session, created)?;
    let mut insert =
        db.prepare_cached("INSERT INTO events (session, seq, at, json) VALUES (?1, ?2, ?3, ?4)")?;
    for Stored { seq, json } in records {
        at = ts_of(json).and_then(|ts| micros(session, &ts).ok()).unwrap_or(at);
        let seq = i64::try_from(*seq).unwrap_or(0);
        insert.execute(params![key, seq, at, with_session(json, session)])?;
    }
    derived::of_session(db, key, session)?;
    audit::adopt(db, key, session)
}

/// The frame as it is written.
pub(super) fn text(frame: &Frame) -> Result<String, Failure> {
    Ok(serde_json::to_string(frame).map_err(std::io::Error::other)?)
}

fn write(db: &Connection, key: i64, frame: &Frame) -> Result<(), Failure> {
    let at = micros(&frame.session, &frame.ts)?;
    let json = text(frame)?;
    let seq = i64::try_from(frame.seq).unwrap_or(0);
    db.prepare_cached("INSERT INTO events (session, seq, at, json) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![key, seq, at, json])?;
    Ok(())
}

pub(super) fn last_seq(db: &Connection, key: i64) -> Result<i64, Failure> {
    let mut query =
        db.prepare_cached("SELECT coalesce(max(seq), 0) FROM events WHERE session = ?1")?;
    Ok(query.query_row([key], |row| row.get(0))?)
}
