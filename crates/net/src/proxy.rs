//! The way out for programs without a network of their own: they ask a proxy, and it asks the gate.
#![expect(clippy::disallowed_types, reason = "this is the client that is meant instead")]

use std::{convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::Incoming,
    client::conn::http1 as client,
    header::{
        CONNECTION, HOST, HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE,
        TRAILER, TRANSFER_ENCODING, UPGRADE,
    },
    server::conn::http1 as server,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{io::copy_bidirectional, sync::OwnedSemaphorePermit};

use crate::{
    connect::Stream,
    error::{Class, Problem},
    gate::{Gate, Opened},
    host::Host,
    pass::{Book, Pass, Passes},
    target::Target,
};

/// Until a connection stands, look-up included.
const CONNECT: Duration = Duration::from_secs(10);
/// Until the head of a request is there.
const HEAD: Duration = Duration::from_secs(30);

/// What an answer is made of: another one's body, or words of ours.
type Answer = Response<Either<Incoming, Full<Bytes>>>;

/// An HTTP proxy: `CONNECT` (RFC 9110, 9.3.6), and requests for whole addresses of `http` (RFC 9112,
/// 3.2.2). It follows no redirect: whoever asks does, by asking it again, so that each hop is judged.
///
/// It serves connections that it is given, and listens nowhere itself. Who shows no [`Pass`] gets
/// nowhere.
#[derive(Debug)]
pub struct Proxy {
    gate: Gate,
    passes: Passes,
}

/// A place that was asked for.
struct Place {
    host: Host,
    port: u16,
}

impl Proxy {
    /// A proxy to what this gate lets through.
    #[must_use]
    pub fn new(gate: Gate) -> Self {
        Self { gate, passes: Passes::default() }
    }

    /// The right to use it for whoever knows the token, which must be hard to guess.
    #[must_use]
    pub fn issue(&self, token: String) -> Pass {
        self.passes.issue(token)
    }

    /// Serves one connection until its end.
    pub async fn serve(self: Arc<Self>, stream: impl Stream + 'static) {
        let service = service_fn(move |request| {
            let proxy = Arc::clone(&self);
            async move { Ok::<_, Infallible>(proxy.answer(request).await) }
        });
        let mut builder = server::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD).auto_date_header(false);
        // How it ended was told over it, as far as that was possible.
        let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
    }

    async fn answer(&self, mut request: Request<Incoming>) -> Answer {
        let shown = request.headers_mut().remove(PROXY_AUTHORIZATION);
        let book = shown.and_then(|it| self.passes.find(it.to_str().ok()?));
        let Some(book) = book else { return unknown() };
        // Nobody closes it.
        let Ok(room) = Arc::clone(&book.room).acquire_owned().await else { return unknown() };
        let answer = if request.method() == Method::CONNECT {
            self.tunnel(request, &book, room).await
        } else {
            self.forward(request, &book, room).await
        };
        answer.unwrap_or_else(|problem| refusal(&problem))
    }

    /// A connection through which whoever asks says what they like.
    async fn tunnel(
        &self,
        request: Request<Incoming>,
        book: &Arc<Book>,
        room: OwnedSemaphorePermit,
    ) -> Result<Answer, Problem> {
        let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        let place = Place::read(&authority).inspect_err(|problem| {
            book.write(&authority, 0, Some(problem.to_string()));
        })?;
        let mut opened = self.open(&place, book).await?;
        let book = Arc::clone(book);
        tokio::spawn(async move {
            let _room = room;
            let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
            let mut theirs = TokioIo::new(upgraded);
            tokio::select! {
                _ = copy_bidirectional(&mut theirs, &mut opened.stream) => {}
                () = book.over() => {}
            }
        });
        Ok(Response::new(Either::Right(Full::default())))
    }

    /// One request, and its answer as it comes.
    async fn forward(
        &self,
        mut request: Request<Incoming>,
        book: &Arc<Book>,
        room: OwnedSemaphorePermit,
    ) -> Result<Answer, Problem> {
        let asked = request.uri().to_string();
        let target = Target::read(&asked).inspect_err(|problem| {
            book.write(&asked.chars().take(200).collect::<String>(), 0, Some(problem.to_string()));
        })?;
        if target.is_secure() {
            return Err(Problem::Scheme("https without CONNECT".to_owned()));
        }
        let place = Place { host: target.host().clone(), port: target.port() };
        self.gate.admit(&target).inspect_err(|problem| place.write(book, Some(problem)))?;
        let opened = self.open(&place, book).await?;
        prepare(&mut request, &target)?;
        let shaken = client::Builder::new().handshake(TokioIo::new(opened.stream)).await;
        let (mut sender, connection) = shaken.map_err(|error| broken(&error))?;
        let mover = Arc::clone(book);
        tokio::spawn(async move {
            let _room = room;
            tokio::select! {
                // What went wrong is told by the answer or its body.
                _ = connection => {}
                () = mover.over() => {}
            }
        });
        let mut answer = sender.send_request(request).await.map_err(|error| broken(&error))?;
        strip(answer.headers_mut());
        Ok(answer.map(Either::Left))
    }

    async fn open(&self, place: &Place, book: &Book) -> Result<Opened, Problem> {
        let opened = self.gate.open(&place.host, place.port, CONNECT).await;
        place.write(book, opened.as_ref().err());
        opened
    }
}

