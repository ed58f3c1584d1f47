//! A server on a free port, and a client that sends whatever bytes a test wants.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::Value;
use tagline_agent::TurnLimits;
use tagline_protocol::Mode;
use tagline_server::{Config, Door, Parts, Reads, Route, Server, TokenFile, route_table};
use tagline_session::{Hub, HubLimits};
use tagline_store::MemoryJournal;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::stage::{Stage, hub};

pub(crate) const JSON: &str = "Content-Type: application/json";

/// A server that ends with the test.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) tokens: Arc<TokenFile>,
    pub(crate) hub: Hub<MemoryJournal>,
    pub(crate) stage: Arc<Stage>,
    pub(crate) stop: CancellationToken,
    pub(crate) served: JoinHandle<()>,
    _folder: TempDir,
}

/// What a server is opened with.
pub(crate) struct Setup {
    pub(crate) script: String,
    pub(crate) mode: Mode,
    pub(crate) turns: TurnLimits,
    pub(crate) config: Config,
    pub(crate) limits: HubLimits,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            script: "=== reply\nDone.\n".to_owned(),
            mode: Mode::Full,
            turns: TurnLimits::default(),
            config: Config::loopback(0),
            limits: HubLimits::default(),
        }
    }
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::of(Setup::default()).await
    }

    /// Its sessions play this script.
    pub(crate) async fn playing(script: &str) -> Self {
        Self::of(Setup { script: script.to_owned(), ..Setup::default() }).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self::of(Setup { config, ..Setup::default() }).await
    }

    /// The same sessions behind the same address and token, as after a restart.
    pub(crate) async fn reopen(&mut self) {
        self.stop.cancel();
        (&mut self.served).await.unwrap();
        let config = Config::loopback(self.address.port());
        let server = Server::bind(config, self.parts()).await.unwrap();
        self.stop = CancellationToken::new();
        self.served = tokio::spawn(server.serve(self.stop.clone()));
    }

    pub(crate) async fn of(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tokens = Arc::new(TokenFile::open(&folder.path().join("private")).unwrap());
        let hub = hub(&setup.script, setup.mode, setup.turns, setup.limits);
        let stage = Arc::new(Stage::default());
        let parts = parts(&hub, &stage, &tokens);
        let server = Server::bind(setup.config, parts).await.unwrap();
        let (address, stop) = (server.address(), CancellationToken::new());
        let served = tokio::spawn(server.serve(stop.clone()));
        Self { address, tokens, hub, stage, stop, served, _folder: folder }
    }

    pub(crate) fn parts(&self) -> Parts {
        parts(&self.hub, &self.stage, &self.tokens)
    }

    /// A new session's id.
    pub(crate) async fn session(&self) -> String {
        let answer = self.asks("POST /api/sessions", &[JSON], "{}").await;
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Looks at a session until there is what is picked out of it.
    pub(crate) async fn wait_for<T>(&self, session: &str, pick: impl Fn(&Value) -> Option<T>) -> T {
        let line = format!("GET /api/sessions/{session}");
        let look = async {
            loop {
                if let Some(picked) = pick(&self.asks(&line, &[], "").await.json()) {
                    return picked;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), look).await.unwrap()
    }

    /// Sends a message, and waits until its turn is over.
    pub(crate) async fn say(&self, session: &str, text: &str) {
        let body = serde_json::json!({ "text": text }).to_string();
        let line = format!("POST /api/sessions/{session}/messages");
        assert_eq!(self.asks(&line, &[JSON], &body).await.status, 202);
        self.hub.settled(session).await;
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.address.port())
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.tokens.show())
    }

    /// Sends a request with these header lines beside `Host`, and a body.
    pub(crate) async fn ask(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let host = format!("Host: {}", self.host());
        let headers = [&[host.as_str()], headers].concat();
        self.raw(&request(line, &headers, body)).await
    }

    /// The same with the token.
    pub(crate) async fn asks(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        let bearer = self.bearer();
        self.ask(line, &[&[bearer.as_str()], headers].concat(), body).await
    }

    /// Sends bytes and reads the answer to its end.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Answer {
        let mut socket = TcpStream::connect(self.address).await.unwrap();
        // A server that has refused already may close before all is sent.
        let _ = socket.write_all(bytes).await;
        let mut read = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(30), socket.read_to_end(&mut read)).await;
        Answer::read(&read)
    }
}

