//! A provider on this machine that takes one key, lists its models, and answers whatever it is asked.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use super::Bench;
use crate::provider::Wire;

/// A running provider, which speaks like OpenAI's. Its thread ends with the test.
pub(crate) struct Lists {
    pub(crate) address: String,
    /// The bodies of what it was asked to answer.
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl Lists {
    /// One that takes this key and says the wrong ones back, as some do.
    pub(crate) fn taking(key: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (key, kept) = (key.to_owned(), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                answer(&stream, &key, &kept);
            }
        });
        Self { address, asked }
    }
}

/// A bench whose servers are where nobody listens, so that the machine's own are not found.
pub(crate) fn alone(openai: &str) -> Bench {
    Bench::new()
        .var("OPENAI_BASE_URL", openai)
        .var("OLLAMA_HOST", "127.0.0.1:9")
        .var("LMSTUDIO_BASE_URL", "http://127.0.0.1:9")
        .var("LLAMACPP_BASE_URL", "http://127.0.0.1:9")
        .var("VLLM_BASE_URL", "http://127.0.0.1:9")
}

fn answer(mut stream: &TcpStream, key: &str, asked: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    let length = field("content-length: ").map_or(0, |length| length.parse().unwrap());
    let mut body = String::new();
    reader.take(length).read_to_string(&mut body).unwrap();
    let bearer = field("authorization: Bearer ").unwrap_or_default();
    let (status, kind, text) = if bearer != key {
        let error = format!(r#"{{"error":{{"message":"Incorrect API key provided: {bearer}"}}}}"#);
        ("401 Unauthorized", "application/json", error)
    } else if head.starts_with("GET ") {
        let list = r#"{"data":[{"id":"large"},{"id":"small"}]}"#;
        ("200 OK", "application/json", list.to_owned())
    } else {
        asked.lock().unwrap().push(body);
        ("200 OK", "text/event-stream", Wire::OpenAi.reply("Done."))
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n");
    // Who asked may be gone.
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{text}", text.len());
}
