//! What follows from the log: titles, open turns, words. Kept in step by each append, and made anew
//! from the log where it was lost.

use deadpool_postgres::{GenericClient, Transaction};
use tagline_protocol::{Event, Frame};
use tokio_postgres::Row;

use super::{events, failure::Failure};
use crate::{
    Hit, OpenRun, Place,
    scope::Scope,
    search::{excerpt, matches, passages, words},
    time::{micros, rfc3339},
    title::{Title, first_line, title_of},
};

/// Records read at once where all are looked at.
const PAGE: usize = 1024;
/// Types of which something follows.
const KINDS: [&str; 7] = [
    "message.user",
    "message.assistant",
    "tool.ready",
    "session.title",
    "run.started",
    "run.finished",
    "run.failed",
];

/// The tables that can be dropped without a loss. Words are cut before they come here, and a
/// `tsvector` of lexemes as they are finds what the other stores find.
const TABLES: &str = "
    CREATE TABLE tagline.open_runs (
        session bigint NOT NULL REFERENCES tagline.sessions (n) ON DELETE CASCADE,
        run     text NOT NULL,
        since   bigint NOT NULL,
        PRIMARY KEY (session, run)
    );
    CREATE TABLE tagline.found (
        session bigint NOT NULL REFERENCES tagline.sessions (n) ON DELETE CASCADE,
        seq     bigint NOT NULL,
        at      bigint NOT NULL,
        place   text NOT NULL,
        part    integer NOT NULL,
        words   tsvector NOT NULL,
        PRIMARY KEY (session, seq, part)
    );
    CREATE INDEX found_by_word ON tagline.found USING gin (words);
";

/// Lets what follows from the log follow this frame too.
pub(super) async fn follow(work: &Transaction<'_>, key: i64, frame: &Frame) -> Result<(), Failure> {
    match title_of(&frame.event) {
        Some(Title::FromUser(text)) => {
            let sql = "UPDATE tagline.sessions SET title = $2 WHERE n = $1 AND title = ''";
            work.execute(sql, &[&key, &first_line(text)]).await?;
        }
        Some(Title::Given(text)) => {
            let sql = "UPDATE tagline.sessions SET title = $2 WHERE n = $1";
            work.execute(sql, &[&key, &first_line(text)]).await?;
        }
        None => {}
    }
    follow_run(work, key, frame).await?;
    take_in(work, key, frame).await
}

async fn follow_run(work: &Transaction<'_>, key: i64, frame: &Frame) -> Result<(), Failure> {
    let Some(run) = &frame.run else { return Ok(()) };
    if matches!(frame.event, Event::RunStarted { .. }) {
        let since = i64::try_from(frame.seq).unwrap_or(0);
        let sql = "INSERT INTO tagline.open_runs (session, run, since) VALUES ($1, $2, $3)
                   ON CONFLICT (session, run) DO UPDATE SET since = $3";
        work.execute(sql, &[&key, run, &since]).await?;
    }
    if matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. }) {
        let sql = "DELETE FROM tagline.open_runs WHERE session = $1 AND run = $2";
        work.execute(sql, &[&key, run]).await?;
    }
    Ok(())
}

async fn take_in(work: &Transaction<'_>, key: i64, frame: &Frame) -> Result<(), Failure> {
    let at = micros(&frame.session, &frame.ts).unwrap_or_default();
    let seq = i64::try_from(frame.seq).unwrap_or(0);
    for (part, passage) in (0_i32..).zip(passages(frame)) {
        let sql = work
            .prepare_cached(
                "INSERT INTO tagline.found (session, seq, at, place, part, words)
                 VALUES ($1, $2, $3, $4, $5, array_to_tsvector($6))
                 ON CONFLICT (session, seq, part) DO NOTHING",
            )
            .await?;
        let words = words(&passage.text);
        let place = passage.place.name();
        work.execute(&sql, &[&key, &seq, &at, &place, &part, &words]).await?;
    }
    Ok(())
}

