//! Leases: taken, taken over, given back; and the servers that hold them.
//!
//! A lease names a server, and a server is alive as long as its row says, by the clock of the
//! database. A server on this machine whose process is gone is not waited for.

use std::{fs, time::Duration};

use deadpool_postgres::{GenericClient, Transaction};

use super::{failure::Failure, sessions};
use crate::{StoreError, lease::Holder, scope::Scope};

/// A server as its row has it.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    /// Tells it apart from every other one.
    pub(super) id: String,
    /// In words.
    holder: String,
    /// Its process, for those on the same machine.
    process: String,
}

impl Owner {
    /// This process, as the `n`th journal it opens.
    pub(super) fn this(n: u64) -> Self {
        let Holder { pid, started, boot } = Holder::this();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host = host.trim();
        let place = if host.is_empty() { String::new() } else { format!(" on {host}") };
        let process = format!("{boot} {pid} {started}");
        Self { id: format!("{process} {n}"), holder: format!("process {pid}{place}"), process }
    }
}

/// Says that the server lives, for so long.
pub(super) async fn beat(
    db: &impl GenericClient,
    owner: &Owner,
    lease: Duration,
) -> Result<(), Failure> {
    let Owner { id, holder, process } = owner;
    let sql = db
        .prepare_cached(
            "INSERT INTO tagline.servers (owner, holder, process, expires)
             VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
             ON CONFLICT (owner) DO UPDATE SET expires = excluded.expires",
        )
        .await?;
    db.execute(&sql, &[id, holder, process, &lease.as_secs_f64()]).await?;
    Ok(())
}

/// Says that the server ends, and forgets those that ended long ago.
pub(super) async fn sign_off(db: &impl GenericClient, owner: &Owner) -> Result<(), Failure> {
    let sql = "DELETE FROM tagline.servers
               WHERE owner = $1 OR expires < clock_timestamp() - interval '1 day'";
    db.execute(sql, &[&owner.id]).await?;
    Ok(())
}

/// Takes the session, unless a living server has it: this one too. The lease's epoch.
pub(super) async fn acquire(
    work: &Transaction<'_>,
    scope: &Scope,
    session: &str,
    owner: &Owner,
) -> Result<i64, Failure> {
    let key = sessions::lock(work, scope, session).await?;
    if let Some(holder) = holder(work, key).await? {
        return Err(StoreError::Busy { session: session.to_owned(), holder }.into());
    }
    let sql = "INSERT INTO tagline.leases AS l (session, epoch, owner) VALUES ($1, 1, $2)
               ON CONFLICT (session) DO UPDATE SET epoch = l.epoch + 1, owner = $2
               RETURNING epoch";
    Ok(work.query_one(sql, &[&key, &owner.id]).await?.try_get(0)?)
}

/// Who has the session, in words.
async fn holder(work: &Transaction<'_>, key: i64) -> Result<Option<String>, Failure> {
    let sql = "SELECT s.holder, s.process FROM tagline.leases l
               JOIN tagline.servers s ON s.owner = l.owner AND s.expires > clock_timestamp()
               WHERE l.session = $1";
    let Some(row) = work.query_opt(sql, &[&key]).await? else { return Ok(None) };
    let process: String = row.try_get(1)?;
    if is_dead(&process) {
        return Ok(None);
    }
    Ok(Some(row.try_get(0)?))
}

/// Whether it is known that the process is gone: only of this machine's is it.
pub(super) fn is_dead(process: &str) -> bool {
    let mut parts = process.split(' ');
    let (Some(boot), Some(pid), Some(started)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Ok(pid), Ok(started)) = (pid.parse(), started.parse()) else { return false };
    boot == Holder::this().boot && !Holder { pid, started, boot: boot.to_owned() }.is_alive()
}

/// Refuses what is done under a lease that is not the session's last one any more.
pub(super) async fn check(
    db: &impl GenericClient,
    key: i64,
    session: &str,
    epoch: Option<u64>,
    owner: &Owner,
) -> Result<(), Failure> {
    let Some(epoch) = epoch else { return Ok(()) };
    let sql = db
        .prepare_cached(
            "SELECT 1 FROM tagline.leases WHERE session = $1 AND epoch = $2 AND owner = $3",
        )
        .await?;
    let epoch = i64::try_from(epoch).unwrap_or(0);
    let row = db.query_opt(&sql, &[&key, &epoch, &owner.id]).await?;
    let lost = || StoreError::LeaseLost { session: session.to_owned() }.into();
    row.map(|_| ()).ok_or_else(lost)
}

/// Refuses to take away a session from somebody who works on it.
pub(super) async fn check_free(
    work: &Transaction<'_>,
    key: i64,
    session: &str,
    epoch: Option<u64>,
    owner: &Owner,
) -> Result<(), Failure> {
    if epoch.is_some() {
        return check(work, key, session, epoch, owner).await;
    }
    let busy = |holder| StoreError::Busy { session: session.to_owned(), holder }.into();
    holder(work, key).await?.map_or(Ok(()), |holder| Err(busy(holder)))
}

/// Gives the session back, if that lease is the last one.
pub(super) async fn release(
    db: &impl GenericClient,
    session: &str,
    epoch: u64,
    owner: &Owner,
) -> Result<(), Failure> {
    let sql = "UPDATE tagline.leases SET owner = NULL
               WHERE session = (SELECT n FROM tagline.sessions WHERE id = $1)
                   AND epoch = $2 AND owner = $3";
    let epoch = i64::try_from(epoch).unwrap_or(0);
    db.execute(sql, &[&session, &epoch, &owner.id]).await?;
    Ok(())
}
