//! The journal in a Postgres database, which several servers share.
//!
//! Each append locks its session's row, so that numbers are dense whoever appends. What is appended
//! is told by NOTIFY, session and number alone. A lease is a row that names a server; a server
//! says in a row of its own that it lives. The clock is the database's.

mod audit;
mod derived;
mod events;
mod failure;
mod keeper;
mod keys;
mod leases;
mod letters;
mod listen;
mod schema;
mod server;
mod sessions;

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::Transaction;
use tagline_protocol::Frame;
use tokio::{sync::mpsc, task::AbortHandle};

pub use self::server::password;
use self::{
    failure::Failure,
    keeper::Release,
    leases::Owner,
    listen::Ears,
    server::{Commit, Server, begin},
};
use crate::{
    Anchors, AuditEntry, Claim, Claimed, Durability, Hit, Journal, Lease, NewEvent, OpenRun,
    Record, SessionInfo, Settled, StoreError, Stored, Watch,
    lease::{Held, Keeper, Renewing},
    record::check_dense,
    scope::Scope,
    wake::Wakeups,
};

/// Where appends are told.
const CHANNEL: &str = "tagline";
/// How long a server that is not heard of keeps its sessions.
const LEASE: Duration = Duration::from_secs(15);

/// A journal in a Postgres database, shared by its clones and by every server that is given the
/// same address.
///
/// Its tables are in the schema `tagline`. It works inside of the tokio runtime that it was
/// connected in.
#[derive(Clone, Debug)]
pub struct PostgresJournal {
    shared: Arc<Shared>,
    scope: Scope,
}

#[derive(Debug)]
struct Shared {
    server: Arc<Server>,
    owner: Owner,
    wakeups: Arc<Wakeups>,
    /// As `wakeups`, for letters.
    letters: Arc<Wakeups>,
    held: Held,
    /// Where ends of audits are remembered.
    anchors: OnceLock<Anchors>,
    releases: mpsc::UnboundedSender<Release>,
    listener: AbortHandle,
}

impl PostgresJournal {
    /// Connects to the database at `url`, such as `postgres://user:password@host/database`, and
    /// makes the journal's tables where there are none.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadUrl`], [`StoreError::Unreachable`], [`StoreError::TooNew`]. None of them
    /// says the password.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, LEASE).await
    }

    /// As [`PostgresJournal::connect`], but a server that is not heard of loses its sessions after
    /// `lease`. Every server of a database should have the same.
    ///
    /// # Errors
    ///
    /// Those of [`PostgresJournal::connect`].
    pub async fn connect_with(url: &str, lease: Duration) -> Result<Self, StoreError> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let server = Arc::new(Server::new(url)?);
        let owner = Owner::this(OPENED.fetch_add(1, Ordering::Relaxed));
        prepare(&server, &owner, lease).await.map_err(|failure| failure.at(&server.at))?;
        let (wakeups, letters): (Arc<Wakeups>, Arc<Wakeups>) = Default::default();
        let (releases, released) = mpsc::unbounded_channel();
        tokio::spawn(keeper::run(Arc::clone(&server), owner.clone(), lease, released));
        let ears = Ears { wakeups: Arc::clone(&wakeups), letters: Arc::clone(&letters) };
        let listener = tokio::spawn(listen::run(Arc::clone(&server), ears)).abort_handle();
        let held = Held::default();
        let anchors = OnceLock::new();
        let shared = Shared { server, owner, wakeups, letters, held, anchors, releases, listener };
        let shared = Arc::new(shared);
        Ok(Self { shared, scope: Scope::default() })
    }

    /// The address of the database, without the password.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.shared.server.at
    }

    /// Remembers the end of each profile's audit in this folder too.
    #[must_use]
    pub fn anchored(self, anchors: Anchors) -> Self {
        // A journal is opened in one way, so the first folder is the only one.
        let _ = self.shared.anchors.set(anchors);
        self
    }

    /// Does `work` to its end, even where nobody waits for it any more.
    async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let at = &self.shared.server.at;
        let done = tokio::spawn(work).await;
        let closed = |_| StoreError::Closed { path: at.into() };
        done.map_err(closed)?.map_err(|failure| failure.at(at))
    }

    async fn append_with(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Option<Settled>,
    ) -> Result<Vec<Frame>, StoreError> {
        let (this, id) = (self.clone(), session.to_owned());
        let epoch = self.shared.held.epoch(session);
        self.finish(async move {
            let mut client = this.shared.server.client().await?;
            let work = begin(&mut client, durability).await?;
            let key = sessions::lock(&work, &this.scope, &id).await?;
            leases::check(&work, key, &id, epoch, &this.shared.owner).await?;
            if let Some(settled) = settled {
                keys::settle(&work, this.scope.keys_of(), &settled).await?;
            }
            let frames = events::append(&work, key, &id, events).await?;
            let anchors = this.shared.anchors.get();
            let grown = audit::follow(&work, key, &frames, anchors).await?;
            work.commit().await?;
            if let (Some(anchors), Some(grown)) = (anchors, &grown) {
                audit::remember(anchors, grown);
            }
            if let Some(last) = frames.last() {
                this.shared.wakeups.tell(&id, last.seq);
            }
            Ok(frames)
        })
        .await
    }
}

