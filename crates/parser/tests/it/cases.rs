//! The cases of `tests/cases`: replies as models write them, with the events they must give.
//!
//! Each runs whole, in small chunks, and short ones cut in two at every place.

use serde_json::{Map, Value, json};
use tagline_parser::{
    Block, ChildSpec, Event, Finish, Limits, Parser, Reason, TagSet, TagSpec, ValueKind,
};

pub(crate) const INLINE: &str = include_str!("../cases/inline.jsonl");

/// The longest text that is cut at every place.
const SHORT: usize = 400;

pub(crate) fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn spec(name: &str, tool: &Value) -> TagSpec {
    let (raw, lists) = (strings(&tool["raw"]), strings(&tool["lists"]));
    let kind = |name: &str| match raw.iter().any(|it| it == name) {
        true => ValueKind::Raw,
        false => ValueKind::Scalar,
    };
    let child = |name: String| ChildSpec {
        kind: kind(&name),
        is_list: lists.contains(&name),
        name,
        attributes: Vec::new(),
    };
    TagSpec {
        name: name.to_owned(),
        aliases: Vec::new(),
        attributes: strings(&tool["attrs"]),
        children: strings(&tool["params"]).into_iter().map(child).collect(),
        body: (tool["body"] == true).then(|| kind("body")),
        is_lenient_eof: tool["lenient_eof"] == true,
        needs_mark: tool["effect"] == "exec",
    }
}

/// Cuts a text into chunks of so many characters.
pub(crate) fn cut(text: &str, n_chars: usize) -> Vec<&str> {
    let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(n_chars).collect();
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// The tags of a case.
pub(crate) fn tag_set(case: &Value) -> TagSet {
    let tools = case["tools"].as_object().unwrap();
    TagSet::new(tools.iter().map(|(name, tool)| spec(name, tool)))
}

/// How the reply of a case ends.
pub(crate) fn finish(case: &Value) -> Finish {
    if case["finish"] == "length" { Finish::Length } else { Finish::Stop }
}

fn events(case: &Value, chunks: &[&str]) -> Vec<Value> {
    let tools = case["tools"].as_object().unwrap();
    let mut parser = Parser::new(&tag_set(case), Limits::default());
    for chunk in chunks {
        parser.feed(chunk);
    }
    parser.flush(finish(case));
    let shown = parser.drain().filter_map(|event| shown(event, tools));
    normal(shown.collect())
}

fn shown(event: Event, tools: &Map<String, Value>) -> Option<Value> {
    match event {
        Event::Text(text) => Some(json!({"type": "text", "text": text})),
        Event::Thinking(text) => Some(json!({"type": "thinking", "text": text})),
        Event::End(block) if block.is_partial => {
            Some(json!({"type": "error", "reason": block.faults.last().unwrap().reason.as_str()}))
        }
        Event::End(block) => Some(call(&block, &tools[&block.name])),
        Event::Fault(fault) if fault.reason == Reason::QuotedCall => None,
        Event::Fault(fault) => Some(json!({"type": "error", "reason": fault.reason.as_str()})),
        Event::Start { .. }
        | Event::Attribute { .. }
        | Event::Delta { .. }
        | Event::Abort { .. }
        | Event::Relabel { .. } => None,
    }
}

fn call(block: &Block, tool: &Value) -> Value {
    let (attributes, lists) = (strings(&tool["attrs"]), strings(&tool["lists"]));
    let (mut attrs, mut params) = (Map::new(), Map::new());
    for (name, text) in &block.attributes {
        let into = if attributes.contains(name) { &mut attrs } else { &mut params };
        into.insert(name.clone(), json!(text));
    }
    for child in block.children.iter().filter(|child| child.is_declared) {
        let into = if attributes.contains(&child.name) { &mut attrs } else { &mut params };
        let own: Map<String, Value> =
            child.attributes.iter().map(|(name, text)| (name.clone(), json!(text))).collect();
        let body = json!(child.value.text());
        let value = if own.is_empty() { body } else { json!({"attrs": own, "body": body}) };
        if lists.contains(&child.name) {
            let list = into.entry(child.name.clone()).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(value);
        } else {
            into.insert(child.name.clone(), value);
        }
    }
    let body = block.body.as_ref().map(|body| body.text());
    json!({"type": "tool", "name": block.name, "attrs": attrs, "params": params, "body": body})
}

/// Joins neighboring text, trims it, and leaves out what is then empty.
pub(crate) fn normal(events: Vec<Value>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for event in events {
        let kind = event["type"].clone();
        let is_text = kind == "text" || kind == "thinking";
        match out.last_mut() {
            Some(last) if is_text && last["type"] == kind => {
                let gap = if kind == "thinking" { "\n" } else { "" };
                let joined = [&last["text"], &event["text"]].map(|it| it.as_str().unwrap());
                last["text"] = json!(joined.join(gap));
            }
            Some(_) | None if is_text && event["text"].as_str().unwrap().trim().is_empty() => {
                if kind == "text" {
                    out.push(event);
                }
            }
            Some(_) | None => out.push(event),
        }
    }
    for event in &mut out {
        if let Some(text) = event["text"].as_str() {
            event["text"] = json!(text.trim());
        }
    }
    out.retain(|event| event["text"] != "");
    joined(out)
}

/// What stands side by side once empty text is gone.
fn joined(events: Vec<Value>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for event in events {
        match out.last_mut() {
            Some(last) if event["type"] == "thinking" && last["type"] == "thinking" => {
                let texts = [&last["text"], &event["text"]].map(|it| it.as_str().unwrap());
                last["text"] = json!(texts.join("\n"));
            }
            Some(_) | None => out.push(event),
        }
    }
    out
}

#[track_caller]
fn check(case: &Value, chunks: &[&str]) {
    let expected = normal(case["expect"].as_array().unwrap().clone());
    let given = events(case, chunks);
    assert_eq!(given, expected, "{} {}\n{:?}", case["id"], case["why"], chunks);
}

#[test]
fn every_case_gives_its_events_whole_and_in_small_chunks() {
    for case in cases(INLINE) {
        let input = case["input"].as_str().unwrap();
        check(&case, &[input]);
        for size in [1, 3, 7] {
            check(&case, &cut(input, size));
        }
    }
}

#[test]
fn every_short_case_gives_its_events_cut_in_two_anywhere() {
    for case in cases(INLINE) {
        let input = case["input"].as_str().unwrap();
        if input.len() <= SHORT {
            for (at, _) in input.char_indices() {
                let (first, second) = input.split_at(at);
                check(&case, &[first, second]);
            }
        }
    }
}
