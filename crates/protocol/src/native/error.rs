//! What would make an API refuse a tool.

use alloc::{borrow::ToOwned as _, format, string::String};

use super::Api;
use crate::{ArgSpec, ArgType, ToolSpec};

/// Longest name of an argument, in bytes, where an API bounds it.
const NAME_MAX: usize = 64;

/// Why an API would refuse a tool. Read by whoever writes the tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NativeError {
    /// The name of an argument has characters that the API does not take, or too many.
    #[error(
        "`{arg}` of `{tool}`: {api} expects {expected}, at most 64 bytes, in the name of an argument; rename it, or leave the tool out"
    )]
    Name {
        /// The tool.
        tool: String,
        /// The argument, such as `step.status`.
        arg: String,
        /// The API.
        api: Api,
        /// The characters it takes.
        expected: &'static str,
    },
    /// An object without fields, where the API wants some.
    #[error(
        "`{arg}` of `{tool}`: {api} expects an object with fields, but found none; give it one, or make it any JSON"
    )]
    EmptyObject {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// The API.
        api: Api,
    },
}

/// The first argument that the API would refuse.
pub(super) fn check(spec: &ToolSpec, api: Api) -> Result<(), NativeError> {
    fields(&spec.name, "", &spec.args, api)
}

fn fields(tool: &str, path: &str, args: &[ArgSpec], api: Api) -> Result<(), NativeError> {
    for arg in args {
        let name = format!("{path}{}", arg.name);
        if let Some(expected) = missed(&arg.name, api) {
            return Err(NativeError::Name { tool: tool.to_owned(), arg: name, api, expected });
        }
        let item = if let ArgType::List(item) = &arg.ty { item } else { &arg.ty };
        match item {
            ArgType::Object(inner) if inner.is_empty() && api == Api::Gemini => {
                return Err(NativeError::EmptyObject { tool: tool.to_owned(), arg: name, api });
            }
            ArgType::Object(inner) => fields(tool, &format!("{name}."), inner, api)?,
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::List(_)
            | ArgType::Json => (),
        }
    }
    Ok(())
}

/// The characters that the API takes, if the name has others or is too long.
fn missed(name: &str, api: Api) -> Option<&'static str> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let fits_length = name.len() <= NAME_MAX;
    match api {
        Api::OpenAiChat | Api::OpenAiResponses => None,
        Api::Anthropic => {
            let fits = name.bytes().all(|it| is_word(it) || matches!(it, b'.' | b'-'));
            (!fits || !fits_length).then_some("letters, digits, `_`, `.` and `-`")
        }
        Api::Gemini => {
            let fits = name.bytes().all(is_word);
            let starts = !name.starts_with(|it: char| it.is_ascii_digit());
            (!fits || !starts || !fits_length)
                .then_some("a letter or `_`, then letters, digits and `_`")
        }
    }
}
