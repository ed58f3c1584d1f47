//! A provider on this machine: plays replies in order over HTTP, and keeps what it was asked.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

use crate::support::Bench;

/// How a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    OpenAi,
    Anthropic,
    Gemini,
}

pub(crate) const WIRES: [Wire; 3] = [Wire::OpenAi, Wire::Anthropic, Wire::Gemini];

impl Wire {
    /// As `--model` takes it.
    pub(crate) const fn model(self) -> &'static str {
        match self {
            Self::OpenAi => "openai/m",
            Self::Anthropic => "anthropic/m",
            Self::Gemini => "gemini/m",
        }
    }

    /// The variables of its address and of its key.
    pub(crate) const fn variables(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenAi => ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
            Self::Anthropic => ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
            Self::Gemini => ("GEMINI_BASE_URL", "GEMINI_API_KEY"),
        }
    }

    /// A whole reply as server-sent events: its text in two pieces, then the end with 1,000 tokens
    /// read and 50 written.
    pub(crate) fn reply(self, text: &str) -> String {
        let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        let (one, two) = text.split_at(middle);
        self.events(one, two).iter().map(|event| format!("data: {event}\n\n")).collect()
    }

    fn events(self, one: &str, two: &str) -> Vec<Value> {
        match self {
            Self::OpenAi => vec![
                json!({"choices": [{"index": 0, "delta": {"content": one}}]}),
                json!({"choices": [{"index": 0, "delta": {"content": two}}]}),
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 50}}),
            ],
            Self::Anthropic => vec![
                json!({"type": "message_start", "message": {"id": "msg_1", "model": "m-2026", "usage": {"input_tokens": 1000, "output_tokens": 1}}}),
                json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": one}}),
                json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": two}}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 50}}),
                json!({"type": "message_stop"}),
            ],
            Self::Gemini => vec![
                json!({
                    "candidates": [{"content": {"parts": [{"text": one}]}}],
                    "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 20},
                }),
                json!({
                    "candidates": [{"content": {"parts": [{"text": two}]}, "finishReason": "STOP"}],
                    "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50},
                }),
            ],
        }
    }
}

/// A request, as it came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The request line and the headers.
    pub(crate) head: String,
    body: String,
}

impl Asked {
    /// The JSON that was sent.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A running provider. Its thread ends with its last reply, or with the test.
#[derive(Debug)]
pub(crate) struct Provider {
    wire: Wire,
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Asked {
    /// What came behind the head.
    pub(crate) fn body(&self) -> &str {
        &self.body
    }
}

impl Provider {
    /// Starts one that gives these texts as replies, one for each request.
    pub(crate) fn start(wire: Wire, replies: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let replies: Vec<String> = replies.iter().map(|text| wire.reply(text)).collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for reply in replies {
                let (stream, _) = listener.accept().unwrap();
                let request = answer(&stream, &reply);
                kept.lock().unwrap().push(request);
            }
        });
        Self { wire, address, asked }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// The bench with this provider's address and a key for it in the environment.
    pub(crate) fn known_to(&self, bench: Bench, key: &str) -> Bench {
        let (address, variable) = self.wire.variables();
        bench.var(address, &self.address).var(variable, key)
    }

    /// The JSON of its first request.
    pub(crate) fn body(&self) -> Value {
        self.asked().first().unwrap().json()
    }

    /// What it was asked, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads one request and gives the reply to it.
fn answer(mut stream: &TcpStream, reply: &str) -> Asked {
    let mut reader = BufReader::new(stream);
    let mut asked = Asked::default();
    while !asked.head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut asked.head).unwrap(), 0, "{}", asked.head);
    }
    let head = asked.head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: u64 = length.map_or(0, |length| length.trim().parse().unwrap());
    reader.take(length).read_to_string(&mut asked.body).unwrap();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(format!("{head}{reply}").as_bytes()).unwrap();
    asked
}
