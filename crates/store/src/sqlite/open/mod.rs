//! Opens the file: permissions, version checks, schema.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::{
    failure::Failure,
    migrate::{self, FORMAT},
    sessions,
};
use crate::{StoreError, scope::Scope};

pub(super) mod lock;

/// SQLite before 3.51.3 can lose a write where two connections checkpoint a write-ahead log.
const OLDEST_SQLITE: i32 = 3_051_003;
/// `TAGL`, in the file's header.
pub(super) const APPLICATION: i64 = 0x5441_474c;
/// How long a lock of another process is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connection that writes. Makes the file and its folder where there are none.
pub(super) fn writer(path: &Path) -> Result<Connection, Failure> {
    check_sqlite(rusqlite::version_number(), rusqlite::version())?;
    let mut db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    check_format(&db, path)?;
    // The mode is a property of the file, so asking for it again changes nothing.
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "full")?;
    migrate::run(&mut db, path)?;
    // Damage that would keep sessions from being listed or found is met here.
    sessions::all(&db, &Scope::default())?;
    check_names(&db, path)?;
    Ok(db)
}

/// A new journal that nobody else knows of yet, without a write-ahead log.
pub(super) fn fresh(path: &Path) -> Result<Connection, Failure> {
    make_private(path)?;
    let mut db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    migrate::run(&mut db, path)?;
    Ok(db)
}

/// A connection that cannot write.
pub(super) fn reader(path: &Path) -> Result<Connection, Failure> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

pub(super) fn connect(path: &Path, access: OpenFlags) -> Result<Connection, Failure> {
    let db = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.busy_timeout(PATIENCE)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.pragma_update(None, "trusted_schema", false)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.pragma_update(None, "foreign_keys", true)?;
    // What is deleted is gone from the file, and cannot come back when it is mended.
    db.pragma_update(None, "secure_delete", true)?;
    Ok(db)
}

fn check_sqlite(number: i32, name: &str) -> Result<(), StoreError> {
    if number < OLDEST_SQLITE {
        return Err(StoreError::OldSqlite { found: name.to_owned() });
    }
    Ok(())
}

/// SQLite makes its other files with the permissions of this one.
pub(super) fn make_private(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => close_to_others(path),
        Err(error) => Err(error.into()),
    }
}

fn close_to_others(path: &Path) -> Result<(), Failure> {
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(mode & 0o700))?;
    }
    Ok(())
}

fn check_format(db: &Connection, path: &Path) -> Result<(), Failure> {
    let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let n_tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let path = path.to_owned();
    let is_odd = (application, found) != (APPLICATION, FORMAT) && n_tables != 0;
    if is_odd && migrate::has_our_tables(db)? || !is_utf8(db)? {
        let message = "its header is another one's".to_owned();
        return Err(StoreError::Corrupt { path, message }.into());
    }
    if application != APPLICATION && (application != 0 || n_tables != 0) {
        return Err(StoreError::Foreign { path }.into());
    }
    if found > FORMAT {
        return Err(StoreError::TooNew { path, found, known: FORMAT }.into());
    }
    Ok(())
}

/// Whether each session is found by its name: an index may be damaged and not say so.
fn check_names(db: &Connection, path: &Path) -> Result<(), Failure> {
    let sql = "SELECT EXISTS (
                   SELECT 1 FROM sessions s NOT INDEXED
                   WHERE (SELECT t.n FROM sessions t WHERE t.id = s.id) IS NOT s.n
               )";
    if db.query_row(sql, [], |row| row.get(0))? {
        let (path, message) = (path.to_owned(), "names lead to other sessions".to_owned());
        return Err(StoreError::Corrupt { path, message }.into());
    }
    Ok(())
}

fn is_utf8(db: &Connection) -> Result<bool, Failure> {
    let encoding: String = db.pragma_query_value(None, "encoding", |row| row.get(0))?;
    Ok(encoding == "UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_sqlite_is_refused() {
        let error = check_sqlite(3_046_000, "3.46.0").unwrap_err();
        expect_test::expect![
            "SQLite 3.46.0: expected 3.51.3 or newer, because older ones can damage a journal; build tagline with its bundled SQLite"
        ]
        .assert_eq(&error.to_string());
    }

    #[test]
    fn the_bundled_sqlite_is_taken() {
        check_sqlite(rusqlite::version_number(), rusqlite::version()).unwrap();
    }
}
