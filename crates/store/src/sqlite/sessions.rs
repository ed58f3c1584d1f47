//! Sessions: made, listed, found.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{audit, derived, events, failure::Failure, leases};
use crate::{
    SessionInfo, StoreError,
    scope::Scope,
    time::{micros, rfc3339},
    title::{Title, first_line},
};

/// `updated` and `last_seq` come from the log itself.
const INFO: &str = "
    SELECT s.id, s.profile, s.created, s.title, s.workspace,
        coalesce((SELECT max(e.seq) FROM events e WHERE e.session = s.n), 0),
        coalesce(
            (SELECT e.at FROM events e WHERE e.session = s.n ORDER BY e.seq DESC LIMIT 1),
            s.created
        ) AS updated
    FROM sessions s";

pub(super) fn create(db: &Connection, info: &SessionInfo) -> Result<(), Failure> {
    let SessionInfo { id, created, title, workspace, profile, updated: _, last_seq: _ } = info;
    let created = micros(id, created)?;
    let workspace = workspace.as_os_str().as_bytes();
    let n = db.execute(
        "INSERT INTO sessions (id, profile, created, title, named, workspace)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5) ON CONFLICT (id) DO NOTHING",
        params![id, profile, created, first_line(title), workspace],
    )?;
    if n == 0 {
        return Err(StoreError::Exists(id.clone()).into());
    }
    Ok(())
}

/// Starts a session with a copy of what another one holds up to a number, damage included.
pub(super) fn fork(
    db: &Connection,
    scope: &Scope,
    source: &str,
    info: &SessionInfo,
    until: Option<u64>,
) -> Result<(), Failure> {
    let from = key(db, scope, source)?;
    create(db, info)?;
    let to = key(db, &Scope::default(), &info.id)?;
    let until = until.and_then(|until| i64::try_from(until).ok()).unwrap_or(i64::MAX);
    db.execute(
        "INSERT INTO events (session, seq, at, json)
         SELECT ?2, seq, at, iif(json_valid(json), json_set(json, '$.session', ?3), json)
         FROM events WHERE session = ?1 AND seq <= ?4",
        params![from, to, info.id, until],
    )?;
    db.execute(
        "UPDATE sessions SET (named, title) = (SELECT named, named FROM sessions WHERE n = ?1)
         WHERE n = ?2 AND named = ''",
        [from, to],
    )?;
    derived::of_session(db, to, &info.id)?;
    audit::adopt(db, to, &info.id)
}

/// Removes the session with everything that belongs to it.
pub(super) fn delete(
    db: &Connection,
    scope: &Scope,
    session: &str,
    epoch: Option<u64>,
) -> Result<(), Failure> {
    let key = key(db, scope, session)?;
    leases::check_free(db, key, session, epoch)?;
    audit::remove(db, key, session, events::last_seq(db, key)?)?;
    for sql in [
        "DELETE FROM open_runs WHERE session = ?1",
        "DELETE FROM leases WHERE session = ?1",
        "DELETE FROM letters WHERE session = ?1",
        "DELETE FROM events WHERE session = ?1",
        "DELETE FROM sessions WHERE n = ?1",
    ] {
        db.execute(sql, [key])?;
    }
    Ok(())
}

/// The number that stands for the session in the other tables.
pub(super) fn key(db: &Connection, scope: &Scope, id: &str) -> Result<i64, Failure> {
    let mut query =
        db.prepare_cached("SELECT n FROM sessions WHERE id = ?1 AND (?2 IS NULL OR profile = ?2)")?;
    let key = query.query_row(params![id, scope.profile()], |row| row.get(0)).optional()?;
    key.ok_or_else(|| StoreError::NoSession(id.to_owned()).into())
}

pub(super) fn set_title(db: &Connection, key: i64, title: Title<'_>) -> Result<(), Failure> {
    let (sql, title) = match title {
        Title::FromUser(text) => {
            ("UPDATE sessions SET title = ?2 WHERE n = ?1 AND title = ''", text)
        }
        Title::Given(text) => ("UPDATE sessions SET title = ?2 WHERE n = ?1", text),
    };
    db.prepare_cached(sql)?.execute(params![key, first_line(title)])?;
    Ok(())
}

pub(super) fn all(db: &Connection, scope: &Scope) -> Result<Vec<SessionInfo>, Failure> {
    let mut query = db.prepare_cached(&format!(
        "{INFO} WHERE ?1 IS NULL OR s.profile = ?1 ORDER BY updated DESC, s.n DESC"
    ))?;
    let rows = query.query_map([scope.profile()], info)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn find(db: &Connection, scope: &Scope, prefix: &str) -> Result<SessionInfo, Failure> {
    let absent = || Failure::from(StoreError::NoSession(prefix.to_owned()));
    if prefix.is_empty() {
        return Err(absent());
    }
    let mut query = db.prepare(&format!(
        "{INFO} WHERE substr(s.id, 1, length(?1)) = ?1 AND (?2 IS NULL OR s.profile = ?2)
         ORDER BY s.id <> ?1, updated DESC, s.id LIMIT 6"
    ))?;
    let mut found = query
        .query_map(params![prefix, scope.profile()], info)?
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let first = found.next().ok_or_else(absent)?;
    let rest: Vec<_> = found.map(|info| info.id).collect();
    if first.id == prefix || rest.is_empty() {
        return Ok(first);
    }
    let candidates = format!("{}, {}", first.id, rest.join(", "));
    Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates }.into())
}

fn info(row: &Row<'_>) -> rusqlite::Result<SessionInfo> {
    let last_seq: i64 = row.get(5)?;
    Ok(SessionInfo {
        id: row.get(0)?,
        profile: row.get(1)?,
        created: rfc3339(row.get(2)?),
        title: row.get(3)?,
        workspace: path(row.get_ref(4)?.as_bytes()?),
        last_seq: u64::try_from(last_seq).unwrap_or(0),
        updated: rfc3339(row.get(6)?),
    })
}

fn path(bytes: &[u8]) -> PathBuf {
    Path::new(OsStr::from_bytes(bytes)).to_owned()
}
