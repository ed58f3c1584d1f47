//! A provider on this machine: plays canned answers in order and keeps what it was asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Response},
};
use futures_util::StreamExt as _;
use serde_json::Value;

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Canned {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) chunks: Vec<Vec<u8>>,
    /// Breaks the connection behind the last chunk.
    pub(crate) breaks: bool,
}

impl Canned {
    pub(crate) fn stream(body: &str, size: usize) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream".to_owned())],
            chunks: body.as_bytes().chunks(size).map(<[u8]>::to_vec).collect(),
            breaks: false,
        }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            chunks: vec![body.to_string().into_bytes()],
            breaks: false,
        }
    }

    pub(crate) fn redirect(status: u16, location: String) -> Self {
        let headers = vec![("location", location)];
        Self { status, headers, chunks: Vec::new(), breaks: false }
    }

    fn response(self) -> Response<Body> {
        let mut response = Response::builder().status(self.status);
        for (name, value) in self.headers {
            response = response.header(name, value);
        }
        let chunks = self.chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk)));
        let end = self.breaks.then(|| Err(std::io::Error::other("broken")));
        let body = futures_util::stream::iter(chunks.chain(end)).then(|chunk| async {
            tokio::task::yield_now().await;
            chunk
        });
        response.body(Body::from_stream(body)).unwrap()
    }
}

/// What the server was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// A running server. It ends with the runtime of its test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Server {
    pub(crate) address: String,
    state: Arc<Mutex<Played>>,
}

#[derive(Debug, Default)]
struct Played {
    answers: VecDeque<Canned>,
    asked: Vec<Asked>,
}

impl Server {
    /// Starts one on a free port.
    pub(crate) async fn start(answers: impl IntoIterator<Item = Canned>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { address, ..Self::default() };
        server.state.lock().unwrap().answers.extend(answers);
        let router = Router::new().fallback(answer).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.lock().unwrap().asked.clone()
    }

    /// The body of the last request.
    pub(crate) fn body(&self) -> Value {
        self.asked().pop().unwrap().body
    }
}

async fn answer(State(server): State<Server>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 24).await.unwrap();
    let mut state = server.state.lock().unwrap();
    state.asked.push(Asked {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        headers: head.headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    });
    let next = state.answers.pop_front();
    drop(state);
    next.unwrap_or_else(|| Canned::json(599, &Value::Null)).response()
}
