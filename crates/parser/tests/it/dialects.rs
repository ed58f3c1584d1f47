//! The cases of `tests/cases/dialects.jsonl`: calls in the syntaxes that models were trained on.
//!
//! Values are compared as they were written: typing is not the parser's.

use serde_json::{Map, Value, json};
use tagline_parser::{
    Block, ChildSpec, Event, Finish, Limits, Parser, Reason, TagSet, TagSpec, Value as Written,
    ValueKind,
};

use crate::cases::{cases, cut, normal};

const DIALECTS: &str = include_str!("../cases/dialects.jsonl");

/// What only typing makes of them: a number without its fraction, a list of elements.
const TYPED: &[&str] = &["herm-053", "mor-003"];

/// The longest text that is cut at every place.
const SHORT: usize = 300;

/// All cases.
pub(crate) fn all() -> Vec<Value> {
    cases(DIALECTS)
}

/// The tags of a case's tools.
pub(crate) fn tag_set(case: &Value) -> TagSet {
    let tools = case["tools"].as_object().unwrap();
    TagSet::new(tools.iter().map(|(name, tool)| spec(name, tool)))
}

fn untyped() -> impl Iterator<Item = Value> {
    all().into_iter().filter(|case| !TYPED.contains(&case["id"].as_str().unwrap()))
}

fn spec(name: &str, tool: &Value) -> TagSpec {
    let child = |(name, kind): (&String, &Value)| ChildSpec {
        name: name.clone(),
        kind: if kind == "string" { ValueKind::Raw } else { ValueKind::Scalar },
        is_list: false,
        attributes: Vec::new(),
    };
    let params = tool["params"].as_object().unwrap();
    let children = params.iter().map(child).collect();
    TagSpec { name: name.to_owned(), children, ..TagSpec::default() }
}

fn events(case: &Value, chunks: &[&str]) -> Vec<Value> {
    let mut parser = Parser::new(&tag_set(case), Limits::default());
    if case["start"] == "thinking" {
        parser.begin_in_thinking();
    }
    if case["start"] == "auto" {
        parser.may_begin_in_thinking();
    }
    for chunk in chunks {
        parser.feed(chunk);
    }
    parser.flush(if case["finish"] == "length" { Finish::Length } else { Finish::Stop });
    let mut events: Vec<Value> = Vec::new();
    for event in parser.drain() {
        match event {
            // All text so far was reasoning.
            Event::Relabel { .. } => {
                for event in events.iter_mut().filter(|event| event["type"] == "text") {
                    event["type"] = json!("thinking");
                }
            }
            Event::Text(_)
            | Event::Thinking(_)
            | Event::Start { .. }
            | Event::Attribute { .. }
            | Event::Delta { .. }
            | Event::End(_)
            | Event::Abort { .. }
            | Event::Fault(_) => events.extend(shown(event)),
        }
    }
    normal(events)
}

fn shown(event: Event) -> Option<Value> {
    match event {
        Event::Text(text) => Some(json!({"type": "text", "text": text})),
        Event::Thinking(text) => Some(json!({"type": "thinking", "text": text})),
        Event::End(block) if block.is_partial => {
            Some(json!({"type": "error", "kind": kind(block.faults.last().unwrap().reason)}))
        }
        Event::End(block) => Some(call(&block)),
        Event::Fault(fault) if fault.reason == Reason::QuotedCall => None,
        Event::Fault(fault) => Some(json!({"type": "error", "kind": kind(fault.reason)})),
        Event::Start { .. }
        | Event::Attribute { .. }
        | Event::Delta { .. }
        | Event::Abort { .. }
        | Event::Relabel { .. } => None,
    }
}

fn kind(reason: Reason) -> &'static str {
    match reason {
        Reason::UnterminatedTool => "incomplete",
        Reason::UnknownTool => "unknown_tool",
        Reason::FabricatedResult => "fabricated_result",
        Reason::InvalidArguments => "bad_arguments",
        Reason::MismatchedClose
        | Reason::MalformedTag
        | Reason::UnknownParam
        | Reason::DuplicateParam
        | Reason::NestedTool
        | Reason::StrayClose
        | Reason::CdataUnclosed
        | Reason::QuotedCall
        | Reason::Limit => "bad_call",
    }
}

/// A call with its values as written. The last of a name counts.
fn call(block: &Block) -> Value {
    let mut arguments = Map::new();
    for (name, text) in &block.attributes {
        arguments.insert(name.clone(), json!({"text": text}));
    }
    for child in &block.children {
        let form = match child.value {
            Written::Text(_) | Written::String(_) => "text",
            Written::Json(_) => "json",
        };
        arguments.insert(child.name.clone(), json!({form: child.value.text()}));
    }
    if let Some(body) = &block.body {
        arguments.insert("(body)".into(), json!({"text": body.text()}));
    }
    json!({"type": "tool", "name": block.name, "arguments": arguments})
}

/// What is expected, without what only typing or another field tells.
fn wanted(case: &Value) -> Vec<Value> {
    let mut events = normal(case["expect"].as_array().unwrap().clone());
    for event in &mut events {
        if event["type"] == "error" {
            *event = json!({"type": "error", "kind": event["kind"]});
        }
    }
    events
}

/// Whether the values as written are those expected after typing.
fn is_same(wanted: &Value, given: &Value) -> bool {
    let (Some(wanted), Some(written)) =
        (wanted["arguments"].as_object(), given["arguments"].as_object())
    else {
        return wanted == given;
    };
    given["type"] == "tool"
        && wanted.len() == written.len()
        && wanted.iter().all(|(name, value)| {
            written.get(name).is_some_and(|written| is_same_value(value, written))
        })
}

fn is_same_value(wanted: &Value, written: &Value) -> bool {
    if let Some(text) = written["text"].as_str() {
        return wanted.as_str() == Some(text) || parsed(text).as_ref() == Some(wanted);
    }
    let source = written["json"].as_str().unwrap();
    wanted.as_str() == Some(source) || parsed(source).as_ref() == Some(wanted)
}

/// A text as a JSON value, or as a Python literal.
fn parsed(text: &str) -> Option<Value> {
    let text = text.trim();
    serde_json::from_str(text).ok().or_else(|| {
        let json = text.replace('\'', "\"").replace("None", "null");
        let json = json.replace("True", "true").replace("False", "false");
        serde_json::from_str(&json).ok()
    })
}

#[track_caller]
fn check(case: &Value, chunks: &[&str]) {
    let (wanted, given) = (wanted(case), events(case, chunks));
    let is_right = wanted.len() == given.len()
        && wanted.iter().zip(&given).all(|(wanted, given)| {
            is_same(wanted, given) && (wanted["name"] == given["name"] || wanted["type"] != "tool")
        });
    assert!(
        is_right,
        "{} {}\n{chunks:?}\nwanted {wanted:?}\ngiven  {given:?}",
        case["id"], case["why"]
    );
}

#[test]
fn every_dialect_gives_its_calls_whole_and_in_small_chunks() {
    for case in untyped() {
        let input = case["input"].as_str().unwrap();
        check(&case, &[input]);
        for size in [1, 3, 7] {
            check(&case, &cut(input, size));
        }
    }
}

#[test]
fn every_short_reply_gives_its_calls_cut_in_two_anywhere() {
    for case in untyped() {
        let input = case["input"].as_str().unwrap();
        if input.len() <= SHORT {
            for (at, _) in input.char_indices() {
                let (first, second) = input.split_at(at);
                check(&case, &[first, second]);
            }
        }
    }
}
