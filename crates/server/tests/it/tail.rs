//! A reader of streams that says how much it reads.

use std::{collections::VecDeque, net::SocketAddr};

use tagline_server::sse::{Message, Reader};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{House, request};

/// A stream that is being read.
pub(crate) struct Tail {
    socket: TcpStream,
    pub(crate) reader: Reader,
    pub(crate) head: String,
    rest: Vec<u8>,
    /// Bytes of the current chunk that have not come.
    left: usize,
    ready: VecDeque<Message>,
}

impl Tail {
    pub(crate) async fn open(house: &House, line: &str, headers: &[&str], body: &str) -> Self {
        Self::through(house.address, house, line, headers, body).await
    }

    /// The same through whatever listens at this address.
    pub(crate) async fn through(
        address: SocketAddr,
        house: &House,
        line: &str,
        headers: &[&str],
        body: &str,
    ) -> Self {
        let (host, bearer) = (format!("Host: {}", house.host()), house.bearer());
        let headers = [&[host.as_str(), &bearer], headers].concat();
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(&request(line, &headers, body)).await.unwrap();
        let mut tail = Self {
            socket,
            reader: Reader::default(),
            head: String::new(),
            rest: Vec::new(),
            left: 0,
            ready: VecDeque::new(),
        };
        while !tail.head.contains("\r\n\r\n") {
            let mut byte = [0];
            tail.socket.read_exact(&mut byte).await.unwrap();
            tail.head.push(byte[0] as char);
        }
        tail
    }

    pub(crate) async fn events(house: &House, session: &str, headers: &[&str]) -> Self {
        Self::open(house, &format!("GET /api/sessions/{session}/events"), headers, "").await
    }

    /// The next message; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if self.read(16_384).await == 0 {
                return None;
            }
        }
    }

    /// Reads once, at most so many bytes; 0 at the end of the stream.
    pub(crate) async fn read(&mut self, most: usize) -> usize {
        let mut buffer = vec![0; most];
        let n = self.socket.read(&mut buffer).await.unwrap_or(0);
        self.rest.extend_from_slice(&buffer[..n]);
        while let Some(piece) = self.piece() {
            self.ready.extend(self.reader.feed(&piece));
        }
        n
    }

    /// What came in and was not handed out.
    pub(crate) fn take(&mut self) -> Vec<Message> {
        self.ready.drain(..).collect()
    }

    /// What is there of the next chunk of the body: it may be cut in its middle.
    fn piece(&mut self) -> Option<Vec<u8>> {
        if self.left == 0 {
            // Behind the last byte of a chunk stands a line end, and behind that the next size.
            let start = if self.rest.starts_with(b"\r\n") { 2 } else { 0 };
            let end = start + self.rest.get(start..)?.windows(2).position(|two| two == b"\r\n")?;
            let size = std::str::from_utf8(&self.rest[start..end]).unwrap();
            self.left = usize::from_str_radix(size, 16).unwrap();
            self.rest.drain(..end + 2);
        }
        let n = self.left.min(self.rest.len());
        self.left -= n;
        (n > 0).then(|| self.rest.drain(..n).collect())
    }

    /// Reads on to a message of this type.
    pub(crate) async fn until(&mut self, event: &str) -> Vec<Message> {
        let mut seen = Vec::new();
        while let Some(message) = self.next().await {
            let is_it = message.event == event;
            seen.push(message);
            if is_it {
                break;
            }
        }
        seen
    }
}
