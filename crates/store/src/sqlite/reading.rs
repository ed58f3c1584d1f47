//! Events: read, and read around damage.

use std::{collections::HashMap, path::Path};

use rusqlite::{Connection, OptionalExtension as _, params};
use tagline_protocol::Frame;

use super::{events, failure::Failure, mend, sessions};
use crate::{Record, record::Raw, scope::Scope};

/// Records read at once where all are looked at.
const PAGE: usize = 1024;

/// The frames after `after`; see [`crate::Journal::read`].
pub(super) fn frames(
    db: &Connection,
    scope: &Scope,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Frame>, Failure> {
    let mut found = Vec::new();
    let mut after = after;
    while found.len() < limit {
        let wanted = limit - found.len();
        let page = records(db, scope, session, after, wanted)?;
        let is_last = page.len() < wanted;
        after = page.last().map_or(after, |record| record.seq);
        found.extend(page.into_iter().filter_map(|record| record.into_frame(session)));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// The records after `after`; see [`crate::Journal::records`].
pub(super) fn records(
    db: &Connection,
    scope: &Scope,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Record>, Failure> {
    let key = sessions::key(db, scope, session)?;
    let found = page(db, key, after, limit)?;
    Ok(found.into_iter().map(Raw::record).collect())
}

/// Hands over every record behind `after` whose text names one of these types. The number of the
/// last record.
pub(super) fn each_of(
    db: &Connection,
    key: i64,
    after: u64,
    kinds: &[&str],
    mut work: impl FnMut(Record) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut after = after;
    loop {
        let page = page(db, key, after, PAGE)?;
        let is_last = page.len() < PAGE;
        for raw in page {
            after = raw.seq;
            if raw.text.as_ref().is_ok_and(|text| kinds.iter().any(|kind| text.contains(kind))) {
                work(raw.record())?;
            }
        }
        if is_last {
            return Ok(after);
        }
    }
}

fn page(db: &Connection, key: i64, after: u64, limit: usize) -> Result<Vec<Raw>, Failure> {
    let mut found = Vec::new();
    match scan(db, key, after, limit, &mut found) {
        Err(error) if error.is_damage() => {
            remember(db);
            one_by_one(db, key, after, limit, found)
        }
        Err(error) => Err(error),
        Ok(()) => fill(db, key, &mut found).map(|()| found),
    }
}

fn remember(db: &Connection) {
    if let Some(path) = db.path() {
        mend::remember(Path::new(path));
    }
}

/// Looks for missing records without the index: where that is damaged, it may not say so.
fn fill(db: &Connection, key: i64, found: &mut [Raw]) -> Result<(), Failure> {
    let mut missing = found.iter_mut().filter(|raw| raw.is_missing()).peekable();
    if missing.peek().is_none() {
        return Ok(());
    }
    let mut query =
        db.prepare_cached("SELECT seq, json FROM events NOT INDEXED WHERE session = ?1")?;
    let rows = query.query_map([key], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    // What cannot be read is missing.
    let there: HashMap<i64, String> = rows.map_while(Result::ok).collect();
    for raw in missing {
        if let Some(text) = i64::try_from(raw.seq).ok().and_then(|seq| there.get(&seq)) {
            raw.text = Ok(text.clone());
            remember(db);
        }
    }
    Ok(())
}

fn scan(
    db: &Connection,
    key: i64,
    after: u64,
    limit: usize,
    found: &mut Vec<Raw>,
) -> Result<(), Failure> {
    let n = i64::try_from(limit).unwrap_or(i64::MAX);
    let behind = i64::try_from(after).unwrap_or(i64::MAX);
    let mut query = db.prepare_cached(
        "SELECT seq, json FROM events WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = query.query([key, behind, n])?;
    let mut expected = after.saturating_add(1);
    while let Some(row) = rows.next()? {
        let seq = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
        Raw::push(found, &mut expected, seq, row.get(1)?);
    }
    found.truncate(limit);
    Ok(())
}

/// Goes on behind what a scan found before it met damage: each record by itself, so that damage
/// costs only the records it lies in.
fn one_by_one(
    db: &Connection,
    key: i64,
    after: u64,
    limit: usize,
    mut found: Vec<Raw>,
) -> Result<Vec<Raw>, Failure> {
    let last = u64::try_from(events::last_seq(db, key)?).unwrap_or(0);
    let reached = found.last().map_or(after, |raw| raw.seq);
    for seq in reached.saturating_add(1)..=last {
        if found.len() >= limit {
            break;
        }
        found.push(single(db, key, seq)?);
    }
    found.truncate(limit);
    Ok(found)
}

fn single(db: &Connection, key: i64, seq: u64) -> Result<Raw, Failure> {
    let mut query = db.prepare_cached("SELECT json FROM events WHERE session = ?1 AND seq = ?2")?;
    let place = i64::try_from(seq).unwrap_or(i64::MAX);
    match query.query_row(params![key, place], |row| row.get::<_, String>(0)).optional() {
        Ok(Some(json)) => Ok(Raw { seq, text: Ok(json) }),
        Ok(None) => Ok(Raw::missing(seq)),
        Err(error) => {
            let message = error.to_string();
            let failure = Failure::Sql(error);
            if failure.is_damage() { Ok(Raw { seq, text: Err(message) }) } else { Err(failure) }
        }
    }
}
