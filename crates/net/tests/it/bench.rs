//! Doubles: names with scripted answers, and servers in memory that are reached by address. Time is
//! tokio's, which stands still while anyone works.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Write as _,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::future::BoxFuture;
use tagline_net::{
    BenchmarkRange, Checked, Client, Connect, Gate, HostList, Hosts, Limits, Proxy, Request,
    Resolve, Rules, Stream, Trust,
};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::reference::is_public;

/// What a server does once it has read the head of a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// Sends these bytes for ever.
    Flood(Vec<u8>),
}

pub(crate) type Steps = Vec<Step>;

/// Plays a server.
pub(crate) type Play = Arc<dyn Fn(String) -> Steps + Send + Sync>;

/// Names and what they answer, look-up by look-up; the last answer stays.
#[derive(Debug, Default)]
pub(crate) struct Names {
    answers: Mutex<BTreeMap<String, VecDeque<Vec<IpAddr>>>>,
    asked: Mutex<Vec<String>>,
}

impl Resolve for Names {
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(name.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = answers.get_mut(name).map(|all| {
            let first = all.pop_front().unwrap_or_default();
            if all.is_empty() {
                all.push_back(first.clone());
            }
            first
        });
        Box::pin(async move {
            answer.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such name"))
        })
    }
}

/// What is at an address.
#[derive(Clone)]
enum Server {
    Memory(Play),
    /// A socket of this machine that stands for it.
    Real(SocketAddr),
    /// Nobody answers.
    Silent,
    Tls(Arc<rustls::ServerConfig>, Play),
}

/// Connects to servers by address. An address that is not public fails the test, whatever the
/// guard thinks of it.
#[derive(Default)]
pub(crate) struct Wire {
    servers: Mutex<BTreeMap<SocketAddr, Server>>,
    reached: Mutex<Vec<SocketAddr>>,
    /// Addresses of 198.18.0.0/15 are no mistake.
    is_benchmark_open: bool,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire").finish_non_exhaustive()
    }
}

impl Connect for Wire {
    fn connect(&self, to: Checked) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        let address = to.address();
        let is_known = is_public(address.ip())
            || (self.is_benchmark_open && address.ip().to_string().starts_with("198.18."));
        assert!(is_known, "connected to {address}, which nothing may reach");
        self.reached.lock().unwrap().push(address);
        let server = self.servers.lock().unwrap().get(&address).cloned();
        Box::pin(async move {
            let play = match server {
                Some(Server::Memory(play)) => play,
                Some(Server::Real(real)) => {
                    return Ok(
                        Box::new(tokio::net::TcpStream::connect(real).await?) as Box<dyn Stream>
                    );
                }
                Some(Server::Silent) => std::future::pending().await,
                Some(Server::Tls(config, play)) => {
                    let (ours, theirs) = tokio::io::duplex(64 * 1024);
                    tokio::spawn(async move {
                        let acceptor = tokio_rustls::TlsAcceptor::from(config);
                        let Ok(stream) = acceptor.accept(theirs).await else { return };
                        let name = stream.get_ref().1.server_name().unwrap_or("nobody").to_owned();
                        let play = Arc::new(move |request| play(format!("(as {name}) {request}")));
                        let _ = serve(stream, play).await;
                    });
                    return Ok(Box::new(ours) as Box<dyn Stream>);
                }
                None => return Err(io::ErrorKind::ConnectionRefused.into()),
            };
            let (ours, theirs) = tokio::io::duplex(64 * 1024);
            tokio::spawn(async move {
                let _ = serve(theirs, play).await;
            });
            Ok(Box::new(ours) as Box<dyn Stream>)
        })
    }
}

/// Reads one request and plays the answer.
pub(crate) async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    play: Play,
) -> io::Result<()> {
    let mut read = Vec::new();
    let mut length = None;
    while length.is_none_or(|length| read.len() < length) {
        let mut piece = [0; 4096];
        let n = stream.read(&mut piece).await?;
        if n == 0 {
            return Ok(());
        }
        read.extend_from_slice(&piece[..n]);
        let text = String::from_utf8_lossy(&read).into_owned();
        length = length.or_else(|| {
            let head = text.split_once("\r\n\r\n")?.0;
            let body = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            Some(head.len() + 4 + body.map_or(0, |n| n.parse().unwrap()))
        });
    }
    for step in play(String::from_utf8(read).unwrap()) {
        match step {
            Step::Send(bytes) => stream.write_all(&bytes).await?,
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Flood(bytes) => loop {
                stream.write_all(&bytes).await?;
            },
        }
    }
    stream.shutdown().await
}

/// An answer with a status, these headers and this body.
pub(crate) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Steps {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for header in headers {
        write!(head, "{header}\r\n").unwrap();
    }
    write!(head, "content-length: {}\r\n\r\n", body.len()).unwrap();
    vec![Step::Send([head.as_bytes(), body].concat())]
}

pub(crate) fn ok(body: &str) -> Steps {
    answer("200 OK", &[], body.as_bytes())
}

pub(crate) fn redirect(status: u16, to: &str) -> Steps {
    answer(&format!("{status} Moved"), &[&format!("location: {to}")], b"")
}

