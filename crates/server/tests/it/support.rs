//! A server on a free port, and a client that sends whatever bytes a test wants.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::Value;
use tagline_server::{Config, Door, Reads, Route, Server, TokenFile, route_table};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// A server that ends with the test.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) tokens: Arc<TokenFile>,
    pub(crate) stop: CancellationToken,
    pub(crate) served: JoinHandle<()>,
    _folder: TempDir,
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::with(Config::loopback(0)).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tokens = Arc::new(TokenFile::open(&folder.path().join("private")).unwrap());
        let server = Server::bind(config, Arc::clone(&tokens)).await.unwrap();
        let (address, stop) = (server.address(), CancellationToken::new());
        let served = tokio::spawn(server.serve(stop.clone()));
        Self { address, tokens, stop, served, _folder: folder }
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
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        });
        Self { status: status.unwrap_or(0), headers: headers.collect(), body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
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
