//! The audit's table.

use rusqlite::{Connection, OptionalExtension as _, params};
use tagline_protocol::Frame;

use super::{events::text, failure::Failure};
use crate::{
    Anchors, AuditEntry,
    audit::{Anchor, Copied, Fact, Tail},
    scope::Scope,
};

/// A chain that grew, and whether what was remembered of it is not in it.
#[derive(Debug)]
pub(super) struct Grown {
    pub(super) profile: String,
    pub(super) tail: Tail,
    pub(super) is_anchor_lost: bool,
}

/// What must be remembered of a chain, by profile.
pub(super) type ToCheck<'a> = &'a (dyn Fn(&str) -> Option<Anchor> + Send);

/// Adds what these frames decide and do. `None` where they do neither.
pub(super) fn follow(
    db: &Connection,
    key: i64,
    frames: &[Frame],
    to_check: ToCheck<'_>,
) -> Result<Option<Grown>, Failure> {
    let facts: Vec<Fact> =
        frames.iter().filter_map(|frame| Fact::of(frame, &text(frame).ok()?)).collect();
    if facts.is_empty() {
        return Ok(None);
    }
    let profile = profile_of(db, key)?;
    let is_anchor_lost = to_check(&profile).map_or(Ok(false), |anchor| is_lost(db, &anchor))?;
    let tail = extend(db, &profile, facts)?;
    Ok(Some(Grown { profile, tail, is_anchor_lost }))
}

/// Remembers the end of a chain that grew, once that is on the disk.
pub(super) fn remember(anchors: &Anchors, grown: &Grown) {
    let Grown { profile, tail, is_anchor_lost } = grown;
    if *is_anchor_lost {
        anchors.set_aside(profile);
    }
    anchors.note(profile, tail);
}

/// Adds that a session came with the records that it holds.
pub(super) fn adopt(db: &Connection, key: i64, session: &str) -> Result<(), Failure> {
    let mut copied = Copied::default();
    let mut query =
        db.prepare_cached("SELECT seq, json FROM events WHERE session = ?1 ORDER BY seq")?;
    let mut rows = query.query([key])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        // Text that is damaged is no frame, so it says nothing that must be in the audit.
        let json = row.get::<_, String>(1).unwrap_or_default();
        copied.push(u64::try_from(seq).unwrap_or(0), &json);
    }
    match copied.into_fact(session) {
        Some(fact) => extend(db, &profile_of(db, key)?, vec![fact]).map(drop),
        None => Ok(()),
    }
}

/// The same for every session, where a journal has no audit yet.
pub(super) fn adopt_all(db: &Connection) -> Result<(), Failure> {
    let mut query = db.prepare("SELECT n, id FROM sessions ORDER BY n")?;
    let all = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let all: Vec<(i64, String)> = all.collect::<Result<_, _>>()?;
    all.into_iter().try_for_each(|(key, id)| adopt(db, key, &id))
}

/// Adds that a session is removed, if the audit speaks of it.
pub(super) fn remove(db: &Connection, key: i64, session: &str, seq: i64) -> Result<(), Failure> {
    let profile = profile_of(db, key)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM audit WHERE profile = ?1 AND session = ?2)";
    if db.query_row(sql, params![profile, session], |row| row.get(0))? {
        let fact = Fact::removed(session, u64::try_from(seq).unwrap_or(0));
        extend(db, &profile, vec![fact])?;
    }
    Ok(())
}

fn profile_of(db: &Connection, key: i64) -> Result<String, Failure> {
    let mut query = db.prepare_cached("SELECT profile FROM sessions WHERE n = ?1")?;
    Ok(query.query_row([key], |row| row.get(0))?)
}

fn is_lost(db: &Connection, anchor: &Anchor) -> Result<bool, Failure> {
    let sql = "SELECT hash FROM audit WHERE profile = ?1 AND n = ?2";
    let n = i64::try_from(anchor.n).unwrap_or(i64::MAX);
    let found: Option<String> =
        db.query_row(sql, params![anchor.profile, n], |row| row.get(0)).optional()?;
    Ok(found.as_ref() != Some(&anchor.hash))
}

fn extend(db: &Connection, profile: &str, facts: Vec<Fact>) -> Result<Tail, Failure> {
    let sql = "SELECT n, hash FROM audit WHERE profile = ?1 ORDER BY n DESC LIMIT 1";
    let tail = |row: &rusqlite::Row<'_>| {
        let n: i64 = row.get(0)?;
        Ok(Tail { n: u64::try_from(n).unwrap_or(0), hash: row.get(1)? })
    };
    let found = db.prepare_cached(sql)?.query_row([profile], tail).optional()?;
    let mut tail = found.unwrap_or_default();
    let mut insert = db.prepare_cached(
        "INSERT INTO audit (profile, n, session, seq, what, digest, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for fact in facts {
        let AuditEntry { n, session, seq, what, digest, hash } = tail.extend(profile, fact);
        let [n, seq] = [n, seq].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        insert.execute(params![profile, n, session, seq, what, digest, hash])?;
    }
    Ok(tail)
}

/// The entries after `after`; see [`crate::Journal::audit`].
pub(super) fn entries(
    db: &Connection,
    scope: &Scope,
    after: u64,
    limit: usize,
) -> Result<Vec<AuditEntry>, Failure> {
    let mut query = db.prepare_cached(
        "SELECT n, session, seq, what, digest, hash FROM audit
         WHERE profile = ?1 AND n > ?2 ORDER BY n LIMIT ?3",
    )?;
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let entry = |row: &rusqlite::Row<'_>| {
        let (n, seq): (i64, i64) = (row.get(0)?, row.get(2)?);
        Ok(AuditEntry {
            n: u64::try_from(n).unwrap_or(0),
            session: row.get(1)?,
            seq: u64::try_from(seq).unwrap_or(0),
            what: row.get(3)?,
            digest: row.get(4)?,
            hash: row.get(5)?,
        })
    };
    let rows = query.query_map(params![scope.keys_of(), after, limit], entry)?;
    Ok(rows.collect::<Result<_, _>>()?)
}
