//! A server: bound, then serving, then stopped.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Backstage, Bind, BindError, Hosts, Sessions, TokenFile,
    checks::Probe,
    gate::{Requests, Streams},
    listen,
    metrics::Metrics,
    random, routes,
    state::App,
};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub bind: Bind,
    /// Names beside those of loopback by which it may be called.
    pub hosts: Vec<String>,
    /// Bounds.
    pub limits: Limits,
    /// What it calls itself, such as `0.1.0`.
    pub version: String,
}

impl Config {
    /// Loopback with the usual bounds. Port 0 takes a free one.
    #[must_use]
    pub fn loopback(port: u16) -> Self {
        Self {
            bind: Bind::loopback(port),
            hosts: Vec::new(),
            limits: Limits::default(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Bounds of what a client may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest time for the head of a request.
    pub head_time: Duration,
    /// Most bytes of a head.
    pub head_bytes: usize,
    /// Most headers.
    pub headers: usize,
    /// Most bytes of a JSON body.
    pub body_bytes: usize,
    /// Longest time for it.
    pub body_time: Duration,
    /// Deepest nesting of it.
    pub depth: usize,
    /// Most bytes of an uploaded file.
    pub upload_bytes: usize,
    /// Longest time for it.
    pub upload_time: Duration,
    /// Streams of one client.
    pub streams: usize,
    /// Requests of one route being served.
    pub requests: usize,
    /// Silence of a stream after which a comment is sent.
    pub heartbeat: Duration,
    /// A client that reads nothing of what is sent to it loses its connection after this time.
    pub stall: Duration,
    /// Longest time from the wish to stop until the server has.
    pub farewell: Duration,
    /// So old may be what is told of the journal's health.
    pub health_age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_time: Duration::from_secs(10),
            head_bytes: 65_536,
            headers: 100,
            body_bytes: 1_048_576,
            body_time: Duration::from_secs(30),
            depth: 64,
            upload_bytes: 64 * 1_048_576,
            upload_time: Duration::from_secs(600),
            streams: 32,
            requests: 64,
            heartbeat: Duration::from_secs(10),
            stall: Duration::from_secs(30),
            farewell: Duration::from_secs(3),
            health_age: Duration::from_secs(1),
        }
    }
}

/// What a server serves.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The sessions.
    pub sessions: Arc<dyn Sessions>,
    /// The rest.
    pub backstage: Arc<dyn Backstage>,
    /// The token.
    pub tokens: Arc<TokenFile>,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    warnings: Vec<String>,
    app: Arc<App>,
}

impl Server {
    /// Opens the port. Nothing is answered before [`Server::serve`].
    ///
    /// # Errors
    ///
    /// Where the address cannot be had; a taken port is never replaced by another one.
    pub async fn bind(config: Config, parts: Parts) -> Result<Self, BindError> {
        let Config { bind, hosts, limits, version } = config;
        let Parts { sessions, backstage, tokens } = parts;
        let listener = bind.listen()?;
        let system = |error: &dyn std::error::Error| BindError::System {
            address: bind.address(),
            message: error.to_string(),
        };
        let address = listener.local_addr().map_err(|error| system(&error))?;
        let run: String =
            random::secret().map_err(|error| system(&error))?.chars().take(8).collect();
        let (hosts, bad) = Hosts::new(address, &hosts);
        let app = App {
            hosts,
            tokens,
            limits,
            version,
            sessions,
            backstage,
            metrics: Metrics::default(),
            probe: Probe::default(),
            requests: Requests::new(routes::route_table().len(), limits.requests),
            streams: Streams::new(limits.streams),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            run,
            n_requests: AtomicU64::new(1),
        };
        let warnings = bad.iter().map(|name| left_out(name)).collect();
        Ok(Self { listener, address, warnings, app: Arc::new(app) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How to reach it, such as `http://127.0.0.1:7777`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.app.hosts.first())
    }

    /// What of the configuration was left out, in words.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Answers until `shutdown` fires; then streams end with a place to go on from, and requests
    /// have [`Limits::farewell`] to end. Runs go on or not as their owner decides.
    pub async fn serve(self, shutdown: CancellationToken) {
        let Self { listener, app, .. } = self;
        let router = routes::router(&app);
        tokio::select! {
            () = listen::accept(listener, Arc::clone(&app), router) => {}
            () = shutdown.cancelled() => app.stop.cancel(),
        }
        app.tasks.close();
        let _ = tokio::time::timeout(app.limits.farewell, app.tasks.wait()).await;
    }
}

fn left_out(name: &str) -> String {
    format!("`{name}` is no host name and was left out; only the names that read as one are taken")
}
