//! Keys of requests: claimed, settled, forgotten.

use deadpool_postgres::{GenericClient, Transaction};

use super::{
    failure::Failure,
    leases::{Owner, is_dead},
};
use crate::{Claim, Claimed, Settled, StoreError, once::KEPT, time::micros};

/// See [`crate::Journal::claim`].
pub(super) async fn claim(
    work: &Transaction<'_>,
    profile: &str,
    claim: &Claim,
    owner: &Owner,
) -> Result<Claimed, Failure> {
    let now = micros(&claim.key, &claim.now)?;
    work.execute("DELETE FROM tagline.keys WHERE at < $1", &[&(now - KEPT)]).await?;
    let sql = "INSERT INTO tagline.keys (profile, key, body, at, owner)
               VALUES ($1, $2, $3, $4, $5) ON CONFLICT (profile, key) DO NOTHING";
    let (key, body) = (&claim.key, &claim.body);
    if work.execute(sql, &[&profile, key, body, &now, &owner.id]).await? == 1 {
        return Ok(Claimed::Mine);
    }
    let known = known(work, profile, key).await?;
    if known.body != claim.body {
        return Err(StoreError::KeyReused { key: key.clone() }.into());
    }
    if let Some(answer) = known.answer {
        return Ok(Claimed::Answered(answer));
    }
    if known.is_alive {
        return Ok(Claimed::Pending);
    }
    let sql = "UPDATE tagline.keys SET owner = $3, at = $4 WHERE profile = $1 AND key = $2";
    work.execute(sql, &[&profile, key, &owner.id, &now]).await?;
    Ok(Claimed::Mine)
}

/// A key that is there.
struct Known {
    body: String,
    answer: Option<String>,
    is_alive: bool,
}

async fn known(work: &Transaction<'_>, profile: &str, key: &str) -> Result<Known, Failure> {
    let sql = "SELECT k.body, k.answer, s.process FROM tagline.keys k
               LEFT JOIN tagline.servers s ON s.owner = k.owner AND s.expires > clock_timestamp()
               WHERE k.profile = $1 AND k.key = $2 FOR UPDATE OF k";
    let row = work.query_one(sql, &[&profile, &key]).await?;
    let process: Option<String> = row.try_get(2)?;
    let is_alive = process.is_some_and(|process| !is_dead(&process));
    Ok(Known { body: row.try_get(0)?, answer: row.try_get(1)?, is_alive })
}

/// See [`crate::Journal::settle`].
pub(super) async fn settle(
    db: &impl GenericClient,
    profile: &str,
    settled: &Settled,
) -> Result<(), Failure> {
    let Settled { key, answer } = settled;
    let sql = "UPDATE tagline.keys SET answer = $3
               WHERE profile = $1 AND key = $2 AND answer IS NULL";
    let n = db.execute(sql, &[&profile, key, answer]).await?;
    if n == 0 { Err(StoreError::NotClaimed { key: key.clone() }.into()) } else { Ok(()) }
}

/// See [`crate::Journal::unclaim`].
pub(super) async fn unclaim(
    db: &impl GenericClient,
    profile: &str,
    key: &str,
) -> Result<(), Failure> {
    let sql = "DELETE FROM tagline.keys WHERE profile = $1 AND key = $2 AND answer IS NULL";
    db.execute(sql, &[&profile, &key]).await?;
    Ok(())
}
