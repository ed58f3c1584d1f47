//! From the format that the file has to the one this version writes.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, TransactionBehavior};

use super::{audit, derived, failure::Failure, open::APPLICATION};

/// The newest format that this version reads, and the one it writes.
pub(super) const FORMAT: i64 = 4;

/// The first format with an audit.
const AUDITED: i64 = 4;

/// What leads from each format to the next one; a new file begins with format 0. Each step changes
/// the tables: a file with the tables of one format and the number of another counts as damaged.
const STEPS: [&str; 4] = [
    "
    CREATE TABLE sessions (
        n         INTEGER PRIMARY KEY,
        id        TEXT NOT NULL UNIQUE,
        profile   TEXT NOT NULL,
        created   INTEGER NOT NULL,     -- microseconds since 1970
        title     TEXT NOT NULL,
        workspace BLOB NOT NULL         -- a path: bytes
    ) STRICT;
    CREATE INDEX sessions_by_profile ON sessions (profile);
    CREATE TABLE events (
        session INTEGER NOT NULL REFERENCES sessions (n),
        seq     INTEGER NOT NULL CHECK (seq > 0),
        at      INTEGER NOT NULL,       -- microseconds since 1970
        json    TEXT NOT NULL,          -- the whole frame, as it was written
        PRIMARY KEY (session, seq)
    ) STRICT;
    CREATE TABLE leases (
        session INTEGER PRIMARY KEY REFERENCES sessions (n),
        pid     INTEGER NOT NULL,
        started INTEGER NOT NULL,
        boot    TEXT NOT NULL
    ) STRICT;
    ",
    // The title that was given when the session was made is no longer mixed with those that follow
    // from the log. A session keeps its last lease, so that the next one has a higher epoch.
    "
    ALTER TABLE sessions ADD COLUMN named TEXT NOT NULL DEFAULT '';
    UPDATE sessions SET named = title;
    DROP TABLE leases;
    CREATE TABLE leases (
        session INTEGER PRIMARY KEY REFERENCES sessions (n),
        epoch   INTEGER NOT NULL,
        pid     INTEGER,                -- null: given back
        started INTEGER NOT NULL,
        boot    TEXT NOT NULL
    ) STRICT;
    CREATE TABLE keys (
        profile TEXT NOT NULL,
        key     TEXT NOT NULL,
        body    TEXT NOT NULL,          -- a hash
        at      INTEGER NOT NULL,       -- microseconds since 1970
        answer  TEXT,                   -- null: somebody works on it
        pid     INTEGER NOT NULL,
        started INTEGER NOT NULL,
        boot    TEXT NOT NULL,
        PRIMARY KEY (profile, key)
    ) STRICT;
    CREATE INDEX keys_by_age ON keys (at);
    ",
    "
    CREATE TABLE letters (
        n       INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions (n),
        body    TEXT NOT NULL
    ) STRICT;
    CREATE INDEX letters_by_session ON letters (session);
    ",
    "
    CREATE TABLE audit (
        profile TEXT NOT NULL,
        n       INTEGER NOT NULL CHECK (n > 0),
        session TEXT NOT NULL,          -- its id: an entry outlives it
        seq     INTEGER NOT NULL,
        what    TEXT NOT NULL,
        digest  TEXT NOT NULL,
        hash    TEXT NOT NULL,
        PRIMARY KEY (profile, n)
    ) STRICT;
    CREATE INDEX audit_by_session ON audit (profile, session);
    ",
];

/// Brings the file to [`FORMAT`], all or nothing, after a copy of an older one was made beside it.
/// Two processes may come here at once: the second finds it done.
pub(super) fn run(db: &mut Connection, path: &Path) -> Result<(), Failure> {
    let found = format(db)?;
    if found == FORMAT {
        return Ok(());
    }
    if found > 0 {
        back_up(db, path, found)?;
    }
    let work = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = format(&work)?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        work.execute_batch(step)?;
    }
    if found < FORMAT {
        derived::rebuild(&work)?;
    }
    if found < AUDITED {
        audit::adopt_all(&work)?;
    }
    work.pragma_update(None, "application_id", APPLICATION)?;
    work.pragma_update(None, "user_version", FORMAT)?;
    Ok(work.commit()?)
}

/// Whether the tables are those of [`FORMAT`], whatever the header says.
pub(super) fn has_our_tables(db: &Connection) -> Result<bool, Failure> {
    let mut ours = Connection::open_in_memory()?;
    run(&mut ours, Path::new(""))?;
    Ok(tables(&ours)? == tables(db)?)
}

fn tables(db: &Connection) -> Result<Vec<(String, Option<String>)>, Failure> {
    // What SQLite makes for itself depends on how the journal was used.
    let mut query = db.prepare(
        "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name",
    )?;
    let tables = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(tables.collect::<Result<_, _>>()?)
}

fn format(db: &Connection) -> Result<i64, Failure> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Copies the file to `journal.db.format-1` and the like, unless that was done before.
fn back_up(db: &Connection, path: &Path, format: i64) -> Result<(), Failure> {
    let copy = beside(path, &format!(".format-{format}"));
    if copy.exists() {
        return Ok(());
    }
    // Half a copy must not look like one.
    let part = beside(path, ".part");
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    db.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
    fs::File::open(&part)?.sync_all()?;
    Ok(fs::rename(&part, &copy)?)
}

/// A file beside the journal.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_formats_have_the_same_tables() {
        let db = Connection::open_in_memory().unwrap();
        let mut seen = vec![tables(&db).unwrap()];
        for step in STEPS {
            db.execute_batch(step).unwrap();
            let now = tables(&db).unwrap();
            assert!(!seen.contains(&now), "{step}");
            seen.push(now);
        }
    }
}
