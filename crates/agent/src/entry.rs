//! One result as it goes back.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;
use tagline_parser::{Block, Fault, Finish, Reason};
use tagline_protocol::{ArgType, Call, CallId, Media, ToolOutcome, Toolset};

use crate::words;

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Several in one message.
    #[default]
    Many,
    /// One.
    One,
}

/// One result.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    tool: Option<String>,
    status: &'static str,
    text: String,
    pub(crate) notes: Vec<String>,
    pub(crate) media: Vec<Media>,
}

impl Entry {
    fn new(tool: Option<String>, status: &'static str, text: String) -> Self {
        Self { tool, status, text, notes: Vec::new(), media: Vec::new() }
    }

    pub(crate) fn ok(tool: Option<String>, text: String) -> Self {
        Self::new(tool, "ok", text)
    }

    pub(crate) fn with_media(self, media: Vec<Media>) -> Self {
        Self { media, ..self }
    }

    pub(crate) fn error(tool: Option<String>, text: String) -> Self {
        Self::new(tool, "error", text)
    }

    pub(crate) fn not_run(tool: Option<String>, why: String) -> Self {
        Self::new(tool, "not_run", format!("not run because {why}"))
    }

    pub(crate) fn of(tool: Option<String>, outcome: &ToolOutcome) -> Self {
        match outcome {
            Ok(output) => {
                Self::ok(tool, output.echo.as_str().to_string()).with_media(output.media.clone())
            }
            Err(failure) => Self::error(tool, failure.to_string()),
        }
    }
}

pub(crate) fn results(shape: Shape, entries: &[Entry]) -> (String, Vec<Media>) {
    let mut text = String::new();
    for (n, entry) in entries.iter().enumerate() {
        let tool = entry.tool.as_deref().unwrap_or("-");
        let notes: String = entry.notes.iter().map(|note| format!("\n{note}")).collect();
        text += &format!("{shape:?} {n} {tool} {}: {}{notes}\n", entry.status, entry.text);
    }
    (text, entries.iter().flat_map(|entry| entry.media.clone()).collect())
}

/// Why something is no valid call.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// A stable word.
    pub(crate) reason: String,
    /// In words, as the model reads it.
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn needs_thinking() -> Self {
        Self { reason: "no_thinking".to_string(), message: words::NEEDS_THINKING.to_string() }
    }
}

pub(crate) fn fault(fault: &Fault, _tools: &Toolset) -> Refusal {
    let reason = fault.reason.as_str().to_string();
    Refusal { message: format!("{reason}: {} {}", fault.tag, fault.found), reason }
}

pub(crate) fn repair(fault: &Fault) -> String {
    format!("{}: {}", fault.reason.as_str(), fault.found)
}

pub(crate) fn call(
    tools: &Toolset,
    block: &Block,
    id: CallId,
) -> Result<(Call, Vec<String>), Refusal> {
    let Some(spec) = tools.get(&block.name) else {
        return Err(Refusal { reason: "unknown_tool".to_string(), message: block.name.clone() });
    };
    let mut arguments = serde_json::Map::new();
    for (name, value) in &block.attributes {
        arguments.insert(name.clone(), value.clone().into());
    }
    for child in &block.children {
        arguments.insert(child.name.clone(), child.value.text().into());
    }
    if let (Some(arg), Some(body)) = (spec.body(), &block.body) {
        arguments.insert(arg.name.clone(), body.text().into());
    }
    let call = Call {
        id,
        tool: spec.name.clone(),
        arguments: Value::Object(arguments),
        effect: spec.effect,
        is_recovered: block.is_recovered,
        is_from_unclosed_cdata: block.is_from_unclosed_cdata,
    };
    Ok((call, Vec::new()))
}

/// The entry for a block that the end of the reply cut.
pub(crate) fn partial(block: &Block, finish: Option<Finish>) -> Refusal {
    let reason = Reason::UnterminatedTool.as_str().to_string();
    Refusal { message: format!("{reason}: {} {finish:?}", block.name), reason }
}

/// The text by which a call ends the turn: the argument `result`, else the body, else the first
/// text.
pub(crate) fn text_of(tools: &Toolset, call: &Call) -> String {
    let Some(spec) = tools.get(&call.tool) else { return String::new() };
    let args = spec.args.iter();
    let arg = args.clone().find(|arg| arg.name == "result").or_else(|| spec.body());
    let arg = arg.or_else(|| args.clone().find(|arg| arg.ty == ArgType::String));
    let text = arg.and_then(|arg| call.arguments.get(&arg.name)).and_then(Value::as_str);
    text.unwrap_or_default().trim().to_string()
}

/// Whether a reply holds nothing but what was quoted, and the marks of the quote.
pub(crate) fn is_only(quoted: &Fault, raw: &str) -> bool {
    let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
    let before = raw.get(..at(quoted.span.start)).unwrap_or_default();
    let behind = raw.get(at(quoted.span.end)..).unwrap_or_default();
    let is_mark = |line: &str| {
        let rest = line.trim_matches(|c: char| c.is_whitespace() || "`~<>!-".contains(c));
        let is_fence = line.trim_start().starts_with(['`', '~']);
        rest.is_empty() || (is_fence && rest.chars().all(char::is_alphanumeric))
    };
    before.lines().all(is_mark) && behind.lines().all(is_mark)
}
