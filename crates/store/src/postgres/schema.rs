//! Tables, and the way from an older format to them.

use deadpool_postgres::Transaction;

use super::{audit, derived, failure::Failure};
use crate::StoreError;

/// The newest format that this version reads, and the one it writes.
const FORMAT: i32 = 3;
/// The first format with an audit.
const AUDITED: i32 = 3;
/// Only one server makes tables at a time; the number is `TAGL`.
const LOCK: i64 = 0x5441_474c;

/// What leads from each format to the next one. All of it lives in a schema of its own, so that the
/// database may hold other things too. Records are text: a JSON type would lose how they were
/// written.
const STEPS: [&str; 3] = [
    "
    CREATE TABLE tagline.servers (
        owner   text PRIMARY KEY,
        holder  text NOT NULL,
        process text NOT NULL,
        expires timestamptz NOT NULL
    );
    CREATE TABLE tagline.sessions (
        n         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id        text NOT NULL UNIQUE,
        profile   text NOT NULL,
        created   bigint NOT NULL,
        named     text NOT NULL,
        title     text NOT NULL,
        workspace bytea NOT NULL
    );
    CREATE INDEX sessions_by_profile ON tagline.sessions (profile);
    CREATE TABLE tagline.events (
        session bigint NOT NULL REFERENCES tagline.sessions (n) ON DELETE CASCADE,
        seq     bigint NOT NULL CHECK (seq > 0),
        at      bigint NOT NULL,
        json    text NOT NULL,
        PRIMARY KEY (session, seq)
    );
    CREATE TABLE tagline.leases (
        session bigint PRIMARY KEY REFERENCES tagline.sessions (n) ON DELETE CASCADE,
        epoch   bigint NOT NULL,
        owner   text
    );
    CREATE TABLE tagline.keys (
        profile text NOT NULL,
        key     text NOT NULL,
        body    text NOT NULL,
        at      bigint NOT NULL,
        answer  text,
        owner   text NOT NULL,
        PRIMARY KEY (profile, key)
    );
    CREATE INDEX keys_by_age ON tagline.keys (at);
",
    "
    CREATE TABLE tagline.letters (
        n       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session bigint NOT NULL REFERENCES tagline.sessions (n) ON DELETE CASCADE,
        body    text NOT NULL
    );
    CREATE INDEX letters_by_session ON tagline.letters (session);
",
    "
    CREATE TABLE tagline.audit (
        profile text NOT NULL,
        n       bigint NOT NULL CHECK (n > 0),
        session text NOT NULL,
        seq     bigint NOT NULL,
        what    text NOT NULL,
        digest  text NOT NULL,
        hash    text NOT NULL,
        PRIMARY KEY (profile, n)
    );
    CREATE INDEX audit_by_session ON tagline.audit (profile, session);
",
];

/// Brings the tables to [`FORMAT`], all or nothing.
pub(super) async fn migrate(work: &Transaction<'_>, at: &str) -> Result<(), Failure> {
    work.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    let found = format(work).await?;
    if found > FORMAT {
        let (path, found, known) = (at.into(), found.into(), FORMAT.into());
        return Err(StoreError::TooNew { path, found, known }.into());
    }
    if found == FORMAT {
        return Ok(());
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        work.batch_execute(step).await?;
    }
    derived::rebuild(work).await?;
    if found < AUDITED {
        audit::adopt_all(work).await?;
    }
    work.execute("UPDATE tagline.format SET format = $1", &[&FORMAT]).await?;
    Ok(())
}

async fn format(work: &Transaction<'_>) -> Result<i32, Failure> {
    let there = work.query_one("SELECT to_regclass('tagline.format') IS NOT NULL", &[]).await?;
    if !there.try_get::<_, bool>(0)? {
        work.batch_execute(
            "CREATE SCHEMA IF NOT EXISTS tagline;
             CREATE TABLE tagline.format (format integer NOT NULL);
             INSERT INTO tagline.format VALUES (0);",
        )
        .await?;
    }
    let row = work.query_one("SELECT format FROM tagline.format", &[]).await?;
    Ok(row.try_get(0)?)
}
