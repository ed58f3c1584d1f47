//! Leases: taken, taken over, given back.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{failure::Failure, sessions};
use crate::{StoreError, lease::Holder, scope::Scope};

/// The last lease of a session.
struct Last {
    epoch: i64,
    /// `None` once it was given back.
    holder: Option<Holder>,
}

/// Takes the session for `holder`, unless a living process has it: `holder` itself too. The
/// lease's epoch.
pub(super) fn acquire(
    db: &Connection,
    scope: &Scope,
    session: &str,
    holder: &Holder,
) -> Result<u64, Failure> {
    let key = sessions::key(db, scope, session)?;
    let last = last(db, key)?;
    if let Some(other) = last.holder.filter(Holder::is_alive) {
        return Err(busy(session, &other).into());
    }
    let started = i64::try_from(holder.started).unwrap_or(0);
    db.execute(
        "INSERT OR REPLACE INTO leases (session, epoch, pid, started, boot)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![key, last.epoch + 1, holder.pid, started, holder.boot],
    )?;
    Ok(u64::try_from(last.epoch + 1).unwrap_or(0))
}

fn busy(session: &str, other: &Holder) -> StoreError {
    StoreError::Busy { session: session.to_owned(), holder: format!("process {}", other.pid) }
}

/// Gives the session back, if that lease is the last one.
pub(super) fn release(db: &Connection, session: &str, epoch: u64) -> Result<(), Failure> {
    let epoch = i64::try_from(epoch).unwrap_or(0);
    db.execute(
        "UPDATE leases SET pid = NULL
         WHERE session = (SELECT n FROM sessions WHERE id = ?1) AND epoch = ?2",
        params![session, epoch],
    )?;
    Ok(())
}

/// Refuses what is done under a lease that is not the session's last one any more.
pub(super) fn check(
    db: &Connection,
    key: i64,
    session: &str,
    epoch: Option<u64>,
) -> Result<(), Failure> {
    let Some(epoch) = epoch else { return Ok(()) };
    let mut query = db.prepare_cached(
        "SELECT 1 FROM leases WHERE session = ?1 AND epoch = ?2 AND pid IS NOT NULL",
    )?;
    let epoch = i64::try_from(epoch).unwrap_or(0);
    let is_held = query.exists(params![key, epoch])?;
    if is_held { Ok(()) } else { Err(StoreError::LeaseLost { session: session.to_owned() }.into()) }
}

/// Refuses to take away a session from somebody who works on it.
pub(super) fn check_free(
    db: &Connection,
    key: i64,
    session: &str,
    epoch: Option<u64>,
) -> Result<(), Failure> {
    if epoch.is_some() {
        return check(db, key, session, epoch);
    }
    let other = last(db, key)?.holder.filter(Holder::is_alive);
    other.map_or(Ok(()), |other| Err(busy(session, &other).into()))
}

fn last(db: &Connection, key: i64) -> Result<Last, Failure> {
    let mut query =
        db.prepare_cached("SELECT epoch, pid, started, boot FROM leases WHERE session = ?1")?;
    let last = query.query_row([key], |row| {
        let started: i64 = row.get(2)?;
        let started = u64::try_from(started).unwrap_or(0);
        let boot = row.get(3)?;
        let pid: Option<u32> = row.get(1)?;
        Ok(Last { epoch: row.get(0)?, holder: pid.map(|pid| Holder { pid, started, boot }) })
    });
    Ok(last.optional()?.unwrap_or(Last { epoch: 0, holder: None }))
}
