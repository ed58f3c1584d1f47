//! `--batch`: one JSON request a line in, one JSON answer a line out, in order.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};
use tagline_parser::{
    Block, Child, Event, Fault, Limits, Parser, Reason, Repair, Value as Written,
};

use super::{
    Findings,
    request::{self, Form, Request, Start, Tool},
};

/// An event of an answer.
enum Entry {
    Text {
        kind: &'static str,
        text: String,
    },
    /// Any other, as JSON: what a number's digits are is kept in no value.
    Whole(String),
}

impl From<Value> for Entry {
    fn from(event: Value) -> Self {
        Self::Whole(event.to_string())
    }
}

impl Entry {
    fn into_json(self) -> String {
        match self {
            Self::Text { kind, text } => json!({"type": kind, "text": text}).to_string(),
            Self::Whole(json) => json,
        }
    }
}

/// Answers every line. A line that is no request is answered with an error that names it.
pub(crate) fn run(mut input: impl BufRead, out: &mut impl Write) -> io::Result<Findings> {
    let mut findings = Findings::Clean;
    let (mut line, mut n_lines) = (Vec::new(), 0u64);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            out.flush()?;
            return Ok(findings);
        }
        n_lines += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match answer(&line) {
            Ok((answer, is_clean)) => {
                if !is_clean && findings == Findings::Clean {
                    findings = Findings::Problems;
                }
                answer
            }
            Err(error) => {
                findings = Findings::BadRequest;
                refusal(&line, n_lines, &error).to_string()
            }
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
}

/// The answer to a line that is no request; its id, if it has one, is kept.
fn refusal(line: &[u8], number: u64, error: &serde_json::Error) -> Value {
    let given = serde_json::from_slice::<Value>(line).ok();
    let id = given.as_ref().and_then(|value| value.get("id")?.as_str()).map(str::to_owned);
    let message = format!(
        "line {number}: expected a request as one JSON object, but found: {error}; mend the line"
    );
    json!({
        "id": id.unwrap_or_else(|| format!("line {number}")),
        "events": [{"type": "error", "reason": "invalid_request", "kind": "invalid_request", "message": message}],
    })
}

