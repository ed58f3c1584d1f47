//! From a block to a call, and what a call says.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;
use tagline_parser::{Block, Fault};
use tagline_protocol::{
    ArgType, Call, CallId, Toolset, decode,
    feedback::{self, Feedback},
};

/// The call of a block, with notes for its result.
///
/// # Errors
///
/// What the model is told if the block is no valid call.
pub(crate) fn decoded(
    tools: &Toolset,
    block: &Block,
    id: CallId,
) -> Result<(Call, Vec<String>), Feedback> {
    let Some(spec) = tools.get(&block.name) else {
        return Err(feedback::unknown_tool(&block.name, tools));
    };
    let decoded = decode(spec, block).map_err(|bad| feedback::bad_arguments(&bad))?;
    let call = Call {
        id,
        tool: spec.name.clone(),
        arguments: decoded.arguments,
        effect: spec.effect,
        is_recovered: block.is_recovered,
        is_from_unclosed_cdata: block.is_from_unclosed_cdata,
    };
    let mut notes: Vec<String> = decoded.warnings.iter().map(ToString::to_string).collect();
    notes.extend(block.faults.iter().map(feedback::repaired));
    Ok((call, notes))
}

/// The text by which a call ends the turn: the argument `result`, else the body, else the first
/// text.
pub(crate) fn text_of(tools: &Toolset, call: &Call) -> String {
    let Some(spec) = tools.get(&call.tool) else { return String::new() };
    let mut args = spec.args.iter();
    let arg = spec.arg("result").or_else(|| spec.body());
    let arg = arg.or_else(|| args.find(|arg| arg.ty == ArgType::String));
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