/// Makes all of it anew. Nobody appends meanwhile.
pub(super) async fn rebuild(work: &Transaction<'_>) -> Result<(), Failure> {
    work.batch_execute(
        "LOCK TABLE tagline.sessions IN EXCLUSIVE MODE;
         DROP TABLE IF EXISTS tagline.open_runs, tagline.found;
         UPDATE tagline.sessions SET title = named;",
    )
    .await?;
    work.batch_execute(TABLES).await?;
    for row in work.query("SELECT n, id FROM tagline.sessions ORDER BY n", &[]).await? {
        of_session(work, row.try_get(0)?, row.try_get(1)?).await?;
    }
    Ok(())
}

/// Follows the frames of one session from the first.
pub(super) async fn of_session(
    work: &Transaction<'_>,
    key: i64,
    session: &str,
) -> Result<(), Failure> {
    let mut after = 0;
    loop {
        let page = events::page(work, key, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        for raw in page {
            after = raw.seq;
            if raw.text.as_ref().is_ok_and(|text| KINDS.iter().any(|kind| text.contains(kind)))
                && let Some(frame) = raw.record().into_frame(session)
            {
                follow(work, key, &frame).await?;
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// See [`crate::Journal::open_runs`].
pub(super) async fn open_runs(
    db: &impl GenericClient,
    scope: &Scope,
) -> Result<Vec<OpenRun>, Failure> {
    let sql = "SELECT s.id, r.run, r.since
               FROM tagline.open_runs r JOIN tagline.sessions s ON s.n = r.session
               WHERE $1::text IS NULL OR s.profile = $1 ORDER BY s.n, r.since";
    let rows = db.query(sql, &[&scope.profile()]).await?;
    let run = |row: Row| {
        let since: i64 = row.try_get(2)?;
        let since = u64::try_from(since).unwrap_or(0);
        Ok(OpenRun { session: row.try_get(0)?, run: row.try_get(1)?, since })
    };
    rows.into_iter().map(run).collect()
}

/// See [`crate::Journal::search`].
pub(super) async fn search(
    db: &impl GenericClient,
    scope: &Scope,
    query: &str,
    limit: usize,
) -> Result<Vec<Hit>, Failure> {
    let wanted = words(query);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let terms: Vec<String> = wanted.iter().map(|word| format!("'{word}':*")).collect();
    let sql = "SELECT s.id, f.seq, f.at, f.place, f.part, e.json
               FROM tagline.found f
               JOIN tagline.sessions s ON s.n = f.session
               JOIN tagline.events e ON e.session = f.session AND e.seq = f.seq
               WHERE f.words @@ $1::text::tsquery AND ($2::text IS NULL OR s.profile = $2)
               ORDER BY f.at DESC, s.id COLLATE \"C\", f.seq DESC, f.part LIMIT $3";
    let n = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = db.query(sql, &[&terms.join(" & "), &scope.profile(), &n]).await?;
    let hits = rows.iter().map(|row| hit(row, &wanted)).collect::<Result<Vec<_>, _>>()?;
    Ok(hits.into_iter().flatten().collect())
}

/// The place that a row names; `None` where the record does not hold it any more.
fn hit(row: &Row, wanted: &[String]) -> Result<Option<Hit>, Failure> {
    let (session, seq): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
    let seq = u64::try_from(seq).unwrap_or(0);
    let ts = rfc3339(row.try_get(2)?);
    let place = Place::named(row.try_get(3)?);
    let part = usize::try_from(row.try_get::<_, i32>(4)?).unwrap_or(usize::MAX);
    let frame = crate::Record::parse(seq, row.try_get(5)?).into_frame(&session);
    let passage = frame.and_then(|frame| passages(&frame).into_iter().nth(part));
    let text = passage.map(|passage| passage.text).filter(|text| matches(wanted, text));
    Ok(place.zip(text).map(|(place, text)| {
        let excerpt = excerpt(wanted, &text);
        Hit { session, seq, ts, place, excerpt }
    }))
}
