//! Events: appended, read, and read around damage.

use rusqlite::{Connection, OptionalExtension as _, params};
use tagline_protocol::Frame;

use super::{failure::Failure, sessions};
use crate::{Content, NewEvent, Record, title::title_of};

/// Numbers `events` behind the session's last one and writes them. Runs inside a transaction that
/// nobody else can write beside, so the numbers are dense.
pub(super) fn append(
    db: &Connection,
    session: &str,
    events: Vec<NewEvent>,
) -> Result<Vec<Frame>, Failure> {
    let key = sessions::key(db, session)?;
    let mut seq = last_seq(db, key)?;
    let mut frames = Vec::with_capacity(events.len());
    for event in events {
        seq += 1;
        let frame = event.place(session, u64::try_from(seq).unwrap_or(0));
        write(db, key, &frame)?;
        if let Some(title) = title_of(&frame.event) {
            sessions::set_title(db, key, title)?;
        }
        frames.push(frame);
    }
    Ok(frames)
}

fn write(db: &Connection, key: i64, frame: &Frame) -> Result<(), Failure> {
    let at = sessions::micros(&frame.session, &frame.ts)?;
    let json = serde_json::to_string(frame).map_err(std::io::Error::other)?;
    let seq = i64::try_from(frame.seq).unwrap_or(0);
    db.prepare_cached("INSERT INTO events (session, seq, at, json) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![key, seq, at, json])?;
    Ok(())
}

fn last_seq(db: &Connection, key: i64) -> Result<i64, Failure> {
    let mut query =
        db.prepare_cached("SELECT coalesce(max(seq), 0) FROM events WHERE session = ?1")?;
    Ok(query.query_row([key], |row| row.get(0))?)
}

/// The frames after `after`; see [`crate::Journal::read`].
pub(super) fn frames(
    db: &Connection,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Frame>, Failure> {
    let mut found = Vec::new();
    let mut after = after;
    while found.len() < limit {
        let wanted = limit - found.len();
        let page = records(db, session, after, wanted)?;
        let is_last = page.len() < wanted;
        after = page.last().map_or(after, |record| record.seq);
        found.extend(page.into_iter().filter_map(|record| record.into_frame(session)));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// The records after `after`; see [`crate::SqliteJournal::records`].
pub(super) fn records(
    db: &Connection,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Record>, Failure> {
    let key = sessions::key(db, session)?;
    let mut found = Vec::new();
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    match scan(db, key, after, limit, &mut found) {
        Err(error) if error.is_damage() => one_by_one(db, key, after, limit, found),
        Err(error) => Err(error),
        Ok(()) => Ok(found),
    }
}

fn scan(
    db: &Connection,
    key: i64,
    after: i64,
    limit: usize,
    found: &mut Vec<Record>,
) -> Result<(), Failure> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut query = db.prepare_cached(
        "SELECT seq, json FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = query.query([key, after, limit])?;
    while let Some(row) = rows.next()? {
        found.push(Record::parse(u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0), row.get(1)?));
    }
    Ok(())
}

/// Goes on behind what a scan found before it met damage: each record by itself, so that damage
/// costs only the records it lies in.
fn one_by_one(
    db: &Connection,
    key: i64,
    after: i64,
    limit: usize,
    mut found: Vec<Record>,
) -> Result<Vec<Record>, Failure> {
    let last = last_seq(db, key)?;
    let reached = found.last().and_then(|record| i64::try_from(record.seq).ok());
    for seq in reached.unwrap_or(after) + 1..=last {
        if found.len() == limit {
            break;
        }
        found.push(single(db, key, seq)?);
    }
    Ok(found)
}

fn single(db: &Connection, key: i64, seq: i64) -> Result<Record, Failure> {
    let place = u64::try_from(seq).unwrap_or(0);
    let damaged = |message: String| Record {
        seq: place,
        json: String::new(),
        content: Content::Damaged(message),
    };
    let mut query = db.prepare_cached("SELECT json FROM events WHERE session = ?1 AND seq = ?2")?;
    match query.query_row([key, seq], |row| row.get::<_, String>(0)).optional() {
        Ok(Some(json)) => Ok(Record::parse(place, json)),
        Ok(None) => Ok(damaged("it is missing".to_owned())),
        Err(error) => {
            let message = error.to_string();
            let failure = Failure::Sql(error);
            if failure.is_damage() { Ok(damaged(message)) } else { Err(failure) }
        }
    }
}
