//! What it costs to send a session's events to many readers, beside two servers that do nothing
//! else: axum's own events, and axum handing on text that was made once. All in one process, one
//! after the other, several rounds; the least of each counts. Figures of one run compare, those of
//! two do not. Each time the writer waits for readers that are far behind: a server is free to send those away.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a bench stops at the first surprise, and tells"
)]

use std::{
    convert::Infallible,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use axum::{
    Router,
    body::Body,
    response::{IntoResponse as _, Sse, sse},
    routing::get,
};
use bytes::{Bytes, BytesMut};
use futures_util::{
    StreamExt as _,
    future::{BoxFuture, FutureExt as _, ready},
    stream,
};
use serde_json::{Value, json};
use tagline_protocol::{Event, Frame};
use tagline_secret::Secret;
use tagline_server::{
    Backstage, Blob, Changes, Check, Config, Done, FileEntry, FilePath, FileProblem, Files, Found,
    How, IfUnreachable, KeyKept, ModelRow, Parts, ProviderRow, Replace, Server, SettingKept,
    Settled, Setup, SetupProblem, TokenFile, Undo, UndoProblem, Undone, Which,
};
use tagline_session::{
    Equipment, Hub, HubLimits, NewSession, SystemClock, WireFrame, Workshop, WorkshopError,
};
use tagline_store::{Durability, Journal as _, MemoryJournal, NewEvent, SessionInfo};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Notify, broadcast},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

const READERS: usize = 30;
const EVENTS: usize = 20_000;
const LOT: usize = 50;
const ROUNDS: usize = 3;

/// How many lots a reader may be behind.
const BEHIND: usize = 4;
const LOTS: usize = EVENTS / LOT;

/// Stands in the last event of a lot alone.
const MARK: &str = "the last of a lot";

/// How far the readers are.
#[derive(Default)]
struct Pace {
    lots: [AtomicUsize; READERS],
    moved: Notify,
}

impl Pace {
    fn add(&self, reader: usize, lots: usize) -> usize {
        let all = self.lots[reader].fetch_add(lots, Relaxed) + lots;
        self.moved.notify_one();
        all
    }

    /// Waits until nobody is far behind a writer of so many lots.
    async fn keep(&self, written: usize) {
        let slowest = || self.lots.iter().map(|lots| lots.load(Relaxed)).min().unwrap_or(0);
        while slowest() + BEHIND < written {
            self.moved.notified().await;
        }
    }
}

/// Nobody works here; events are written from outside.
struct Nobody;

impl Workshop for Nobody {
    fn equip<'a>(
        &'a self,
        _session: &'a SessionInfo,
    ) -> BoxFuture<'a, Result<Equipment, WorkshopError>> {
        let error = WorkshopError { code: "nobody".to_owned(), message: "nobody".to_owned() };
        ready(Err(error)).boxed()
    }

    fn new_id(&self) -> String {
        "7f3c".to_owned()
    }
}

#[derive(Debug)]
struct Bare;

impl Backstage for Bare {
    fn now(&self) -> String {
        String::new()
    }

    fn workspace(&self) -> PathBuf {
        PathBuf::from("/")
    }

    fn profile(&self) -> String {
        "default".to_owned()
    }

    fn config(&self) -> Value {
        Value::Null
    }

    fn models(&self) -> BoxFuture<'_, Vec<ModelRow>> {
        ready(Vec::new()).boxed()
    }

    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        ready(Vec::new()).boxed()
    }

    fn providers(&self) -> Vec<tagline_server::ProviderState> {
        Vec::new()
    }

    fn files(&self) -> &dyn Files {
        self
    }

    fn undo(&self) -> &dyn Undo {
        self
    }

    fn setup(&self) -> &dyn Setup {
        self
    }
}

impl Setup for Bare {
    fn providers(&self) -> Settled<'_, Vec<ProviderRow>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn keep_key<'a>(&'a self, _: &'a str, _: Secret, _: IfUnreachable) -> Settled<'a, KeyKept> {
        ready(Err(nothing())).boxed()
    }

    fn forget_key<'a>(&'a self, _: &'a str) -> Settled<'a, ()> {
        ready(Err(nothing())).boxed()
    }

    fn set<'a>(&'a self, _: &'a str, _: Option<&'a str>) -> Settled<'a, SettingKept> {
        ready(Err(nothing())).boxed()
    }
}

