//! From a block to a call, and what a call says.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;
use tagline_parser::Block;
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

/// Whether a text is one quote from its first to its last character: inline code, a code fence or
/// a comment.
pub(crate) fn is_quote(text: &str) -> bool {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("<!--") {
        return inner.find("-->") == Some(inner.len().saturating_sub(3));
    }
    let Some(mark) = text.chars().next().filter(|first| "`~".contains(*first)) else {
        return false;
    };
    let rest = text.trim_start_matches(mark);
    let fence = text.strip_suffix(rest).unwrap_or_default();
    let inner = rest.strip_suffix(fence);
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(fence))
}

#[cfg(test)]
mod tests {
    use super::is_quote;

    #[test]
    fn a_quote_is_told_from_text_that_holds_one() {
        let quotes =
            ["`<a/>`", "```xml\n<a/>\n```\n", "~~~\n<a/>\n~~~", "``a ` b``", "<!-- <a/> -->"];
        for text in quotes {
            assert!(is_quote(text), "{text}");
        }
        for text in ["", "`", "``", "text", "`a` and `b`", "`a` b", "see `a`", "<!-- a --> b -->"] {
            assert!(!is_quote(text), "{text}");
        }
    }
}
