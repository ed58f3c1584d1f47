//! The audit's table.

use deadpool_postgres::{GenericClient, Transaction};
use tagline_protocol::Frame;
use tokio_postgres::Row;

use super::{events::page, failure::Failure};
use crate::{
    AuditEntry,
    audit::{Anchors, Copied, Fact, Tail},
    scope::Scope,
};

/// Records read at once.
const PAGE: usize = 1024;

/// A chain that grew, and whether what was remembered of it is not in it.
#[derive(Debug)]
pub(super) struct Grown {
    pub(super) profile: String,
    pub(super) tail: Tail,
    pub(super) is_anchor_lost: bool,
}

/// Adds what these frames decide and do. `None` where they do neither.
pub(super) async fn follow(
    work: &Transaction<'_>,
    key: i64,
    frames: &[Frame],
    anchors: Option<&Anchors>,
) -> Result<Option<Grown>, Failure> {
    let text = |frame: &Frame| serde_json::to_string(frame).unwrap_or_default();
    let facts: Vec<Fact> =
        frames.iter().filter_map(|frame| Fact::of(frame, &text(frame))).collect();
    if facts.is_empty() {
        return Ok(None);
    }
    let profile = profile_of(work, key).await?;
    lock(work, &profile).await?;
    let is_anchor_lost = match anchors.and_then(|anchors| anchors.to_check(&profile)) {
        Some(anchor) => {
            let sql = "SELECT EXISTS (SELECT 1 FROM tagline.audit
                       WHERE profile = $1 AND n = $2 AND hash = $3)";
            let n = number(anchor.n);
            let row = work.query_one(sql, &[&profile, &n, &anchor.hash]).await?;
            !row.try_get::<_, bool>(0)?
        }
        None => false,
    };
    let tail = extend(work, &profile, facts).await?;
    Ok(Some(Grown { profile, tail, is_anchor_lost }))
}

/// Remembers the end of a chain that grew, once that is safe.
pub(super) fn remember(anchors: &Anchors, grown: &Grown) {
    let Grown { profile, tail, is_anchor_lost } = grown;
    if *is_anchor_lost {
        anchors.set_aside(profile);
    }
    anchors.note(profile, tail);
}

/// Adds that a session came with the records that it holds.
pub(super) async fn adopt(work: &Transaction<'_>, key: i64, session: &str) -> Result<(), Failure> {
    let (mut copied, mut after) = (Copied::default(), 0);
    loop {
        let page = page(work, key, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        for raw in &page {
            copied.push(raw.seq, raw.text.as_deref().unwrap_or_default());
        }
    }
    let Some(fact) = copied.into_fact(session) else { return Ok(()) };
    let profile = profile_of(work, key).await?;
    lock(work, &profile).await?;
    extend(work, &profile, vec![fact]).await.map(drop)
}

/// The same for every session, where a journal has no audit yet.
pub(super) async fn adopt_all(work: &Transaction<'_>) -> Result<(), Failure> {
    for row in work.query("SELECT n, id FROM tagline.sessions ORDER BY n", &[]).await? {
        adopt(work, row.try_get(0)?, row.try_get(1)?).await?;
    }
    Ok(())
}

/// Adds that a session is removed, if the audit speaks of it.
pub(super) async fn remove(
    work: &Transaction<'_>,
    key: i64,
    session: &str,
    last_seq: u64,
) -> Result<(), Failure> {
    let profile = profile_of(work, key).await?;
    lock(work, &profile).await?;
    let sql = "SELECT EXISTS (SELECT 1 FROM tagline.audit WHERE profile = $1 AND session = $2)";
    let row = work.query_one(sql, &[&profile, &session]).await?;
    if row.try_get(0)? {
        extend(work, &profile, vec![Fact::removed(session, last_seq)]).await?;
    }
    Ok(())
}

/// Nobody else adds to the chain until the transaction ends.
async fn lock(work: &Transaction<'_>, profile: &str) -> Result<(), Failure> {
    let sql = work
        .prepare_cached("SELECT pg_advisory_xact_lock(hashtextextended('tagline audit ' || $1, 0))")
        .await?;
    work.execute(&sql, &[&profile]).await?;
    Ok(())
}

async fn profile_of(work: &Transaction<'_>, key: i64) -> Result<String, Failure> {
    let sql = work.prepare_cached("SELECT profile FROM tagline.sessions WHERE n = $1").await?;
    Ok(work.query_one(&sql, &[&key]).await?.try_get(0)?)
}

async fn extend(work: &Transaction<'_>, profile: &str, facts: Vec<Fact>) -> Result<Tail, Failure> {
    let sql = work
        .prepare_cached(
            "SELECT n, hash FROM tagline.audit WHERE profile = $1 ORDER BY n DESC LIMIT 1",
        )
        .await?;
    let mut tail = match work.query_opt(&sql, &[&profile]).await? {
        Some(row) => Tail { n: count(&row, 0)?, hash: row.try_get(1)? },
        None => Tail::default(),
    };
    let insert = work
        .prepare_cached(
            "INSERT INTO tagline.audit (profile, n, session, seq, what, digest, hash)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .await?;
    for fact in facts {
        let AuditEntry { n, session, seq, what, digest, hash } = tail.extend(profile, fact);
        let [n, seq] = [n, seq].map(number);
        work.execute(&insert, &[&profile, &n, &session, &seq, &what, &digest, &hash]).await?;
    }
    Ok(tail)
}

/// The entries after `after`; see [`crate::Journal::audit`].
pub(super) async fn entries(
    db: &impl GenericClient,
    scope: &Scope,
    after: u64,
    limit: usize,
) -> Result<Vec<AuditEntry>, Failure> {
    let sql = db
        .prepare_cached(
            "SELECT n, session, seq, what, digest, hash FROM tagline.audit
             WHERE profile = $1 AND n > $2 ORDER BY n LIMIT $3",
        )
        .await?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = db.query(&sql, &[&scope.keys_of(), &number(after), &limit]).await?;
    rows.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<AuditEntry, Failure> {
    Ok(AuditEntry {
        n: count(row, 0)?,
        session: row.try_get(1)?,
        seq: count(row, 2)?,
        what: row.try_get(3)?,
        digest: row.try_get(4)?,
        hash: row.try_get(5)?,
    })
}

fn count(row: &Row, at: usize) -> Result<u64, Failure> {
    Ok(u64::try_from(row.try_get::<_, i64>(at)?).unwrap_or(0))
}

fn number(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
