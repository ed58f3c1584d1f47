//! Connections: heads within time and size, and an answer also where there is no request.
//!
//! `hyper` answers a head that it cannot read with a bare status. Here that answer is held back and
//! one that keeps to the error contract is written in its place.

use std::{
    future::Future as _,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, body::Body, extract::Request};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{body::Incoming, rt, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::Sleep,
};
use tokio_util::sync::CancellationToken;

use crate::{
    ApiError,
    gate::{answer, contract, dress},
    state::{App, Peer},
};

/// Connections at once; more wait until one ends.
const MAX_CONNECTIONS: usize = 1_024;

/// How long what a client still sends is read after a refusal, so that it sees the answer.
const LINGER: Duration = Duration::from_secs(1);

/// Wait after a failure to accept, which is a lack of descriptors mostly.
const BREATH: Duration = Duration::from_millis(50);

/// Takes connections until the server is told to stop.
pub(crate) async fn accept(listener: TcpListener, app: Arc<App>, router: Router) {
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let next = async {
            let slot = Arc::clone(&room).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = app.stop.cancelled() => return,
            next = next => next,
        };
        match accepted {
            Ok((socket, address)) => {
                let cut = CancellationToken::new();
                let peer = Peer { address, cut: cut.clone() };
                let talk = converse(socket, peer, Arc::clone(&app), router.clone());
                app.tasks.spawn(async move {
                    tokio::select! {
                        () = talk => {}
                        () = cut.cancelled() => {}
                    }
                    drop(slot);
                });
            }
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

async fn converse(socket: TcpStream, peer: Peer, app: Arc<App>, router: Router) {
    // Frames are small and each is wanted at once.
    let _ = socket.set_nodelay(true);
    let service_app = Arc::clone(&app);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        let served = answer(Arc::clone(&service_app), router.clone(), request);
        Box::pin(async move { Ok::<_, std::convert::Infallible>(served.await) })
    });
    let limits = &app.limits;
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_headers(limits.headers)
        .max_header_size(limits.head_bytes)
        .max_buf_size(limits.head_bytes)
        .serve_connection(Socket::new(TokioIo::new(socket), limits.stall), service);
    let ended = tokio::select! {
        ended = std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)) => ended,
        () = app.stop.cancelled() => {
            Pin::new(&mut connection).graceful_shutdown();
            std::future::poll_fn(|cx| connection.poll_without_shutdown(cx)).await
        }
    };
    let parts = connection.into_parts();
    let reason = ended.err().and_then(|error| reason(&app, &error, &parts.read_buf));
    close(parts.io.inner.into_inner(), &app, reason).await;
}

/// What to tell the client of a connection that broke; nothing, where it went away itself.
fn reason(app: &App, error: &hyper::Error, unread: &Bytes) -> Option<ApiError> {
    let limits = &app.limits;
    if error.is_parse_too_large() {
        return Some(ApiError::HeadSize { headers: limits.headers, bytes: limits.head_bytes });
    }
    if error.is_parse() {
        return Some(ApiError::Head);
    }
    let is_half = error.is_timeout() && !unread.is_empty();
    is_half.then_some(ApiError::HeadTime { seconds: limits.head_time.as_secs() })
}

/// Writes the last answer, if there is one, and lets the client read what was written.
async fn close(mut socket: TcpStream, app: &App, reason: Option<ApiError>) {
    if let Some(error) = reason {
        let bytes = bare(&error, &app.request_id()).await;
        // A client that is gone reads no answer.
        let _ = socket.write_all(&bytes).await;
    }
    let _ = socket.shutdown().await;
    let mut sink = [0_u8; 16_384];
    let drain = async { while socket.read(&mut sink).await.is_ok_and(|n| n > 0) {} };
    let _ = tokio::time::timeout(LINGER, drain).await;
}

/// An answer as bytes, for where there is no request to answer.
async fn bare(error: &ApiError, id: &str) -> Vec<u8> {
    let mut response = contract(error, id);
    dress(response.headers_mut(), id);
    let (head, body) = response.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let mut bytes = format!(
        "HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: {}\r\n",
        head.status,
        body.len()
    )
    .into_bytes();
    for (name, value) in &head.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(&body);
    bytes
}

/// A socket through which no answer goes that is not ours: each of ours names its request. A client
/// that reads nothing for some time loses it.
struct Socket<T> {
    inner: T,
    patience: Duration,
    /// Runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<T> Socket<T> {
    const fn new(inner: T, patience: Duration) -> Self {
        Self { inner, patience, stalled: None }
    }

    /// Hands on what writing gave, or an error where it gave nothing for too long.
    fn watch<R>(
        &mut self,
        cx: &mut Context<'_>,
        wrote: Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if wrote.is_ready() {
            self.stalled = None;
            return wrote;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        stalled.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Whether these bytes are a whole head that `hyper` wrote by itself. Our own answers always have
/// the header `x-request-id` in their head, which is written in one piece.
fn is_bare(bytes: &[u8]) -> bool {
    let is_refusal = [b"HTTP/1.1 4", b"HTTP/1.0 4"].iter().any(|start| bytes.starts_with(*start));
    is_refusal
        && bytes.ends_with(b"\r\n\r\n")
        && !bytes.windows(12).any(|window| window.eq_ignore_ascii_case(b"x-request-id"))
}

impl<T: rt::Read + Unpin> rt::Read for Socket<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: rt::ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl<T: rt::Write + Unpin> rt::Write for Socket<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if is_bare(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let wrote = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.watch(cx, wrote)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
