//! Replies in JSON: for servers that hold a model to a JSON Schema and know no tools.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use serde_json::{Value, json};

use crate::{
    BadArguments, Calls, Decoded, ToolSpec, Toolset, TurnRole, arg_fault::quoted, decode_json,
    literal, native, nearest,
};

/// A reply in JSON, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// What the user reads.
    pub text: String,
    /// The registered names of the tools with their arguments, in order.
    pub calls: Vec<(String, Result<Decoded, BadArguments>)>,
}

/// Why a reply is no such JSON. Read by the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// Something else.
    #[error(
        "reply: expected a JSON object with `calls`, each with `tool` and `arguments`, but found {found}; write it again, whole"
    )]
    NotCalls {
        /// What there is, cut.
        found: String,
    },
    /// A tool that there is not.
    #[error(
        "`tool` in the reply: expected the name of a tool, but found `{found}`; use {}",
        crate::arg_fault::one_of(nearest)
    )]
    NoSuchTool {
        /// As written.
        found: String,
        /// Names near it.
        nearest: Vec<String>,
    },
}

impl Toolset {
    /// The `response_format` of a request whose reply is JSON: calls, and a text beside them unless
    /// it is to be [`Calls::One`]. Strict where the schemas of all tools are closed.
    #[must_use]
    pub fn response_format(&self, calls: Calls) -> Value {
        let specs: Vec<&ToolSpec> =
            self.specs().iter().filter(|it| it.role != TurnRole::Thinks).collect();
        let is_strict = specs.iter().all(|it| native::is_closed(&it.args));
        let choices: Vec<Value> = specs.iter().map(|it| choice(it, is_strict)).collect();
        let items = json!({ "anyOf": choices });
        let schema = match calls {
            Calls::One => json!({
                "type": "object",
                "properties": {
                    "calls": { "type": "array", "items": items, "minItems": 1, "maxItems": 1 },
                },
                "required": ["calls"],
                "additionalProperties": false,
            }),
            Calls::Several => json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string", "description": "What the user reads; may be empty." },
                    "calls": { "type": "array", "items": items },
                },
                "required": ["text", "calls"],
                "additionalProperties": false,
            }),
        };
        json!({
            "type": "json_schema",
            "json_schema": { "name": "calls", "strict": is_strict, "schema": schema },
        })
    }

    /// Reads a reply of that form.
    ///
    /// # Errors
    ///
    /// [`ResponseError`] where it has another form, or calls a tool that is none of these.
    pub fn of_response(&self, reply: &str) -> Result<Response, ResponseError> {
        let not_calls = || ResponseError::NotCalls { found: quoted(reply) };
        let members = literal::members(reply).ok_or_else(not_calls)?;
        let member = |name: &str| members.iter().find(|(it, _)| it == name).map(|(_, it)| *it);
        let calls = member("calls").and_then(literal::items).ok_or_else(not_calls)?;
        let text = member("text").and_then(literal::unquoted).unwrap_or_default();
        let calls = calls.into_iter().map(|it| self.call(it, &not_calls));
        Ok(Response { text, calls: calls.collect::<Result<_, _>>()? })
    }

    fn call(
        &self,
        source: &str,
        not_calls: &dyn Fn() -> ResponseError,
    ) -> Result<(String, Result<Decoded, BadArguments>), ResponseError> {
        let members = literal::members(source).ok_or_else(not_calls)?;
        let member = |name: &str| members.iter().find(|(it, _)| it == name).map(|(_, it)| *it);
        let name = member("tool").and_then(literal::unquoted).ok_or_else(not_calls)?;
        let Some(spec) = self.get(&name) else {
            let nearest = nearest(&name, self.names());
            return Err(ResponseError::NoSuchTool { found: name, nearest });
        };
        Ok((spec.name.clone(), decode_json(spec, member("arguments").unwrap_or_default())))
    }
}

fn choice(spec: &ToolSpec, is_strict: bool) -> Value {
    json!({
        "type": "object",
        "description": spec.description.lines().next().unwrap_or_default().to_owned(),
        "properties": {
            "tool": { "type": "string", "enum": [spec.name] },
            "arguments": native::parameters(spec, is_strict),
        },
        "required": ["tool", "arguments"],
        "additionalProperties": false,
    })
}
