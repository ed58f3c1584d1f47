//! The way to the server: addresses, connections, transactions.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Transaction};
use tagline_secret::Secret;
use tokio_postgres::{Config, NoTls, config::Host};

use super::failure::Failure;
use crate::{Durability, StoreError};

/// Most connections at once, beside the one that listens.
const CONNECTIONS: usize = 8;
/// How often a server that is not there is asked again, and how long is waited in between: 5 s in
/// all, as for the lock of a file.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);
/// Longest wait for one connection.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The server of a journal.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: Config,
    /// The address without the password.
    pub(super) at: String,
    pool: Pool,
}

/// How far a commit is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commit {
    Safe,
    Soon,
}

impl From<Durability> for Commit {
    fn from(durability: Durability) -> Self {
        match durability {
            Durability::Full | Durability::Closing => Self::Safe,
            Durability::Streamed => Self::Soon,
        }
    }
}

impl Server {
    pub(super) fn new(url: &str) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(|_| StoreError::BadUrl)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(StoreError::BadUrl);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("tagline");
        }
        let at = address(&config);
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Verified };
        let manager = Manager::from_config(config.clone(), NoTls, manager);
        let pool = Pool::builder(manager).max_size(CONNECTIONS).build();
        let refuse = |error: deadpool_postgres::BuildError| StoreError::Database {
            path: at.clone().into(),
            message: error.to_string(),
        };
        Ok(Self { pool: pool.map_err(refuse)?, config, at })
    }

    /// A connection that works, as soon as there is one.
    pub(super) async fn client(&self) -> Result<Object, Failure> {
        for _ in 1..ATTEMPTS {
            match self.pool.get().await.map_err(Failure::from) {
                Err(failure) if failure.may_pass() => tokio::time::sleep(PAUSE).await,
                done @ (Ok(_) | Err(_)) => return done,
            }
        }
        Ok(self.pool.get().await?)
    }

    /// Asks once, without patience: the server of a mistyped address never comes.
    pub(super) async fn first_client(&self) -> Result<Object, Failure> {
        Ok(self.pool.get().await?)
    }
}

/// Begins to write. A transaction that is dropped is rolled back.
pub(super) async fn begin(
    client: &mut Object,
    commit: impl Into<Commit>,
) -> Result<Transaction<'_>, Failure> {
    let work = client.transaction().await?;
    // A server that was set up to wait for more than its own disk goes on to do so.
    let wait = match commit.into() {
        Commit::Safe => {
            "SELECT set_config('synchronous_commit', 'on', true)
             WHERE current_setting('synchronous_commit') = 'off'"
        }
        Commit::Soon => "SET LOCAL synchronous_commit TO off",
    };
    work.batch_execute(wait).await?;
    Ok(work)
}

/// The password in the address of a database, if it holds one.
#[must_use]
pub fn password(url: &Secret) -> Option<Secret> {
    let config: Config = url.expose().parse().ok()?;
    let password = str::from_utf8(config.get_password()?).ok()?;
    Some(Secret::from(password))
}

fn address(config: &Config) -> String {
    let user = config.get_user().unwrap_or_default();
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => config.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let database = config.get_dbname().unwrap_or(user);
    format!("postgres://{user}@{host}:{port}/{database}")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Expect) {
        let told = Server::new(url).map_or_else(|error| error.to_string(), |server| server.at);
        expected.assert_eq(&told);
        assert!(!told.contains("secret"));
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        check(
            "postgres://me:secret@db.example:6543/work",
            expect!["postgres://me@db.example:6543/work"],
        );
        check("host=localhost user=me password=secret", expect!["postgres://me@localhost:5432/me"]);
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_shown() {
        for wrong in ["", "secret", "http://me:secret@host", "postgres://me:secret@host:many/work"]
        {
            check(
                wrong,
                expect![
                    "the address of the journal: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, but found something else"
                ],
            );
        }
    }
}
