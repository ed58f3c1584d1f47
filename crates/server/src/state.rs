//! What every handler may reach.

use std::{
    fmt,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tagline_secret::Secret;
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Backstage, Hosts, Limits, Sessions, TokenFile,
    checks::Probe,
    gate::{Requests, Streams},
    metrics::Metrics,
};

/// Shared by all requests of a server.
pub(crate) struct App {
    pub(crate) hosts: Hosts,
    pub(crate) tokens: Arc<TokenFile>,
    pub(crate) limits: Limits,
    pub(crate) version: String,
    pub(crate) sessions: Arc<dyn Sessions>,
    pub(crate) backstage: Arc<dyn Backstage>,
    pub(crate) requests: Requests,
    pub(crate) streams: Streams,
    pub(crate) metrics: Metrics,
    /// What is known of the journal.
    pub(crate) probe: Probe,
    /// Fired when the server is told to stop.
    pub(crate) stop: CancellationToken,
    /// Counts what still runs for a connection.
    pub(crate) tasks: TaskTracker,
    /// Begins every request id of this process.
    pub(crate) run: String,
    pub(crate) n_requests: AtomicU64,
}

impl App {
    /// A new request's id: unique among the servers of a log.
    pub(crate) fn request_id(&self) -> String {
        let n = self.n_requests.fetch_add(1, Ordering::Relaxed);
        format!("{}-{n}", self.run)
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    /// Fired to end the connection without waiting for what it was to be sent.
    pub(crate) cut: CancellationToken,
}

/// Changes once the token that let a request in is replaced.
#[derive(Clone, Debug)]
pub(crate) struct Grant(pub(crate) watch::Receiver<Secret>);