fn parts(hub: &Hub<MemoryJournal>, stage: &Arc<Stage>, tokens: &Arc<TokenFile>) -> Parts {
    Parts {
        sessions: Arc::new(hub.clone()),
        backstage: Arc::clone(stage) as _,
        tokens: Arc::clone(tokens),
    }
}

impl House {
    /// Sends bytes and reads the answer as far as it is needed: of a stream, its head.
    pub(crate) async fn peek(&self, bytes: &[u8]) -> Answer {
        let mut socket = TcpStream::connect(self.address).await.unwrap();
        let _ = socket.write_all(bytes).await;
        let (mut read, mut buffer) = (Vec::new(), [0; 8_192]);
        while !read.windows(25).any(|part| part == b"text/event-stream\r\ncache-") {
            match tokio::time::timeout(Duration::from_secs(30), socket.read(&mut buffer)).await {
                Ok(Ok(n)) if n > 0 => read.extend_from_slice(&buffer[..n]),
                _ => break,
            }
        }
        Answer::read(&read)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A request as bytes, with a length if there is a body.
pub(crate) fn request(line: &str, headers: &[&str], body: &str) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    for header in headers {
        text += header;
        text += "\r\n";
    }
    if !body.is_empty() {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    text += "\r\n";
    text += body;
    text.into_bytes()
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// The same, as it came.
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let whole = end.map_or_else(Vec::new, |end| bytes[end + 4..].to_vec());
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        });
        Self {
            status: status.unwrap_or(0),
            headers: headers.collect(),
            body: body.to_owned(),
            bytes: whole,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap_or(Value::Null)
    }

    /// The body, out of its chunks if it came in some.
    pub(crate) fn text(&self) -> String {
        if self.header("transfer-encoding") != Some("chunked") {
            return self.body.clone();
        }
        let (mut text, mut rest) = (String::new(), self.body.as_str());
        while let Some((size, more)) = rest.split_once("\r\n") {
            let size = usize::from_str_radix(size, 16).unwrap_or(0);
            let Some(chunk) = more.get(..size).filter(|chunk| !chunk.is_empty()) else { break };
            text += chunk;
            rest = more.get(size + 2..).unwrap_or_default();
        }
        text
    }

    /// The code of a refusal that keeps to the contract; the empty word otherwise.
    pub(crate) fn code(&self) -> String {
        let json = self.json();
        let error = &json["error"];
        let is_whole = error["status"] == self.status
            && error["message"].as_str().is_some_and(|text| !text.is_empty())
            && error["hint"].as_str().is_some_and(|text| !text.is_empty())
            && error["request_id"].as_str() == self.header("x-request-id");
        if is_whole { error["code"].as_str().unwrap_or_default().to_owned() } else { String::new() }
    }

    /// Status and code, as tests write them down.
    pub(crate) fn short(&self) -> String {
        format!("{} {}", self.status, self.code()).trim_end().to_owned()
    }
}

/// The first line of a request for a row of the table; what varies in the path is `x`.
pub(crate) fn line(route: &Route) -> String {
    let path: Vec<&str> =
        route.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
    format!("{} {}", route.method, path.join("/"))
}

/// The header of the kind of body that the row reads.
pub(crate) fn kind(route: &Route) -> &'static str {
    match route.reads {
        Reads::Nothing => "X-Nothing: 1",
        Reads::Json => "Content-Type: application/json",
        Reads::Bytes => "Content-Type: application/octet-stream",
    }
}

/// The rows that the token opens.
pub(crate) fn guarded() -> impl Iterator<Item = &'static Route> {
    route_table().iter().filter(|route| route.door == Door::Token)
}

/// Rows that may change something.
pub(crate) fn mutating() -> impl Iterator<Item = &'static Route> {
    route_table().iter().filter(|route| route.method != "GET")
}
