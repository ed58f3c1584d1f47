//! Letters to who has a session: left, and taken away.

use deadpool_postgres::Transaction;

use super::{failure::Failure, sessions, tell};
use crate::scope::Scope;

/// See [`crate::Journal::post`].
pub(super) async fn post(
    work: &Transaction<'_>,
    scope: &Scope,
    session: &str,
    letter: &str,
) -> Result<(), Failure> {
    let key = sessions::key(work, scope, session).await?;
    let sql = "INSERT INTO tagline.letters (session, body) VALUES ($1, $2) RETURNING n";
    let n: i64 = work.query_one(sql, &[&key, &letter]).await?.try_get(0)?;
    tell(work, &format!("letter {n} {session}")).await
}

/// See [`crate::Journal::collect`].
pub(super) async fn collect(
    work: &Transaction<'_>,
    scope: &Scope,
    session: &str,
) -> Result<Vec<String>, Failure> {
    let key = sessions::lock(work, scope, session).await?;
    let sql = "WITH taken AS (DELETE FROM tagline.letters WHERE session = $1 RETURNING n, body)
               SELECT body FROM taken ORDER BY n";
    let rows = work.query(sql, &[&key]).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}
