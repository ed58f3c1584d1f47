//! The journal in a database that servers share.

use tagline_store::PostgresJournal;
use tagline_test_postgres::Cluster;

use super::{Kind, Shared, checks, conformance, conformance_of_shared};

struct Database {
    url: String,
}

impl Database {
    fn sql(&self, sql: &str) {
        Cluster::shared().sql(&self.url, sql);
    }
}

impl Kind for Database {
    type Journal = PostgresJournal;

    fn start() -> Self {
        Self { url: Cluster::shared().database() }
    }

    async fn open(&self) -> PostgresJournal {
        PostgresJournal::connect(&self.url).await.unwrap()
    }
}

impl Shared for Database {
    async fn orphan(&self, session: &str) {
        self.sql(&format!(
            "UPDATE tagline.leases SET owner = 'gone'
             WHERE session = (SELECT n FROM tagline.sessions WHERE id = '{session}')"
        ));
    }

    async fn orphan_key(&self, key: &str) {
        self.sql(&format!("UPDATE tagline.keys SET owner = 'gone' WHERE key = '{key}'"));
    }

    async fn overwrite(&self, session: &str, seq: u64, json: &str) {
        self.sql(&format!(
            "UPDATE tagline.events SET json = '{json}' WHERE seq = {seq}
             AND session = (SELECT n FROM tagline.sessions WHERE id = '{session}')"
        ));
    }

    async fn remove(&self, session: &str, seq: u64) {
        self.sql(&format!(
            "DELETE FROM tagline.events WHERE seq = {seq}
             AND session = (SELECT n FROM tagline.sessions WHERE id = '{session}')"
        ));
    }

    async fn drop_derived(&self) {
        self.sql(
            "DROP TABLE tagline.open_runs, tagline.found;
             UPDATE tagline.sessions SET title = 'lost'",
        );
    }
}

conformance!(Database);
conformance_of_shared!(Database);