fn nothing() -> SetupProblem {
    SetupProblem::Files("nothing is kept here".to_owned())
}

impl Undo for Bare {
    fn changes<'a>(&'a self, _: &'a str, _: Which) -> Found<'a, Changes> {
        ready(Err(UndoProblem::Nothing(String::new()))).boxed()
    }

    fn undo<'a>(&'a self, _: &'a str, _: Which, _: How) -> Found<'a, Undone> {
        ready(Err(UndoProblem::Nothing(String::new()))).boxed()
    }
}

fn none<'a, T: Send + 'a>() -> Done<'a, T> {
    ready(Err(FileProblem::Missing(String::new()))).boxed()
}

impl Files for Bare {
    fn list<'a>(&'a self, _: &'a FilePath) -> Done<'a, Vec<FileEntry>> {
        none()
    }

    fn read<'a>(&'a self, _: &'a FilePath, _: usize) -> Done<'a, Blob> {
        none()
    }

    fn write<'a>(&'a self, _: &'a FilePath, _: Bytes, _: Replace) -> Done<'a, FileEntry> {
        none()
    }

    fn make_folder<'a>(&'a self, _: &'a FilePath) -> Done<'a, FileEntry> {
        none()
    }

    fn relocate<'a>(&'a self, _: &'a FilePath, _: &'a FilePath) -> Done<'a, FileEntry> {
        none()
    }
}

/// About what an event of a session weighs.
fn event(n: usize) -> Event {
    let mark = if n.is_multiple_of(LOT) { MARK } else { "" };
    Event::Notice { level: "info".to_owned(), message: format!("{}{mark}", "x".repeat(120)) }
}

fn frame(n: usize) -> Frame {
    let event = event(n);
    let ts = "2026-01-01T12:00:00.000Z".to_owned();
    let (run, turn, call) = (Some("t1".to_owned()), Some(1), None);
    Frame { v: 1, seq: n as u64, ts, session: "7f3c".to_owned(), run, turn, call, event }
}

/// Reads until the last event. Each reader costs the same, whoever serves it.
async fn read(address: SocketAddr, head: String, reader: usize, pace: Arc<Pace>) {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut buffer = vec![0; 65_536];
    let mut kept = 0;
    loop {
        let n = socket.read(&mut buffer[kept..]).await.unwrap();
        assert_ne!(n, 0, "the stream ended");
        let all = kept + n;
        let lots = memchr::memmem::find_iter(&buffer[..all], MARK.as_bytes()).count();
        if 0 < lots && pace.add(reader, lots) == LOTS {
            return;
        }
        // A mark may be cut; one that is whole is not seen again.
        kept = all.min(MARK.len() - 1);
        buffer.copy_within(all - kept..all, 0);
    }
}

async fn read_all(address: SocketAddr, head: &str, pace: &Arc<Pace>) {
    let read = |n| read(address, head.to_owned(), n, Arc::clone(pace));
    let mut readers: JoinSet<()> = (0..READERS).map(read).collect();
    // The first that fails ends the bench: the writer would wait for it.
    while let Some(reader) = readers.join_next().await {
        reader.unwrap();
    }
}

/// Processor time of this process so far, in ticks of the system's clock.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn get_line(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
}

/// A server of axum alone, whose readers get what is sent on the channel.
async fn axum_alone(
    router: Router,
    sender: broadcast::Sender<Arc<WireFrame>>,
    n_readers: impl Fn() -> usize,
) -> u64 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tokio::spawn(async move { axum::serve(listener, router).await });
    let head = get_line("/");
    let (pace, before) = (Arc::<Pace>::default(), ticks());
    let write = async {
        while n_readers() < READERS {
            tokio::task::yield_now().await;
        }
        for n in 1..=EVENTS {
            let frame = frame(n);
            let json = serde_json::to_vec(&frame).unwrap().into();
            let kind = frame.event.kind();
            sender
                .send(Arc::new(WireFrame { from: frame.seq, seq: frame.seq, kind, json }))
                .unwrap();
            if n.is_multiple_of(LOT) {
                pace.keep(n / LOT).await;
            }
        }
    };
    tokio::join!(read_all(address, &head, &pace), write);
    served.abort();
    ticks() - before
}