/// The answer, and whether nothing had to be repaired or refused.
fn answer(line: &[u8]) -> Result<(String, bool), serde_json::Error> {
    let request = Request::parse(line)?;
    let tools = request.tools()?;
    let mut parser = Parser::new(&request::tag_set(&tools), Limits::default());
    match request.start {
        Start::Text => {}
        Start::Auto => parser.may_begin_in_thinking(),
        Start::Thinking => parser.begin_in_thinking(),
    }
    for chunk in request.chunks() {
        parser.feed(chunk);
    }
    parser.flush(request.finish());
    let mut events: Vec<Entry> = Vec::new();
    let mut is_clean = true;
    for event in parser.drain() {
        is_clean &= is_whole(&event);
        push(&mut events, event, &request, &tools);
    }
    let events: Vec<String> = events.into_iter().map(Entry::into_json).collect();
    let (id, events) = (Value::from(request.id), events.join(","));
    Ok((format!(r#"{{"id":{id},"events":[{events}]}}"#), is_clean))
}

/// Whether an event tells of no damage.
fn is_whole(event: &Event) -> bool {
    match event {
        Event::Fault(fault) => fault.reason == Reason::QuotedCall,
        Event::End(block) => !is_mended(block) && !block.is_partial,
        Event::Text(_)
        | Event::Thinking(_)
        | Event::Start { .. }
        | Event::Attribute { .. }
        | Event::Delta { .. }
        | Event::Abort { .. }
        | Event::Relabel { .. } => true,
    }
}

/// Whether something in it was read otherwise than written.
const fn is_mended(block: &Block) -> bool {
    !block.faults.is_empty() || !block.repairs.is_empty()
}

/// A call that would have to be mended, where that was not asked for.
fn unmended(block: &Block, repair: &Repair) -> Value {
    json!({
        "type": "error",
        "reason": Reason::MalformedTag.as_str(),
        "kind": kind(Reason::MalformedTag),
        "name": block.name,
        "repair": repair.kind.as_str(),
        "message": repair.to_string(),
    })
}

fn push(events: &mut Vec<Entry>, event: Event, request: &Request, tools: &[(String, Tool)]) {
    match event {
        Event::Text(text) => push_text(events, "text", &text),
        Event::Thinking(text) => push_text(events, "thinking", &text),
        Event::End(block) => events.extend(block_event(&block, request, tools)),
        // What is quoted is text; that it was a call matters to whoever asks the model again.
        Event::Fault(fault) if fault.reason == Reason::QuotedCall => {}
        Event::Fault(fault) => events.push(error(&fault).into()),
        Event::Relabel { .. } => relabel(events),
        Event::Start { .. }
        | Event::Attribute { .. }
        | Event::Delta { .. }
        | Event::Abort { .. } => {}
    }
}

/// All text so far was reasoning.
fn relabel(events: &mut [Entry]) {
    for event in events {
        if let Entry::Text { kind, .. } = event {
            *kind = "thinking";
        }
    }
}

fn push_text(events: &mut Vec<Entry>, kind: &'static str, text: &str) {
    match events.last_mut() {
        Some(Entry::Text { kind: last, text: joined }) if *last == kind => joined.push_str(text),
        Some(_) | None => events.push(Entry::Text { kind, text: text.to_owned() }),
    }
}

fn error(fault: &Fault) -> Value {
    json!({
        "type": "error",
        "reason": fault.reason.as_str(),
        "kind": kind(fault.reason),
        "name": fault.tag,
        "message": fault.to_string(),
    })
}

/// Reasons in groups.
const fn kind(reason: Reason) -> &'static str {
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

fn block_event(block: &Block, request: &Request, tools: &[(String, Tool)]) -> Option<Entry> {
    if !request.repairs
        && block.faults.is_empty()
        && let Some(repair) = block.repairs.first()
    {
        return Some(unmended(block, repair).into());
    }
    let is_refused = block.is_partial || (!request.repairs && !block.faults.is_empty());
    let fault = if block.is_partial { block.faults.last() } else { block.faults.first() };
    if let Some(fault) = fault.filter(|_| is_refused) {
        return Some(error(fault).into());
    }
    let (_, tool) = tools.iter().find(|(name, _)| *name == block.name)?;
    Some(match &tool.form {
        Form::Typed(schema) => {
            let (name, arguments) = (json!(block.name), schema.arguments(block));
            Entry::Whole(format!(r#"{{"type":"tool","name":{name},"arguments":{arguments}}}"#))
        }
        Form::Named(params) => call(block, tool, params).into(),
    })
}

/// A call with text values, each where the tool declares it.
fn call(block: &Block, tool: &Tool, params: &[String]) -> Value {
    let mut attrs = Map::new();
    let mut values = Map::new();
    for (name, text) in &block.attributes {
        if tool.attrs.contains(name) {
            attrs.insert(name.clone(), text.as_str().into());
        } else if params.contains(name) && !tool.lists.contains(name) {
            values.insert(name.clone(), text.as_str().into());
        }
    }
    for child in block.children.iter().filter(|child| child.is_declared) {
        let is_attribute = tool.attrs.contains(&child.name) && !params.contains(&child.name);
        let into = if is_attribute { &mut attrs } else { &mut values };
        if tool.lists.contains(&child.name) {
            let list = into.entry(child.name.clone()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                match child_value(child) {
                    Value::Array(whole) => list.extend(whole),
                    one @ (Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::String(_)
                    | Value::Object(_)) => list.push(one),
                }
            }
        } else {
            into.insert(child.name.clone(), child_value(child));
        }
    }
    let body = block.body.as_ref().map(value);
    json!({"type": "tool", "name": block.name, "attrs": attrs, "params": values, "body": body})
}

fn child_value(child: &Child) -> Value {
    let body = value(&child.value);
    if child.attributes.is_empty() {
        return body;
    }
    let attrs: Map<String, Value> =
        child.attributes.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
    json!({"attrs": attrs, "body": body})
}

fn value(written: &Written) -> Value {
    match written {
        Written::Text(text) | Written::String(text) => text.as_str().into(),
        Written::Json(source) => {
            serde_json::from_str(source).unwrap_or_else(|_| source.as_str().into())
        }
    }
}
