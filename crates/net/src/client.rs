//! Requests, hop by hop.
#![expect(clippy::disallowed_types, reason = "this is the client that is meant instead")]

use std::{future::Future, sync::Arc};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Response as Head,
    body::Incoming,
    client::conn::http1,
    header::{ACCEPT, ACCEPT_ENCODING, HOST, HeaderValue, USER_AGENT},
};
use hyper_util::rt::TokioIo;
use tokio::{
    task::JoinSet,
    time::{Instant, timeout, timeout_at},
};

use crate::{
    body::Body,
    connect::{Connect, Stream},
    error::{NetError, Problem},
    gate::{Checked, Gate, Rules},
    limits::Limits,
    rate::Rate,
    redirect::Hop,
    request::{Request, Response},
    resolve::Resolve,
    tls::{Tls, Trust},
};

/// Most bytes of an answer's head.
const HEAD: usize = 64 * 1024;

/// Fetches what is on the public internet. One serves one session: it counts its requests.
///
/// It keeps no cookies and no connections, and no proxy stands between.
#[derive(Debug)]
pub struct Client {
    gate: Gate,
    limits: Limits,
    tls: Tls,
    rate: Rate,
}

/// An answer whose body is still to come.
struct Begun {
    head: Head<Incoming>,
    peer: Checked,
    /// Moves the bytes; ends with the answer.
    _mover: JoinSet<()>,
}

impl Client {
    /// A client on this machine's network.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self::through(Gate::new(rules), Trust::System, Limits::default())
    }

    /// A client that looks up, connects and trusts as told.
    #[must_use]
    pub fn with(
        rules: Rules,
        limits: Limits,
        trust: Trust,
        resolver: Arc<dyn Resolve>,
        connector: Arc<dyn Connect>,
    ) -> Self {
        Self::through(Gate::with(rules, resolver, connector), trust, limits)
    }

    fn through(gate: Gate, trust: Trust, limits: Limits) -> Self {
        Self { gate, limits, tls: Tls::new(trust), rate: Rate::default() }
    }

    /// What lets through what this client fetches.
    #[must_use]
    pub const fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Fetches, with all redirects, and reads the whole answer. Any status is an answer.
    ///
    /// Dropping the future ends everything it began.
    ///
    /// # Errors
    ///
    /// [`NetError`] where a rule, a limit or the other side is in the way.
    pub async fn fetch(&self, request: Request) -> Result<Response, NetError> {
        let deadline = Instant::now() + self.limits.total;
        let mut hop = Hop::first(request)?;
        let mut redirects = Vec::new();
        loop {
            let begun = self.in_time(deadline, self.begin(&hop)).await;
            let begun = begun.map_err(|problem| hop.failed(problem))?;
            let Some(next) = hop.next(begun.head.status(), begun.head.headers())? else {
                let read = self.read(begun, deadline).await;
                let (head, peer, body) = read.map_err(|problem| hop.failed(problem))?;
                let url = hop.target.as_str().to_owned();
                let (status, headers) = (head.status, head.headers);
                return Ok(Response { url, redirects, peer, status, headers, body });
            };
            if redirects.len() >= self.limits.redirects {
                return Err(next.failed(Problem::Redirects(self.limits.redirects)));
            }
            redirects.push(hop.target.as_str().to_owned());
            hop = next;
        }
    }

    async fn in_time<T>(
        &self,
        deadline: Instant,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let late = Problem::Time { limit: self.limits.total, received: 0 };
        timeout_at(deadline, work).await.unwrap_or(Err(late))
    }

    /// One request through the gate, until its answer begins.
    async fn begin(&self, hop: &Hop) -> Result<Begun, Problem> {
        self.gate.admit(&hop.target)?;
        self.rate.take(hop.target.host(), self.limits.per_minute)?;
        let late = Problem::ConnectTime(self.limits.connect);
        let connected = timeout(self.limits.connect, self.connect(hop)).await;
        let (stream, peer) = connected.unwrap_or(Err(late))?;
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEAD).max_headers(100);
        let shaken = builder.handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = shaken.map_err(|error| broken(&error))?;
        let mut mover = JoinSet::new();
        mover.spawn(async move {
            // What went wrong is told by the answer or its body.
            let _ = connection.await;
        });
        let head = sender.send_request(message(hop)?).await.map_err(|error| broken(&error))?;
        Ok(Begun { head, peer, _mover: mover })
    }

    async fn connect(&self, hop: &Hop) -> Result<(Box<dyn Stream>, Checked), Problem> {
        let host = hop.target.host();
        let opened = self.gate.open(host, hop.target.port(), self.limits.connect).await?;
        if !hop.target.is_secure() {
            return Ok((opened.stream, opened.to));
        }
        let stream = self.tls.over(opened.stream, host).await?;
        Ok((Box::new(stream), opened.to))
    }

    async fn read(
        &self,
        begun: Begun,
        deadline: Instant,
    ) -> Result<(hyper::http::response::Parts, Checked, Bytes), Problem> {
        let Begun { head, peer, _mover } = begun;
        let (head, mut incoming) = head.into_parts();
        let mut body = Body::new(&head.headers, &self.limits)?;
        loop {
            let Ok(frame) = timeout_at(deadline, incoming.frame()).await else {
                return Err(Problem::Time { limit: self.limits.total, received: body.received() });
            };
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|error| broken(&error))?;
            if let Some(bytes) = frame.data_ref() {
                body.take(bytes)?;
            }
        }
        Ok((head, peer, Bytes::from(body.finish()?)))
    }
}

/// The request as it is sent.
fn message(hop: &Hop) -> Result<hyper::Request<Full<Bytes>>, Problem> {
    let mut message = hyper::Request::new(Full::new(hop.body.clone()));
    *message.method_mut() = hop.method.clone();
    let path = hop.target.path().parse();
    *message.uri_mut() =
        path.map_err(|_| Problem::NotAUrl("its path cannot be sent".to_owned()))?;
    let authority = HeaderValue::from_str(&hop.target.authority());
    let authority = authority.map_err(|_| Problem::HeaderText(HOST.to_string()))?;
    let headers = message.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    let agent = concat!("tagline/", env!("CARGO_PKG_VERSION"));
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    headers.extend(hop.headers.clone());
    headers.insert(HOST, authority);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    Ok(message)
}

/// The innermost words: the outer ones say that something failed.
fn broken(error: &hyper::Error) -> Problem {
    let mut inner: &dyn std::error::Error = error;
    while let Some(next) = inner.source() {
        inner = next;
    }
    Problem::Broken(inner.to_string())
}