async fn own_events() -> u64 {
    let (sender, _) = broadcast::channel(EVENTS + 1);
    let (subscribe, counted) = (sender.clone(), sender.clone());
    let handler = async move || {
        let next = async |mut from: broadcast::Receiver<Arc<WireFrame>>| {
            let frame = from.recv().await.ok()?;
            let json = std::str::from_utf8(&frame.json).unwrap();
            let event = sse::Event::default()
                .id(format!("7f3c:{}", frame.seq))
                .event(frame.kind)
                .data(json);
            Some((Ok::<_, Infallible>(event), from))
        };
        Sse::new(stream::unfold(subscribe.subscribe(), next)).keep_alive(sse::KeepAlive::default())
    };
    let n_readers = || counted.receiver_count();
    axum_alone(Router::new().route("/", get(handler)), sender, n_readers).await
}

async fn made_once() -> u64 {
    let (sender, _) = broadcast::channel::<Arc<WireFrame>>(EVENTS + 1);
    let (texts, _) = broadcast::channel::<Bytes>(EVENTS + 1);
    let mut frames = sender.subscribe();
    let (to_readers, subscribe) = (texts.clone(), texts.clone());
    tokio::spawn(async move {
        while let Ok(frame) = frames.recv().await {
            let mut text = BytesMut::new();
            tagline_server::sse::frame(&mut text, "7f3c", &frame);
            let _ = to_readers.send(text.freeze());
        }
    });
    let handler = async move || {
        let next = async |mut from: broadcast::Receiver<Bytes>| {
            let text = from.recv().await.ok()?;
            Some((Ok::<_, Infallible>(text), from))
        };
        Body::from_stream(stream::unfold(subscribe.subscribe(), next).boxed()).into_response()
    };
    let n_readers = || texts.receiver_count();
    axum_alone(Router::new().route("/", get(handler)), sender, n_readers).await
}

async fn ours() -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let journal: Arc<MemoryJournal> = Arc::default();
    let clock = Arc::new(SystemClock);
    let hub = Hub::new(Arc::clone(&journal), Arc::new(Nobody), clock, HubLimits::default());
    hub.create(NewSession { workspace: "/".into(), ..NewSession::default() }).await.unwrap();
    let tokens = Arc::new(TokenFile::open(folder.path()).unwrap());
    let parts = Parts {
        sessions: Arc::new(hub.clone()),
        backstage: Arc::new(Bare),
        tokens: Arc::clone(&tokens),
    };
    let server = Server::bind(Config::loopback(0), parts).await.unwrap();
    let (address, stop) = (server.address(), CancellationToken::new());
    let served = tokio::spawn(server.serve(stop.clone()));
    let head = format!(
        "GET /api/sessions/7f3c/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\r\n",
        tokens.show()
    );
    let (pace, before) = (Arc::<Pace>::default(), ticks());
    let write = async {
        while hub.health().watchers < READERS {
            tokio::task::yield_now().await;
        }
        for first in (1..=EVENTS).step_by(LOT) {
            let new = |n| NewEvent {
                run: Some("t1".to_owned()),
                turn: Some(1),
                call: None,
                ts: "2026-01-01T12:00:00.000Z".to_owned(),
                event: event(n),
            };
            let events = (first..first + LOT).map(new).collect();
            journal.append("7f3c", events, Durability::Streamed).await.unwrap();
            pace.keep(first / LOT + 1).await;
        }
    };
    tokio::join!(read_all(address, &head, &pace), write);
    let took = ticks() - before;
    stop.cancel();
    served.await.unwrap();
    took
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut best = [u64::MAX; 3];
    for _ in 0..ROUNDS {
        let round =
            runtime.block_on(async { [own_events().await, made_once().await, ours().await] });
        for (best, took) in best.iter_mut().zip(round) {
            *best = (*best).min(took);
        }
    }
    let names = ["axum, its own events", "axum, text made once", "tagline-server over a hub"];
    println!("{READERS} readers, {EVENTS} events of {} bytes", json!(frame(1)).to_string().len());
    println!("{:<28} {:>14} {:>8}", "", "CPU ns/event", "ratio");
    for (name, took) in names.iter().zip(best) {
        // A tick is a hundredth of a second.
        let each = took * 10_000_000 / (READERS * EVENTS) as u64;
        println!("{name:<28} {each:>14} {:>8.2}", took as f64 / best[0].max(1) as f64);
    }
}
