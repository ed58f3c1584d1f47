//! The journal in a file.

use tagline_store::SqliteJournal;

use super::{Kind, Shared, checks, conformance, conformance_of_shared};

struct File {
    folder: tempfile::TempDir,
}

impl File {
    fn sql(&self, sql: &str) {
        let db = rusqlite::Connection::open(self.folder.path().join("journal.db")).unwrap();
        db.execute_batch(sql).unwrap();
    }
}

impl Kind for File {
    type Journal = SqliteJournal;

    fn start() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    async fn open(&self) -> SqliteJournal {
        SqliteJournal::open(&self.folder.path().join("journal.db")).unwrap()
    }
}

impl Shared for File {
    async fn orphan(&self, session: &str) {
        self.sql(&format!(
            "UPDATE leases SET started = 1
             WHERE session = (SELECT n FROM sessions WHERE id = '{session}')"
        ));
    }

    async fn orphan_key(&self, key: &str) {
        self.sql(&format!("UPDATE keys SET started = 1 WHERE key = '{key}'"));
    }

    async fn overwrite(&self, session: &str, seq: u64, json: &str) {
        self.sql(&format!(
            "UPDATE events SET json = '{json}'
             WHERE seq = {seq} AND session = (SELECT n FROM sessions WHERE id = '{session}')"
        ));
    }

    async fn remove(&self, session: &str, seq: u64) {
        self.sql(&format!(
            "DELETE FROM events
             WHERE seq = {seq} AND session = (SELECT n FROM sessions WHERE id = '{session}')"
        ));
    }

    async fn drop_derived(&self) {
        self.sql("DROP TABLE open_runs; UPDATE sessions SET title = 'lost'");
        let words = self.folder.path().join("journal.db-search");
        std::fs::write(words, "no database").unwrap();
    }
}

conformance!(File);
conformance_of_shared!(File);
