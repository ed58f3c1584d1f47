//! A provider that listens on this machine.

use std::{
    collections::VecDeque,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket, TcpStream},
    runtime::{Builder, Runtime},
    task::AbortHandle,
    time::{Instant, sleep},
};

use crate::{Answer, End};

/// What it was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// When, by the test's clock.
    pub at: Instant,
    /// Path and query.
    pub path: String,
    /// The lines of the head behind the first, as they came.
    pub headers: Vec<String>,
    /// The body; `Null` if it is no JSON.
    pub body: Value,
}

/// A provider on this machine. It ends with the runtime of its test.
#[derive(Clone, Debug)]
pub struct Provider {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<Answer>,
    always: Option<Answer>,
    asked: Vec<Asked>,
    open: usize,
    busiest: usize,
    listens: Option<AbortHandle>,
}

/// A port whose queue is full.
#[derive(Debug)]
pub struct Blocked {
    _listener: TcpListener,
    _waiting: Vec<std::net::TcpStream>,
}

/// A runtime on this thread whose clock does not wait.
///
/// The clock moves on whenever nothing is left to do; a moment of real time before that lets bytes
/// arrive that are on their way between the two ends.
///
/// # Errors
///
/// Where the system gives no runtime.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .on_thread_park(|| std::thread::sleep(Duration::from_micros(50)))
        .start_paused(true)
        .build()
}

impl Provider {
    /// Starts one on a free port, in the runtime of the caller.
    ///
    /// # Errors
    ///
    /// Where no port can be had.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let provider = Self { address, state: Arc::default() };
        let listens = tokio::spawn(provider.clone().listen(listener)).abort_handle();
        provider.state().listens = Some(listens);
        Ok(provider)
    }

    /// Listens no more: whoever comes is refused.
    pub async fn close(&self) {
        let listens = self.state().listens.take();
        if let Some(listens) = listens {
            listens.abort();
            while !listens.is_finished() {
                tokio::task::yield_now().await;
            }
        }
    }

    /// Listens, but lets nobody in: a connection is not made. Keep what this gives back.
    ///
    /// # Errors
    ///
    /// Where the port is taken in the meantime.
    pub async fn block(&self) -> io::Result<Blocked> {
        self.close().await;
        let at = self.address.trim_start_matches("http://").parse();
        let at: SocketAddr = at.map_err(io::Error::other)?;
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(at)?;
        let listener = socket.listen(1)?;
        let mut waiting = Vec::new();
        // The system drops who comes when the queue is full.
        while let Ok(one) = std::net::TcpStream::connect_timeout(&at, Duration::from_millis(20)) {
            waiting.push(one);
        }
        Ok(Blocked { _listener: listener, _waiting: waiting })
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Adds an answer to those that are given in order.
    pub fn push(&self, answer: Answer) {
        self.state().answers.push_back(answer);
    }

    /// What is answered when the others are used up.
    pub fn always(&self, answer: Answer) {
        self.state().always = Some(answer);
    }

    /// What it was asked so far; lists of models left out.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// How many requests were open at the same time at most.
    #[must_use]
    pub fn busiest(&self) -> usize {
        self.state().busiest
    }

    /// How many requests are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.state().open
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn listen(self, listener: TcpListener) {
        while let Ok((connection, _)) = listener.accept().await {
            let provider = self.clone();
            // What one connection ends with is no matter of the others.
            tokio::spawn(async move { provider.serve(connection).await });
        }
    }

    async fn serve(self, mut connection: TcpStream) -> io::Result<()> {
        let Some((line, asked)) = read(&mut connection).await? else { return Ok(()) };
        if line.is_empty() {
            return play(&mut connection, &Answer::status(400, &[], b"no HTTP")).await;
        }
        if line.starts_with("GET ") {
            return play(&mut connection, &models()).await;
        }
        let answer = {
            let mut state = self.state();
            state.asked.push(asked);
            state.open += 1;
            state.busiest = state.busiest.max(state.open);
            state.answers.pop_front().or_else(|| state.always.clone())
        };
        let answer = answer.unwrap_or_else(|| Answer::status(599, &[], b""));
        let played = play(&mut connection, &answer).await;
        self.state().open -= 1;
        played
    }
}

/// A list of one model, as servers on the own machine give it.
fn models() -> Answer {
    let body = br#"{"data": [{"id": "test-model", "object": "model"}]}"#;
    Answer::status(200, &[("content-type", "application/json")], body)
}

/// Reads one request; `None` if the other side hung up.
async fn read(connection: &mut TcpStream) -> io::Result<Option<(String, Asked)>> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && length(head) <= body.len()
        {
            let mut lines = head.lines().map(str::to_owned);
            let line = lines.next().unwrap_or_default();
            let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            let body = serde_json::from_str(body).unwrap_or(Value::Null);
            let asked = Asked { at: Instant::now(), path, headers: lines.collect(), body };
            return Ok(Some((line, asked)));
        }
        if connection.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        if bytes.first() == Some(&TLS) {
            return Ok(Some((String::new(), Asked::nothing())));
        }
    }
}

/// How the other side begins where it wants a secure connection.
const TLS: u8 = 0x16;

impl Asked {
    fn nothing() -> Self {
        Self { at: Instant::now(), path: String::new(), headers: Vec::new(), body: Value::Null }
    }
}

fn length(head: &str) -> usize {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut lengths = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths.next().and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(0)
}

async fn play(connection: &mut TcpStream, answer: &Answer) -> io::Result<()> {
    sleep_unless_zero(answer.pause()).await;
    for (pause, bytes) in answer.bytes() {
        sleep_unless_zero(pause).await;
        connection.write_all(&bytes).await?;
    }
    match answer.end() {
        End::Whole | End::Closed => {
            connection.shutdown().await?;
            // What is left unread would tear the connection down.
            gone(connection).await
        }
        End::Reset => {
            // The other side reads first: a torn connection takes along what was not read.
            sleep(Duration::from_millis(1)).await;
            connection.set_zero_linger()
        }
        End::Silent => gone(connection).await,
        End::Flood(bytes, pause) => flood(connection, &answer.framed(bytes), *pause).await,
    }
}

async fn sleep_unless_zero(pause: Duration) {
    if !pause.is_zero() {
        sleep(pause).await;
    }
}

/// Waits until the other side hangs up.
async fn gone(connection: &mut TcpStream) -> io::Result<()> {
    let mut rest = [0; 64];
    while connection.read(&mut rest).await? != 0 {}
    Ok(())
}

async fn flood(connection: &mut TcpStream, bytes: &[u8], pause: Duration) -> io::Result<()> {
    loop {
        connection.write_all(bytes).await?;
        sleep_unless_zero(pause).await;
    }
}
