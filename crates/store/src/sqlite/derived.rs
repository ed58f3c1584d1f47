//! What follows from the log: titles and open turns. Kept in step by each append, and made anew
//! from the log where it was lost.

use rusqlite::{Connection, params};
use tagline_protocol::{Event, Frame};

use super::{failure::Failure, reading, sessions};
use crate::{OpenRun, Record, scope::Scope, title::title_of};

/// The tables that can be dropped without a loss.
const TABLES: &str = "
    CREATE TABLE open_runs (
        session INTEGER NOT NULL REFERENCES sessions (n),
        run     TEXT NOT NULL,
        since   INTEGER NOT NULL,
        PRIMARY KEY (session, run)
    ) STRICT;
";

/// Lets what follows from the log follow this frame too.
pub(super) fn follow(db: &Connection, key: i64, frame: &Frame) -> Result<(), Failure> {
    if let Some(title) = title_of(&frame.event) {
        sessions::set_title(db, key, title)?;
    }
    let Some(run) = &frame.run else { return Ok(()) };
    if matches!(frame.event, Event::RunStarted { .. }) {
        let since = i64::try_from(frame.seq).unwrap_or(0);
        db.prepare_cached(
            "INSERT OR REPLACE INTO open_runs (session, run, since) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![key, run, since])?;
    }
    if matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. }) {
        db.prepare_cached("DELETE FROM open_runs WHERE session = ?1 AND run = ?2")?
            .execute(params![key, run])?;
    }
    Ok(())
}

/// Makes all of it anew.
pub(super) fn rebuild(db: &Connection) -> Result<(), Failure> {
    db.execute_batch("DROP TABLE IF EXISTS open_runs")?;
    db.execute_batch(TABLES)?;
    db.execute("UPDATE sessions SET title = named", [])?;
    let mut query = db.prepare("SELECT n, id FROM sessions ORDER BY n")?;
    let sessions = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for session in sessions.collect::<Result<Vec<(i64, String)>, _>>()? {
        of_session(db, session.0, &session.1)?;
    }
    Ok(())
}

/// Follows the frames of one session from the first.
pub(super) fn of_session(db: &Connection, key: i64, session: &str) -> Result<(), Failure> {
    let kinds = ["message.user", "session.title", "run.started", "run.finished", "run.failed"];
    let follow_record =
        |record: Record| record.into_frame(session).map_or(Ok(()), |frame| follow(db, key, &frame));
    reading::each_of(db, key, 0, &kinds, follow_record)?;
    Ok(())
}

/// See [`crate::Journal::open_runs`].
pub(super) fn open_runs(db: &Connection, scope: &Scope) -> Result<Vec<OpenRun>, Failure> {
    let mut query = db.prepare_cached(
        "SELECT s.id, r.run, r.since FROM open_runs r JOIN sessions s ON s.n = r.session
         WHERE ?1 IS NULL OR s.profile = ?1 ORDER BY s.n, r.since",
    )?;
    let runs = query.query_map([scope.profile()], |row| {
        let since: i64 = row.get(2)?;
        let since = u64::try_from(since).unwrap_or(0);
        Ok(OpenRun { session: row.get(0)?, run: row.get(1)?, since })
    })?;
    Ok(runs.collect::<Result<_, _>>()?)
}
