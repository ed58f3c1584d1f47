//! Sessions: made, listed, found, deleted.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _, path::Path};

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::failure::Failure;
use crate::{
    SessionInfo, StoreError,
    scope::Scope,
    time::{micros, rfc3339},
    title::first_line,
};

/// `updated` and `last_seq` come from the log itself.
const INFO: &str = "
    SELECT s.id, s.profile, s.created, s.title, s.workspace,
        coalesce(l.seq, 0), coalesce(l.at, s.created) AS updated
    FROM tagline.sessions s
    LEFT JOIN LATERAL (
        SELECT seq, at FROM tagline.events WHERE session = s.n ORDER BY seq DESC LIMIT 1
    ) l ON true";

/// Makes the row; its number.
pub(super) async fn create(work: &Transaction<'_>, info: &SessionInfo) -> Result<i64, Failure> {
    let SessionInfo { id, created, title, workspace, profile, updated: _, last_seq: _ } = info;
    let created = micros(id, created)?;
    let sql = work
        .prepare_cached(
            "INSERT INTO tagline.sessions (id, profile, created, title, named, workspace)
             VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT (id) DO NOTHING RETURNING n",
        )
        .await?;
    let title = first_line(title);
    let workspace = workspace.as_os_str().as_bytes();
    let row = work.query_opt(&sql, &[id, profile, &created, &title, &workspace]).await?;
    let row = row.ok_or_else(|| StoreError::Exists(id.clone()))?;
    Ok(row.try_get(0)?)
}

/// A session without a given name takes over that of its source.
pub(super) async fn inherit_name(
    work: &Transaction<'_>,
    from: i64,
    to: i64,
) -> Result<(), Failure> {
    let sql = "UPDATE tagline.sessions SET (named, title) =
                   (SELECT named, named FROM tagline.sessions WHERE n = $1)
               WHERE n = $2 AND named = ''";
    work.execute(sql, &[&from, &to]).await?;
    Ok(())
}

/// The number that stands for the session in the other tables.
pub(super) async fn key(db: &impl GenericClient, scope: &Scope, id: &str) -> Result<i64, Failure> {
    let sql = db
        .prepare_cached(
            "SELECT n FROM tagline.sessions WHERE id = $1 AND ($2::text IS NULL OR profile = $2)",
        )
        .await?;
    n_of(db.query_opt(&sql, &[&id, &scope.profile()]).await?, id)
}

/// As [`key`], and nobody else writes to the session until the transaction ends. What the session
/// holds must be asked for behind it: an older statement would not see what was waited for.
pub(super) async fn lock(work: &Transaction<'_>, scope: &Scope, id: &str) -> Result<i64, Failure> {
    let sql = work
        .prepare_cached(
            "SELECT n FROM tagline.sessions
             WHERE id = $1 AND ($2::text IS NULL OR profile = $2) FOR UPDATE",
        )
        .await?;
    n_of(work.query_opt(&sql, &[&id, &scope.profile()]).await?, id)
}

fn n_of(row: Option<Row>, id: &str) -> Result<i64, Failure> {
    let row = row.ok_or_else(|| StoreError::NoSession(id.to_owned()))?;
    Ok(row.try_get(0)?)
}

pub(super) async fn all(
    db: &impl GenericClient,
    scope: &Scope,
) -> Result<Vec<SessionInfo>, Failure> {
    let sql =
        format!("{INFO} WHERE $1::text IS NULL OR s.profile = $1 ORDER BY updated DESC, s.n DESC");
    let rows = db.query(&db.prepare_cached(&sql).await?, &[&scope.profile()]).await?;
    rows.iter().map(info).collect()
}

pub(super) async fn find(
    db: &impl GenericClient,
    scope: &Scope,
    prefix: &str,
) -> Result<SessionInfo, Failure> {
    let absent = || Failure::from(StoreError::NoSession(prefix.to_owned()));
    if prefix.is_empty() {
        return Err(absent());
    }
    let sql = format!(
        "{INFO} WHERE starts_with(s.id, $1) AND ($2::text IS NULL OR s.profile = $2)
         ORDER BY s.id <> $1, updated DESC, s.id COLLATE \"C\" LIMIT 6"
    );
    let rows = db.query(&db.prepare_cached(&sql).await?, &[&prefix, &scope.profile()]).await?;
    let mut found = rows.iter().map(info).collect::<Result<Vec<_>, _>>()?.into_iter();
    let first = found.next().ok_or_else(absent)?;
    let rest: Vec<_> = found.map(|info| info.id).collect();
    if first.id == prefix || rest.is_empty() {
        return Ok(first);
    }
    let candidates = format!("{}, {}", first.id, rest.join(", "));
    Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates }.into())
}

fn info(row: &Row) -> Result<SessionInfo, Failure> {
    let last_seq: i64 = row.try_get(5)?;
    Ok(SessionInfo {
        id: row.try_get(0)?,
        profile: row.try_get(1)?,
        created: rfc3339(row.try_get(2)?),
        title: row.try_get(3)?,
        workspace: Path::new(OsStr::from_bytes(row.try_get(4)?)).to_owned(),
        last_seq: u64::try_from(last_seq).unwrap_or(0),
        updated: rfc3339(row.try_get(6)?),
    })
}
