//! Leases: taken, taken over, given back.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{failure::Failure, sessions};
use crate::{StoreError, lease::Holder};

/// Takes the session for `holder`, unless a living process has it: `holder` itself too.
pub(super) fn acquire(db: &Connection, session: &str, holder: &Holder) -> Result<(), Failure> {
    let key = sessions::key(db, session)?;
    if let Some(other) = current(db, key)?.filter(Holder::is_alive) {
        return Err(StoreError::Busy { session: session.to_owned(), pid: other.pid }.into());
    }
    let started = i64::try_from(holder.started).unwrap_or(0);
    db.execute(
        "INSERT OR REPLACE INTO leases (session, pid, started, boot) VALUES (?1, ?2, ?3, ?4)",
        params![key, holder.pid, started, holder.boot],
    )?;
    Ok(())
}

/// Gives the session back, if `holder` has it.
pub(super) fn release(db: &Connection, session: &str, holder: &Holder) -> Result<(), Failure> {
    let key = sessions::key(db, session)?;
    if current(db, key)?.as_ref() == Some(holder) {
        db.execute("DELETE FROM leases WHERE session = ?1", [key])?;
    }
    Ok(())
}

fn current(db: &Connection, key: i64) -> Result<Option<Holder>, Failure> {
    let mut query =
        db.prepare_cached("SELECT pid, started, boot FROM leases WHERE session = ?1")?;
    let holder = query.query_row([key], |row| {
        let started: i64 = row.get(1)?;
        let started = u64::try_from(started).unwrap_or(0);
        Ok(Holder { pid: row.get(0)?, started, boot: row.get(2)? })
    });
    Ok(holder.optional()?)
}
