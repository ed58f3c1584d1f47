//! What a provider streams means the same wherever the network cuts it and however its lines end; it
//! ends once, and cut short it says no more than it said before the cut.
#![no_main]

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::StreamExt as _;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tagline_model::{CassetteModel, Model as _, ModelEvent, ModelFault, ModelLimits, Request};
use tagline_protocol::{Message, Role};

/// Wire formats, and where each is asked.
const WIRES: [(&str, &str); 4] = [
    ("openai", "/chat/completions"),
    ("llama_cpp", "/chat/completions"),
    ("anthropic", "/v1/messages"),
    ("gemini", "/models/m:streamGenerateContent?alt=sse"),
];

type Items = Vec<Result<ModelEvent, ModelFault>>;

// The first byte is the wire format, the next two say where it is cut, the rest is the body.
fuzz_target!(|data: &[u8]| {
    let [wire, size, at, body @ ..] = data else { return };
    let wire = WIRES[usize::from(*wire) % WIRES.len()];
    let whole = played(wire, &[body], "complete");
    holds_one_end(&whole);

    let pieces: Vec<&[u8]> = body.chunks(1 + usize::from(*size) % 40).collect();
    assert_eq!(played(wire, &pieces, "complete"), whole, "in pieces");

    if !body.contains(&b'\r') {
        let text = String::from_utf8_lossy(body);
        if text.as_bytes() == body {
            for end in ["\r\n", "\r"] {
                let other = text.replace('\n', end);
                assert_eq!(played(wire, &[other.as_bytes()], "complete"), whole, "{end:?}");
            }
        }
    }

    let begun = &body[..body.len() * usize::from(*at) / 255];
    let cut = played(wire, &[begun], "broken");
    holds_one_end(&cut);
    assert!(text(&whole).starts_with(&text(&cut)), "{whole:?}\n{cut:?}");
});

/// One item ends it, and that is the last.
fn holds_one_end(items: &Items) {
    let is_end = |item: &Result<_, _>| matches!(item, Err(_) | Ok(ModelEvent::Finish(_)));
    assert_eq!(items.iter().filter(|item| is_end(item)).count(), 1, "{items:?}");
    assert!(items.last().is_some_and(is_end), "{items:?}");
}

fn text(items: &Items) -> String {
    let texts = items.iter().filter_map(|item| match item {
        Ok(ModelEvent::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// What the reply comes to, asked for once.
fn played(wire: (&str, &str), pieces: &[&[u8]], end: &str) -> Items {
    let model = CassetteModel::from_text(&cassette(wire, pieces, end)).expect("a cassette");
    let model = model.with_limits(ModelLimits { attempts: 1, ..ModelLimits::default() });
    let request =
        Request { messages: vec![Message::new(Role::User, "hello")], ..Request::default() };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(model.ask(request).collect())
}

fn cassette((wire, path): (&str, &str), pieces: &[&[u8]], end: &str) -> String {
    let mut lines = vec![
        json!({"cassette": {"version": 1, "wire": wire, "model": format!("{wire}/m")}}),
        json!({"call": {"method": "post", "path": path}}),
        json!({"answer": {"head": {"status": 200, "headers": [["content-type", "text/event-stream"]]}}}),
    ];
    lines.extend(
        pieces.iter().map(
            |bytes| json!({"chunk": {"bytes": bytes.len(), "base64": STANDARD.encode(bytes)}}),
        ),
    );
    lines.push(match end {
        "broken" => json!({"end": {"fault": {"broken": "reset"}}}),
        end => json!({"end": end}),
    });
    lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}