/// A small internet, and a client of it.
pub(crate) struct Bench {
    names: Arc<Names>,
    wire: Arc<Wire>,
    requests: Arc<Mutex<Vec<(SocketAddr, String)>>>,
    pub(crate) rules: Rules,
    pub(crate) limits: Limits,
    pub(crate) trust: Trust,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(BenchmarkRange::Closed)
    }

    pub(crate) fn with(benchmark: BenchmarkRange) -> Self {
        let is_benchmark_open = benchmark == BenchmarkRange::Open;
        Self {
            names: Arc::default(),
            wire: Arc::new(Wire { is_benchmark_open, ..Wire::default() }),
            requests: Arc::default(),
            rules: Rules { hosts: Hosts::Public, own_ports: BTreeSet::new(), benchmark },
            limits: Limits::default(),
            trust: Trust::Only(Vec::new()),
        }
    }

    pub(crate) fn listing(mut self, entries: &[&str]) -> Self {
        self.rules.hosts = Hosts::Listed(HostList::new(entries));
        self
    }

    /// A name that answers this, look-up by look-up: addresses between blanks.
    pub(crate) fn name(&self, name: &str, answers: &[&str]) -> &Self {
        let addresses = |it: &&str| it.split(' ').map(|it| it.parse().unwrap()).collect();
        let answers = answers.iter().map(addresses).collect();
        self.names.answers.lock().unwrap().insert(name.to_owned(), answers);
        self
    }

    /// A name that is known and has no address.
    pub(crate) fn names_nothing(&self, name: &str) {
        let nothing = VecDeque::from([Vec::new()]);
        self.names.answers.lock().unwrap().insert(name.to_owned(), nothing);
    }

    fn put(&self, address: &str, server: Server) -> &Self {
        self.wire.servers.lock().unwrap().insert(address.parse().unwrap(), server);
        self
    }

    fn recorded(
        &self,
        address: &str,
        play: impl Fn(&str) -> Steps + Send + Sync + 'static,
    ) -> Play {
        let (requests, at) = (self.requests.clone(), address.parse().unwrap());
        Arc::new(move |request| {
            requests.lock().unwrap().push((at, request.clone()));
            play(&request)
        })
    }

    /// A server at an address, in memory.
    pub(crate) fn serve(
        &self,
        address: &str,
        play: impl Fn(&str) -> Steps + Send + Sync + 'static,
    ) -> &Self {
        self.put(address, Server::Memory(self.recorded(address, play)))
    }

    /// The same behind TLS.
    pub(crate) fn serve_tls(
        &self,
        address: &str,
        config: Arc<rustls::ServerConfig>,
        play: impl Fn(&str) -> Steps + Send + Sync + 'static,
    ) -> &Self {
        self.put(address, Server::Tls(config, self.recorded(address, play)))
    }

    /// A socket of this machine that stands for a public address.
    pub(crate) fn stand_in(&self, address: &str, real: SocketAddr) -> &Self {
        self.put(address, Server::Real(real))
    }

    pub(crate) fn silent(&self, address: &str) -> &Self {
        self.put(address, Server::Silent)
    }

    pub(crate) fn client(&self) -> Client {
        let (rules, trust) = (self.rules.clone(), self.trust.clone());
        Client::with(rules, self.limits, trust, self.names.clone(), self.wire.clone())
    }

    pub(crate) fn gate(&self) -> Gate {
        Gate::with(self.rules.clone(), self.names.clone(), self.wire.clone())
    }

    pub(crate) fn proxy(&self) -> Arc<Proxy> {
        Arc::new(Proxy::new(self.gate()))
    }

    /// What was asked of servers, in order.
    pub(crate) fn asked(&self) -> String {
        let requests = self.requests.lock().unwrap();
        let line = |(at, text): &(SocketAddr, String)| {
            format!("{at} is asked: {}\n", text.trim_end().replace("\r\n", " | "))
        };
        requests.iter().map(line).collect()
    }

    pub(crate) fn looked_up(&self) -> Vec<String> {
        self.names.asked.lock().unwrap().clone()
    }

    pub(crate) fn reached(&self) -> Vec<String> {
        self.wire.reached.lock().unwrap().iter().map(SocketAddr::to_string).collect()
    }

    /// Fetches, and tells in words what was looked up, reached, asked and answered.
    pub(crate) async fn told(&self, request: Request) -> String {
        let outcome = self.outcome(&self.client(), request).await;
        let mut told = String::new();
        for name in self.looked_up() {
            writeln!(told, "look-up {name}").unwrap();
        }
        for address in self.reached() {
            writeln!(told, "connect {address}").unwrap();
        }
        for (address, request) in self.requests.lock().unwrap().iter() {
            writeln!(told, "{address} is asked: {}", request.trim_end().replace("\r\n", " | "))
                .unwrap();
        }
        told + &outcome + "\n"
    }

    /// What a fetch ends with, in one line.
    pub(crate) async fn outcome(&self, client: &Client, request: Request) -> String {
        match client.fetch(request).await {
            Ok(response) => format!(
                "{} from {} at {}: {:?}",
                response.status.as_u16(),
                response.url,
                response.peer.address(),
                String::from_utf8_lossy(&response.body)
            ),
            Err(error) => format!("{:?}: {error}", error.class()),
        }
    }

    pub(crate) async fn get(&self, url: &str) -> String {
        self.outcome(&self.client(), Request::get(url)).await
    }
}
