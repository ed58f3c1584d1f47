//! As much of HTTP and of server-sent events as a stream needs, on a plain socket.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
};

/// The data of each event of an answer, as it arrives.
///
/// # Errors
///
/// Whatever the socket says, and an answer that is no stream of events.
pub(crate) fn post(
    address: &str,
    path: &str,
    key: Option<&str>,
    body: &str,
) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    let host = address.strip_prefix("http://").ok_or_else(|| wrong("http://HOST:PORT expected"))?;
    let host = host.trim_end_matches('/');
    let mut socket = TcpStream::connect(host)?;
    let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    let n = body.len();
    write!(
        socket,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\n{key}Content-Type: application/json\r\n\
         Content-Length: {n}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n{body}"
    )?;
    let mut answer = BufReader::new(socket);
    let is_chunked = read_head(&mut answer)?;
    let body: Box<dyn BufRead> =
        if is_chunked { Box::new(BufReader::new(Chunked::new(answer))) } else { Box::new(answer) };
    Ok(events(body))
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Reads the status and the headers, and tells whether the body comes in chunks.
fn read_head(answer: &mut impl BufRead) -> io::Result<bool> {
    let mut line = String::new();
    answer.read_line(&mut line)?;
    if line.split(' ').nth(1) != Some("200") {
        return Err(wrong(&format!("the server answered `{}`", line.trim())));
    }
    let mut is_chunked = false;
    loop {
        line.clear();
        let n = answer.read_line(&mut line)?;
        let header = line.trim().to_ascii_lowercase();
        if n == 0 || header.is_empty() {
            return Ok(is_chunked);
        }
        is_chunked |= header.starts_with("transfer-encoding:") && header.ends_with("chunked");
    }
}

/// A line is read whole, so that a character is never cut; an event is what one `data:` line says.
fn events(body: Box<dyn BufRead>) -> impl Iterator<Item = io::Result<String>> {
    body.lines().filter_map(|line| match line {
        Ok(line) => line.strip_prefix("data:").map(|data| Ok(data.trim_start().to_owned())),
        Err(error) => Some(Err(error)),
    })
}

/// The chunked transfer coding (RFC 9112, section 7.1).
struct Chunked<R> {
    inner: R,
    left: usize,
    is_over: bool,
}

impl<R: BufRead> Chunked<R> {
    const fn new(inner: R) -> Self {
        Self { inner, left: 0, is_over: false }
    }

    /// Reads the size of the next chunk; there is none behind the last.
    fn next_chunk(&mut self) -> io::Result<()> {
        let mut line = String::new();
        while line.trim().is_empty() {
            line.clear();
            if self.inner.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let size = line.split(';').next().unwrap_or_default().trim();
        self.left = usize::from_str_radix(size, 16).map_err(|_| wrong("no size of a chunk"))?;
        self.is_over = self.left == 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Chunked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.is_over {
            self.next_chunk()?;
        }
        let n = self.left.min(buffer.len());
        let n = self.inner.read(buffer.get_mut(..n).unwrap_or_default())?;
        if n == 0 && self.left > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= n;
        Ok(n)
    }
}
