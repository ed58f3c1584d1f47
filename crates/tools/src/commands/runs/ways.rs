//! The ways in and out of the network that the commands of a session share.
//!
//! It is a loopback interface and nothing else ([`tagline_sandbox::network`]). Out leads a proxy, for
//! commands that were let out; in lead ports of this machine, one for each on which something listens
//! inside, so that the user sees a server where it says that it is.

use std::{
    collections::BTreeMap,
    io,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tagline_net::{Gate, Pass, Proxy, Rules};
use tagline_sandbox::network::{Membership, Network};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How often it is looked for new listeners.
const LOOK: Duration = Duration::from_millis(250);
/// Ports that lead in at a time.
const MOST: usize = 64;

/// The network of a session, and its ways.
#[derive(Debug)]
pub(crate) struct Ways {
    network: Arc<Network>,
    proxy: Arc<Proxy>,
    /// Where the proxy is, inside.
    port: u16,
    doorkeeper: AbortHandle,
    /// By the port inside.
    forwards: Mutex<BTreeMap<u16, Forward>>,
    /// One looks at a time: else a way in would be in the way of the same one.
    looking: tokio::sync::Mutex<()>,
}

/// A way in.
#[derive(Debug)]
struct Forward {
    to: SocketAddr,
    /// The port of this machine: the same, where it was free.
    port: u16,
    task: AbortHandle,
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Drop for Ways {
    fn drop(&mut self) {
        self.doorkeeper.abort();
    }
}

impl Ways {
    /// A network of its own, held by `program`.
    pub(super) async fn open(program: &Path, rules: Rules) -> io::Result<Self> {
        let program = program.to_owned();
        let open = tokio::task::spawn_blocking(move || Network::open(&program));
        let network = open.await.map_err(io::Error::other)??;
        let door = network.door()?;
        door.set_nonblocking(true)?;
        let port = door.local_addr()?.port();
        let door = TcpListener::from_std(door)?;
        let proxy = Arc::new(Proxy::new(Gate::new(rules)));
        let doorkeeper = tokio::spawn(serve(door, Arc::clone(&proxy))).abort_handle();
        let network = Arc::new(network);
        let (forwards, looking) = (Mutex::default(), tokio::sync::Mutex::default());
        Ok(Self { network, proxy, port, doorkeeper, forwards, looking })
    }

    /// Whether it still is there.
    pub(super) fn is_there(&self) -> bool {
        self.network.is_there()
    }

    /// What a command needs to be in it.
    pub(super) fn membership(&self) -> Membership {
        self.network.membership()
    }

    /// The right to go out, for one command.
    pub(super) fn pass(&self) -> Pass {
        self.proxy.issue(Uuid::now_v7().simple().to_string())
    }

    /// What a command is told that has this pass.
    pub(super) fn variables(&self, pass: &Pass) -> Vec<(&'static str, String)> {
        const PROXY: [&str; 6] =
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
        let inside = "localhost,127.0.0.1,::1";
        let proxy = PROXY.map(|name| (name, pass.url(self.port)));
        let others = [("NO_PROXY", inside), ("no_proxy", inside), ("NODE_USE_ENV_PROXY", "1")];
        proxy.into_iter().chain(others.map(|(name, value)| (name, value.to_owned()))).collect()
    }

    /// Keeps the ways in as `is_wanted` says so.
    pub(super) async fn watch(
        self: Arc<Self>,
        is_wanted: impl Fn() -> bool + Send,
        closing: CancellationToken,
    ) {
        while is_wanted() {
            self.look().await;
            tokio::select! {
                () = sleep(LOOK) => {}
                () = closing.cancelled() => return,
            }
        }
        self.look().await;
    }

    /// Opens a way to each port on which something listens inside, and closes those to others.
    pub(super) async fn look(&self) {
        let _alone = self.looking.lock().await;
        let listening = self.network.listening();
        let new: Vec<_> = {
            let mut forwards = self.lock();
            forwards.retain(|port, forward| listening.get(port) == Some(&forward.to));
            let room = MOST.saturating_sub(forwards.len());
            listening
                .into_iter()
                .filter(|(port, _)| !forwards.contains_key(port))
                .take(room)
                .collect()
        };
        for (inside, to) in new {
            let Ok((port, listeners)) = listen(inside).await else { continue };
            let network = Arc::clone(&self.network);
            let task = tokio::spawn(forward(network, to, listeners)).abort_handle();
            self.lock().insert(inside, Forward { to, port, task });
        }
    }

    /// The port of this machine that leads to this one, where there is a way.
    pub(crate) fn port(&self, inside: u16) -> Option<u16> {
        self.lock().get(&inside).map(|forward| forward.port)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u16, Forward>> {
        self.forwards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn serve(door: TcpListener, proxy: Arc<Proxy>) {
    let mut connections = JoinSet::new();
    loop {
        match door.accept().await {
            Ok((stream, _)) => drop(connections.spawn(Arc::clone(&proxy).serve(stream))),
            // Too many open files: some will be closed.
            Err(_) => sleep(LOOK).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

/// Listens on this port of this machine, or where another program has it, on a free one.
async fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Ok(listener) => {
            let other = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await.ok();
            Ok((port, [Some(listener), other].into_iter().flatten().collect()))
        }
        Err(_) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            Ok((listener.local_addr()?.port(), vec![listener]))
        }
    }
}

async fn forward(network: Arc<Network>, to: SocketAddr, listeners: Vec<TcpListener>) {
    let mut tasks = JoinSet::new();
    for listener in listeners {
        tasks.spawn(accept(Arc::clone(&network), to, listener));
    }
    while tasks.join_next().await.is_some() {}
}

async fn accept(network: Arc<Network>, to: SocketAddr, listener: TcpListener) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let network = Arc::clone(&network);
                // Who asks sees the connection closed where nobody listens any more.
                connections
                    .spawn(async move { join(network, to, stream).await.unwrap_or_default() });
            }
            Err(_) => sleep(LOOK).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn join(network: Arc<Network>, to: SocketAddr, mut outside: TcpStream) -> io::Result<()> {
    let connect = tokio::task::spawn_blocking(move || network.connect(to));
    let inside = connect.await.map_err(io::Error::other)??;
    let mut inside = TcpStream::from_std(inside)?;
    inside.writable().await?;
    if let Some(error) = inside.take_error()? {
        return Err(error);
    }
    copy_bidirectional(&mut outside, &mut inside).await.map(drop)
}
