//! What every handler may reach.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{Hosts, Limits, TokenFile, gate::Requests};

/// Shared by all requests of a server.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) hosts: Hosts,
    pub(crate) tokens: Arc<TokenFile>,
    pub(crate) limits: Limits,
    pub(crate) version: String,
    pub(crate) requests: Requests,
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
