//! Events: numbered, written, read.

use deadpool_postgres::{GenericClient, Transaction};
use tagline_protocol::Frame;

use super::{derived, failure::Failure, notify, sessions};
use crate::{
    NewEvent, Record, Stored,
    record::{Raw, ts_of, with_session},
    scope::Scope,
    time::micros,
};

/// Records read at once where all are looked at.
const PAGE: usize = 1024;

/// Rows of one insert.
#[derive(Debug, Default)]
struct Rows {
    seqs: Vec<i64>,
    ats: Vec<i64>,
    texts: Vec<String>,
}

impl Rows {
    fn push(&mut self, seq: u64, at: i64, text: String) {
        self.seqs.push(i64::try_from(seq).unwrap_or(0));
        self.ats.push(at);
        self.texts.push(text);
    }

    async fn insert(&self, work: &Transaction<'_>, key: i64) -> Result<(), Failure> {
        let sql = work
            .prepare_cached(
                "INSERT INTO tagline.events (session, seq, at, json)
                 SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[])",
            )
            .await?;
        work.execute(&sql, &[&key, &self.seqs, &self.ats, &self.texts]).await?;
        Ok(())
    }
}

/// Numbers `events` behind the session's last one and writes them, in a transaction that has locked
/// the session.
pub(super) async fn append(
    work: &Transaction<'_>,
    key: i64,
    session: &str,
    events: Vec<NewEvent>,
) -> Result<Vec<Frame>, Failure> {
    let last = last_seq(work, key).await?;
    let (mut rows, mut frames) = (Rows::default(), Vec::with_capacity(events.len()));
    for (seq, event) in (last + 1..).zip(events) {
        let frame = event.place(session, seq);
        let at = micros(session, &frame.ts)?;
        // A frame is data that always has a JSON form.
        rows.push(seq, at, serde_json::to_string(&frame).unwrap_or_default());
        frames.push(frame);
    }
    rows.insert(work, key).await?;
    for frame in &frames {
        derived::follow(work, key, frame).await?;
    }
    if let Some(last) = frames.last() {
        notify(work, session, last.seq).await?;
    }
    Ok(frames)
}

/// Writes records of another journal as they stand.
pub(super) async fn restore(
    work: &Transaction<'_>,
    key: i64,
    session: &str,
    created: &str,
    records: &[Stored],
) -> Result<(), Failure> {
    // A record that says no time gets that of the one before it.
    let mut at = micros(session, created)?;
    for page in records.chunks(PAGE) {
        let mut rows = Rows::default();
        for Stored { seq, json } in page {
            at = ts_of(json).and_then(|ts| micros(session, &ts).ok()).unwrap_or(at);
            rows.push(*seq, at, with_session(json, session));
        }
        rows.insert(work, key).await?;
    }
    derived::of_session(work, key, session).await
}

/// Copies what one session holds up to a number into another, holes included.
pub(super) async fn copy(
    work: &Transaction<'_>,
    from: i64,
    to: i64,
    session: &str,
    until: Option<u64>,
) -> Result<(), Failure> {
    let until = until.and_then(|until| i64::try_from(until).ok()).unwrap_or(i64::MAX);
    let mut after = 0_i64;
    loop {
        let sql = work
            .prepare_cached(
                "SELECT seq, at, json FROM tagline.events
                 WHERE session = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT 1024",
            )
            .await?;
        let page = work.query(&sql, &[&from, &after, &until]).await?;
        let mut rows = Rows::default();
        for row in &page {
            after = row.try_get(0)?;
            let text = with_session(row.try_get(2)?, session);
            rows.push(u64::try_from(after).unwrap_or(0), row.try_get(1)?, text);
        }
        rows.insert(work, to).await?;
        if page.is_empty() {
            return derived::of_session(work, to, session).await;
        }
    }
}

pub(super) async fn last_seq(db: &impl GenericClient, key: i64) -> Result<u64, Failure> {
    let sql = db
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM tagline.events WHERE session = $1")
        .await?;
    let last: i64 = db.query_one(&sql, &[&key]).await?.try_get(0)?;
    Ok(u64::try_from(last).unwrap_or(0))
}

/// The frames after `after`; see [`crate::Journal::read`].
pub(super) async fn frames(
    db: &impl GenericClient,
    scope: &Scope,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Frame>, Failure> {
    let key = sessions::key(db, scope, session).await?;
    let mut found = Vec::new();
    let mut after = after;
    while found.len() < limit {
        let wanted = (limit - found.len()).min(PAGE);
        let page = page(db, key, after, wanted).await?;
        let is_last = page.len() < wanted;
        after = page.last().map_or(after, |raw| raw.seq);
        found.extend(page.into_iter().filter_map(|raw| raw.record().into_frame(session)));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// The records after `after`; see [`crate::Journal::records`].
pub(super) async fn records(
    db: &impl GenericClient,
    scope: &Scope,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Record>, Failure> {
    let key = sessions::key(db, scope, session).await?;
    let page = page(db, key, after, limit).await?;
    Ok(page.into_iter().map(Raw::record).collect())
}

/// Records behind `after`, with the missing ones in between.
pub(super) async fn page(
    db: &impl GenericClient,
    key: i64,
    after: u64,
    limit: usize,
) -> Result<Vec<Raw>, Failure> {
    let sql = db
        .prepare_cached(
            "SELECT seq, json FROM tagline.events
             WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        )
        .await?;
    let n = i64::try_from(limit).unwrap_or(i64::MAX);
    let behind = i64::try_from(after).unwrap_or(i64::MAX);
    let (mut found, mut expected) = (Vec::new(), after.saturating_add(1));
    for row in db.query(&sql, &[&key, &behind, &n]).await? {
        let seq: i64 = row.try_get(0)?;
        let seq = u64::try_from(seq).unwrap_or(0);
        Raw::push(&mut found, &mut expected, seq, row.try_get(1)?);
    }
    found.truncate(limit);
    Ok(found)
}
