//! Letters to who has a session: left, and taken away.

use rusqlite::{Connection, params};

use super::{failure::Failure, sessions};
use crate::scope::Scope;

/// See [`crate::Journal::post`]. The letter's number.
pub(super) fn post(
    db: &Connection,
    scope: &Scope,
    session: &str,
    letter: &str,
) -> Result<u64, Failure> {
    let key = sessions::key(db, scope, session)?;
    db.execute("INSERT INTO letters (session, body) VALUES (?1, ?2)", params![key, letter])?;
    Ok(u64::try_from(db.last_insert_rowid()).unwrap_or(0))
}

/// See [`crate::Journal::collect`].
pub(super) fn collect(
    db: &Connection,
    scope: &Scope,
    session: &str,
) -> Result<Vec<String>, Failure> {
    let key = sessions::key(db, scope, session)?;
    let mut query = db.prepare_cached("SELECT body FROM letters WHERE session = ?1 ORDER BY n")?;
    let letters = query.query_map([key], |row| row.get(0))?.collect::<Result<_, _>>()?;
    db.execute("DELETE FROM letters WHERE session = ?1", [key])?;
    Ok(letters)
}