impl Place {
    /// A host and a port, as `CONNECT` names them.
    fn read(authority: &str) -> Result<Self, Problem> {
        let wrong =
            || Problem::Host("expected a host and a port, such as `example.com:443`".into());
        let (host, port) = authority.rsplit_once(':').ok_or_else(wrong)?;
        Ok(Self { host: Host::read(host)?, port: port.parse().map_err(|_| wrong())? })
    }

    fn write(&self, book: &Book, problem: Option<&Problem>) {
        book.write(&self.host.to_string(), self.port, problem.map(ToString::to_string));
    }
}

/// The request as it goes on: a path and a host, and nothing that was for the proxy.
fn prepare(request: &mut Request<Incoming>, target: &Target) -> Result<(), Problem> {
    let path = target.path().parse();
    *request.uri_mut() =
        path.map_err(|_| Problem::NotAUrl("its path cannot be sent".to_owned()))?;
    let headers = request.headers_mut();
    strip(headers);
    let authority = HeaderValue::from_str(&target.authority());
    headers.insert(HOST, authority.map_err(|_| Problem::HeaderText(HOST.to_string()))?);
    Ok(())
}

/// Without what says how a message travels over one connection (RFC 9110, 7.6.1).
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    let proxy = ["proxy-connection", "keep-alive"].map(HeaderName::from_static);
    let usual = [CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, PROXY_AUTHENTICATE];
    for name in named.into_iter().chain(proxy).chain(usual) {
        headers.remove(name);
    }
}

fn unknown() -> Answer {
    let words = "this proxy serves commands that were let out to the network, and no other; run the \
                 command with `network`\n";
    let mut answer = told(StatusCode::PROXY_AUTHENTICATION_REQUIRED, words.to_owned());
    let realm = HeaderValue::from_static("Basic realm=\"tagline\"");
    answer.headers_mut().insert(PROXY_AUTHENTICATE, realm);
    answer
}

fn refusal(problem: &Problem) -> Answer {
    let status = match problem.class() {
        Class::Call => StatusCode::BAD_REQUEST,
        Class::Refused => StatusCode::FORBIDDEN,
        Class::Later | Class::Failed => StatusCode::BAD_GATEWAY,
    };
    told(status, format!("{problem}\n"))
}

fn told(status: StatusCode, words: String) -> Answer {
    let mut answer = Response::new(Either::Right(Full::new(Bytes::from(words))));
    *answer.status_mut() = status;
    answer
}

fn broken(error: &hyper::Error) -> Problem {
    Problem::Broken(error.to_string())
}
