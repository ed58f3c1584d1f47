//! Plays exchanges through a cassette, on a clock that does not wait.

use std::fmt::Write as _;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tagline_model::{CassetteModel, Model, ModelEvent, ModelFault, ModelLimits, Request};
use tagline_protocol::{Message, Role};

use tagline_fake_provider::Wire;

/// One exchange of a cassette.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) answer: Value,
    pub(crate) chunks: Vec<Value>,
    pub(crate) end: Value,
}

impl Exchange {
    /// An event stream, cut into pieces of `size` bytes.
    pub(crate) fn stream(body: &[u8], size: usize) -> Self {
        Self::answer(200, &[("content-type", "text/event-stream; charset=utf-8")], body, size)
    }

    pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &[u8], size: usize) -> Self {
        Self {
            answer: json!({"head": {"status": status, "headers": headers}}),
            chunks: body.chunks(size.max(1)).map(|chunk| piece(chunk, 0)).collect(),
            end: json!("complete"),
        }
    }

    /// No answer: a fault of the way, or `"open"`.
    pub(crate) fn none(answer: Value) -> Self {
        Self { answer, chunks: Vec::new(), end: Value::Null }
    }

    /// The connection breaks at the end.
    pub(crate) fn broken(mut self) -> Self {
        self.end = json!({"fault": {"broken": "connection reset"}});
        self
    }

    /// The connection stays open at the end.
    pub(crate) fn open(mut self) -> Self {
        self.end = json!("open");
        self
    }

    /// One more piece, after a wait.
    pub(crate) fn then(self, after_ms: u64, text: &str) -> Self {
        self.then_bytes(after_ms, text.as_bytes())
    }

    pub(crate) fn then_bytes(mut self, after_ms: u64, bytes: &[u8]) -> Self {
        self.chunks.push(piece(bytes, after_ms));
        self
    }

    fn lines(&self, path: &str, out: &mut String) {
        writeln!(out, "{}", json!({"call": {"method": "post", "path": path}})).unwrap();
        writeln!(out, "{}", json!({"answer": self.answer})).unwrap();
        for chunk in &self.chunks {
            writeln!(out, "{}", json!({"chunk": chunk})).unwrap();
        }
        if !self.end.is_null() {
            writeln!(out, "{}", json!({"end": self.end})).unwrap();
        }
    }
}

fn piece(bytes: &[u8], after_ms: u64) -> Value {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    json!({"bytes": bytes.len(), "after_ms": after_ms, "base64": STANDARD.encode(bytes)})
}

/// A cassette of these exchanges.
pub(crate) fn cassette(wire: Wire, exchanges: &[Exchange]) -> CassetteModel {
    let word = wire.word();
    let head =
        json!({"cassette": {"version": 1, "wire": word, "model": format!("{word}/test-model")}});
    let mut text = format!("{head}\n");
    for exchange in exchanges {
        exchange.lines(wire.path(), &mut text);
    }
    CassetteModel::from_text(&text).unwrap()
}

/// What a request ended with, and what came before.
#[derive(Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) states: Vec<String>,
    /// The last event or fault.
    pub(crate) end: Result<ModelEvent, ModelFault>,
    /// Virtual seconds from the request to the end.
    pub(crate) seconds: f64,
    pub(crate) usage: Option<tagline_protocol::Usage>,
}

pub(crate) fn request(text: &str) -> Request {
    Request { messages: vec![Message::new(Role::User, text)], ..Request::default() }
}

/// Collects one reply and checks that it ends once.
pub(crate) async fn collect(model: &dyn Model) -> Played {
    let start = tokio::time::Instant::now();
    let items: Vec<_> = model.ask(request("hello")).collect().await;
    let mut played = Played {
        text: String::new(),
        reasoning: String::new(),
        states: Vec::new(),
        end: items.last().unwrap().clone(),
        seconds: start.elapsed().as_secs_f64(),
        usage: None,
    };
    let ends = items.iter().filter(|item| matches!(item, Err(_) | Ok(ModelEvent::Finish(_))));
    assert_eq!(ends.count(), 1, "{items:?}");
    assert!(matches!(played.end, Err(_) | Ok(ModelEvent::Finish(_))), "{items:?}");
    for item in items.into_iter().flatten() {
        match item {
            ModelEvent::Text(text) => played.text += &text,
            ModelEvent::Reasoning(text) => played.reasoning += &text,
            ModelEvent::State { state, .. } => played.states.push(state),
            ModelEvent::Usage(usage) => played.usage = Some(usage),
            ModelEvent::Notice(_) | ModelEvent::Response(_) | ModelEvent::Finish(_) => {}
        }
    }
    played
}

/// Plays the exchanges, a try each.
pub(crate) fn play(wire: Wire, exchanges: &[Exchange], limits: ModelLimits) -> Played {
    let model = cassette(wire, exchanges).with_limits(limits);
    runtime().block_on(collect(&model))
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

/// So many tries and no more.
pub(crate) fn tries(attempts: u32) -> ModelLimits {
    ModelLimits { attempts, ..ModelLimits::default() }
}