async fn prepare(server: &Server, owner: &Owner, lease: Duration) -> Result<(), Failure> {
    let mut client = server.first_client().await?;
    let work = begin(&mut client, Commit::Safe).await?;
    schema::migrate(&work, &server.at).await?;
    leases::beat(&work, owner, lease).await?;
    Ok(work.commit().await?)
}

/// Tells every server how far the session has grown; 0 says that it is gone.
async fn notify(work: &Transaction<'_>, session: &str, seq: u64) -> Result<(), Failure> {
    tell(work, &format!("{seq} {session}")).await
}

async fn tell(work: &Transaction<'_>, what: &str) -> Result<(), Failure> {
    let sql = work.prepare_cached("SELECT pg_notify($1, $2)").await?;
    work.execute(&sql, &[&CHANNEL, &what]).await?;
    Ok(())
}

impl Keeper for Arc<Shared> {
    fn release(&self, session: &str, epoch: u64) {
        self.held.remove(session, epoch);
        // Where the keeper has ended, so has the runtime; the lease ends by itself.
        let _ = self.releases.send(Release { session: session.to_owned(), epoch });
    }

    fn renew(&self, session: String, epoch: u64) -> Renewing {
        let shared = Self::clone(self);
        Box::pin(async move {
            let check = async {
                let db = shared.server.client().await?;
                let key = sessions::key(&db, &Scope::default(), &session).await;
                let lost = StoreError::LeaseLost { session: session.clone() };
                let key = key.map_err(|failure| match failure {
                    Failure::Store(_) => lost.into(),
                    Failure::Server(_) | Failure::Pool(_) => failure,
                })?;
                leases::check(&db, key, &session, Some(epoch), &shared.owner).await
            };
            check.await.map_err(|failure: Failure| failure.at(&shared.server.at))
        })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

/// Does a read on a connection of its own.
macro_rules! ask {
    ($journal:expr, $db:ident, $scope:ident => $question:expr) => {{
        let (server, $scope) = (&$journal.shared.server, &$journal.scope);
        let asked = async {
            let client = server.client().await?;
            let $db = &client;
            $question.await
        };
        asked.await.map_err(|failure: Failure| failure.at(&server.at))
    }};
}

/// Does a write in a transaction of its own.
macro_rules! write {
    ($journal:expr, $work:ident, $scope:ident => $change:expr) => {{
        let this = $journal.clone();
        $journal
            .finish(async move {
                let $scope = &this.scope;
                let mut client = this.shared.server.client().await?;
                let transaction = begin(&mut client, Commit::Safe).await?;
                let $work = &transaction;
                let done = $change;
                transaction.commit().await?;
                Ok(done)
            })
            .await
    }};
}

impl Journal for PostgresJournal {
    fn of(&self, profile: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), scope: Scope::of(profile) }
    }

    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        write!(self, work, _scope => { sessions::create(work, &info).await?; })
    }

    async fn fork(
        &self,
        source: &str,
        info: SessionInfo,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        let source = source.to_owned();
        write!(self, work, scope => {
            let from = sessions::lock(work, scope, &source).await?;
            let to = sessions::create(work, &info).await?;
            sessions::inherit_name(work, from, to).await?;
            events::copy(work, from, to, &info.id, until).await?;
            audit::adopt(work, to, &info.id).await?;
        })
    }

    async fn restore(&self, info: SessionInfo, records: Vec<Stored>) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        check_dense(&info.id, &records)?;
        write!(self, work, _scope => {
            let key = sessions::create(work, &info).await?;
            events::restore(work, key, &info.id, &info.created, &records).await?;
            audit::adopt(work, key, &info.id).await?;
        })
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, durability, None).await
    }

    async fn append_settling(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        durability: Durability,
        settled: Settled,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, durability, Some(settled)).await
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        ask!(self, db, scope => events::frames(db, scope, session, after, limit))
    }

    async fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        ask!(self, db, scope => events::records(db, scope, session, after, limit))
    }

    async fn watch(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.wakeups.watch(session);
        let last = ask!(self, db, scope => async {
            let key = sessions::key(db, scope, session).await?;
            events::last_seq(db, key).await
        })?;
        self.shared.wakeups.tell(session, last);
        Ok(watch.seen())
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        ask!(self, db, scope => sessions::all(db, scope))
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        ask!(self, db, scope => sessions::find(db, scope, prefix))
    }

    async fn open_runs(&self) -> Result<Vec<OpenRun>, StoreError> {
        ask!(self, db, scope => derived::open_runs(db, scope))
    }

    async fn delete(&self, session: &str) -> Result<(), StoreError> {
        let (id, owner) = (session.to_owned(), self.shared.owner.clone());
        let epoch = self.shared.held.epoch(session);
        write!(self, work, scope => {
            let key = sessions::lock(work, scope, &id).await?;
            leases::check_free(work, key, &id, epoch, &owner).await?;
            let last = events::last_seq(work, key).await?;
            audit::remove(work, key, &id, last).await?;
            work.execute("DELETE FROM tagline.sessions WHERE n = $1", &[&key]).await?;
            notify(work, &id, 0).await?;
        })?;
        self.shared.wakeups.end(session);
        self.shared.letters.end(session);
        Ok(())
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, StoreError> {
        ask!(self, db, scope => derived::search(db, scope, query, limit))
    }

    async fn acquire(&self, session: &str) -> Result<Lease, StoreError> {
        let (this, id) = (self.clone(), session.to_owned());
        self.finish(async move {
            let mut client = this.shared.server.client().await?;
            let work = begin(&mut client, Commit::Safe).await?;
            let epoch = leases::acquire(&work, &this.scope, &id, &this.shared.owner).await?;
            work.commit().await?;
            let epoch = u64::try_from(epoch).unwrap_or(0);
            this.shared.held.add(&id, epoch);
            Ok(Lease::new(&id, epoch, Arc::new(Arc::clone(&this.shared))))
        })
        .await
    }

    async fn post(&self, session: &str, letter: String) -> Result<(), StoreError> {
        let id = session.to_owned();
        write!(self, work, scope => letters::post(work, scope, &id, &letter).await?)
    }

    async fn collect(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let id = session.to_owned();
        write!(self, work, scope => letters::collect(work, scope, &id).await?)
    }

    async fn letters(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.letters.watch(session);
        ask!(self, db, scope => sessions::key(db, scope, session))?;
        Ok(watch)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        let owner = self.shared.owner.clone();
        write!(self, work, scope => keys::claim(work, scope.keys_of(), &claim, &owner).await?)
    }

    async fn settle(&self, settled: Settled) -> Result<(), StoreError> {
        write!(self, work, scope => keys::settle(work, scope.keys_of(), &settled).await?)
    }

    async fn unclaim(&self, key: &str) -> Result<(), StoreError> {
        let key = key.to_owned();
        write!(self, work, scope => keys::unclaim(work, scope.keys_of(), &key).await?)
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        ask!(self, db, scope => audit::entries(db, scope, after, limit))
    }

    async fn rebuild(&self) -> Result<(), StoreError> {
        write!(self, work, _scope => derived::rebuild(work).await?)
    }
}
