//! Keys of requests: claimed, settled, forgotten.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::failure::Failure;
use crate::{Claim, Claimed, Settled, StoreError, lease::Holder, once::KEPT, time::micros};

/// A key that is known.
struct Known {
    body: String,
    answer: Option<String>,
    holder: Holder,
}

/// See [`crate::Journal::claim`].
pub(super) fn claim(db: &Connection, profile: &str, claim: &Claim) -> Result<Claimed, Failure> {
    let now = micros(&claim.key, &claim.now)?;
    db.execute("DELETE FROM keys WHERE at < ?1", [now - KEPT])?;
    match known(db, profile, &claim.key)? {
        Some(known) if known.body != claim.body => {
            Err(StoreError::KeyReused { key: claim.key.clone() }.into())
        }
        Some(Known { answer: Some(answer), .. }) => Ok(Claimed::Answered(answer)),
        Some(Known { holder, .. }) if holder.is_alive() => Ok(Claimed::Pending),
        Some(_) | None => take(db, profile, claim, now),
    }
}

fn known(db: &Connection, profile: &str, key: &str) -> Result<Option<Known>, Failure> {
    let mut query = db.prepare_cached(
        "SELECT body, answer, pid, started, boot FROM keys WHERE profile = ?1 AND key = ?2",
    )?;
    let known = query.query_row([profile, key], |row| {
        let started: i64 = row.get(3)?;
        let started = u64::try_from(started).unwrap_or(0);
        let holder = Holder { pid: row.get(2)?, started, boot: row.get(4)? };
        Ok(Known { body: row.get(0)?, answer: row.get(1)?, holder })
    });
    Ok(known.optional()?)
}

fn take(db: &Connection, profile: &str, claim: &Claim, now: i64) -> Result<Claimed, Failure> {
    let Holder { pid, started, boot } = Holder::this();
    let started = i64::try_from(started).unwrap_or(0);
    db.execute(
        "INSERT OR REPLACE INTO keys (profile, key, body, at, pid, started, boot)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![profile, claim.key, claim.body, now, pid, started, boot],
    )?;
    Ok(Claimed::Mine)
}

/// See [`crate::Journal::settle`].
pub(super) fn settle(db: &Connection, profile: &str, settled: &Settled) -> Result<(), Failure> {
    let Settled { key, answer } = settled;
    let n = db.execute(
        "UPDATE keys SET answer = ?3 WHERE profile = ?1 AND key = ?2 AND answer IS NULL",
        [profile, key, answer],
    )?;
    if n == 0 { Err(StoreError::NotClaimed { key: key.clone() }.into()) } else { Ok(()) }
}

/// See [`crate::Journal::unclaim`].
pub(super) fn unclaim(db: &Connection, profile: &str, key: &str) -> Result<(), Failure> {
    db.execute(
        "DELETE FROM keys WHERE profile = ?1 AND key = ?2 AND answer IS NULL",
        [profile, key],
    )?;
    Ok(())
}
