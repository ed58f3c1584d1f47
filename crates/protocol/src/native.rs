//! Tools as the APIs of providers take them, and calls as they give them back.
//!
//! Each API takes a subset of JSON Schema, and another one where it promises to keep to it. What a
//! subset has no keyword for is told in the description, and checked when the call comes back; what
//! would make an API refuse the tool is a [`NativeError`].
//!
//! Where the facts come from: `OpenAI`'s guides "Function calling" and "Structured outputs"
//! (supported schemas); Anthropic's pages "Tool use", "Strict tool use" and "Structured outputs"
//! (JSON Schema limitations); the `Schema` and `FunctionDeclaration` objects of the Gemini API's
//! reference.

mod error;
mod schema;

use alloc::{format, string::String, vec::Vec};

use serde_json::{Map, Value, json};

use crate::{
    ArgSpec, ArgType, BadArguments, Decoded, ToolSpec, Toolset, TurnRole, decode_json, literal,
};
pub use error::NativeError;
use schema::Subset;

/// An API with tools of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `POST /v1/chat/completions` of `OpenAI`, and the many servers that speak it.
    OpenAiChat,
    /// `POST /v1/responses` of `OpenAI`.
    OpenAiResponses,
    /// `POST /v1/messages` of Anthropic.
    Anthropic,
    /// `generateContent` of Gemini.
    Gemini,
}

/// Whether an API is asked to hold the model to a tool's schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adherence {
    /// Where it can: a tool that takes any JSON has no closed schema, and Anthropic bounds how many
    /// tools of a request may be strict.
    #[default]
    Strict,
    /// For none.
    Loose,
}

/// Most tools of a request that Anthropic holds the model to.
const STRICT_TOOLS_MAX: usize = 20;
/// Most optional arguments of all of them together.
const STRICT_OPTIONAL_MAX: usize = 24;

impl Toolset {
    /// What a request to that API has as `tools`: an array. Tools that reason are left out, because
    /// models that call functions reason by themselves.
    ///
    /// # Errors
    ///
    /// [`NativeError`] for the first tool that the API would refuse.
    pub fn native(&self, api: Api, adherence: Adherence) -> Result<Value, NativeError> {
        let mut budget = (STRICT_TOOLS_MAX, STRICT_OPTIONAL_MAX);
        let specs = self.specs().iter().filter(|it| it.role != TurnRole::Thinks);
        let one = |spec: &ToolSpec| {
            let fits = api != Api::Anthropic || pays(&mut budget, spec);
            spec.native(api, if fits { adherence } else { Adherence::Loose })
        };
        let tools: Vec<Value> = specs.map(one).collect::<Result<_, _>>()?;
        Ok(match api {
            Api::Gemini => json!([{ "functionDeclarations": tools }]),
            Api::OpenAiChat | Api::OpenAiResponses | Api::Anthropic => Value::Array(tools),
        })
    }
}

/// Takes a strict tool off what is left for a request, if there is as much.
fn pays(budget: &mut (usize, usize), spec: &ToolSpec) -> bool {
    if !is_closed(&spec.args) {
        return true;
    }
    let left = budget.0.checked_sub(1).zip(budget.1.checked_sub(n_optional(&spec.args)));
    left.inspect(|left| *budget = *left).is_some()
}

fn n_optional(fields: &[ArgSpec]) -> usize {
    fields.iter().map(|it| usize::from(!it.is_required) + n_optional(it.ty.fields())).sum()
}

/// The schema of the arguments, as `OpenAI` holds a model to it or whole.
pub(crate) fn parameters(spec: &ToolSpec, is_strict: bool) -> Value {
    let subset = if is_strict { Subset::OpenAi } else { Subset::Whole };
    schema::object(&spec.args, &spec.schema, subset)
}

/// Whether the schema says all that a value may hold.
pub(crate) fn is_closed(fields: &[ArgSpec]) -> bool {
    fn is_type_closed(ty: &ArgType) -> bool {
        match ty {
            ArgType::Json => false,
            ArgType::List(item) => is_type_closed(item),
            ArgType::Object(fields) => is_closed(fields),
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_) => true,
        }
    }
    fields.iter().all(|it| is_type_closed(&it.ty))
}

impl ToolSpec {
    /// The tool's definition for that API.
    ///
    /// # Errors
    ///
    /// [`NativeError`] where the API would refuse it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tagline_protocol::{Adherence, Api, Effect, SpecHeader, ToolSpec};
    /// /// Reads a file.
    /// #[derive(schemars::JsonSchema)]
    /// struct ReadFile {
    ///     path: String,
    ///     from: Option<u32>,
    /// }
    ///
    /// let spec = ToolSpec::of::<ReadFile>(SpecHeader::new("read_file", Effect::Read))?;
    /// let tool = spec.native(Api::OpenAiChat, Adherence::Strict).unwrap();
    /// let parameters = &tool["function"]["parameters"];
    /// assert_eq!(parameters["required"].to_string(), r#"["path","from"]"#);
    /// assert_eq!(parameters["properties"]["from"]["type"].to_string(), r#"["integer","null"]"#);
    /// # Ok::<(), tagline_protocol::SpecError>(())
    /// ```
    pub fn native(&self, api: Api, adherence: Adherence) -> Result<Value, NativeError> {
        error::check(self, api)?;
        let is_strict = adherence == Adherence::Strict && is_closed(&self.args);
        let schema = |subset| schema::object(&self.args, &self.schema, subset);
        let (name, description) = (&self.name, &self.description);
        Ok(match api {
            Api::OpenAiChat | Api::OpenAiResponses => {
                let mut function = json!({
                    "name": name, "description": description,
                    "parameters": parameters(self, is_strict), "strict": is_strict,
                });
                if api == Api::OpenAiChat {
                    json!({ "type": "function", "function": function })
                } else {
                    let mut flat = Map::from_iter([("type".into(), json!("function"))]);
                    flat.append(function.as_object_mut().unwrap_or(&mut Map::new()));
                    Value::Object(flat)
                }
            }
            Api::Anthropic if is_strict => json!({
                "name": name, "description": description,
                "input_schema": schema(Subset::Anthropic), "strict": true,
            }),
            Api::Anthropic => json!({
                "name": name, "description": description, "input_schema": schema(Subset::Whole),
            }),
            // A function without parameters has no schema of them.
            Api::Gemini if self.args.is_empty() => {
                json!({ "name": name, "description": description })
            }
            Api::Gemini => json!({
                "name": name, "description": description, "parameters": schema(Subset::Gemini),
            }),
        })
    }

    /// The JSON Schema (draft 2020-12) of the arguments as one document, closed to other names.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let mut document = Map::from_iter([
            ("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema")),
            ("title".into(), json!(self.name)),
            ("description".into(), json!(self.description)),
        ]);
        if let Value::Object(mut schema) = schema::object(&self.args, &self.schema, Subset::Whole) {
            document.append(&mut schema);
        }
        Value::Object(document)
    }

    /// The arguments of a call, as [`decode_json`] gives them, as that API has them: where it takes
    /// no schema of any JSON, such a value is a text that holds it.
    #[must_use]
    pub fn to_native(&self, api: Api, arguments: &Value) -> Value {
        match api {
            Api::Gemini => with_json(&self.args, arguments, &|json| format!("{json}").into()),
            Api::OpenAiChat | Api::OpenAiResponses | Api::Anthropic => arguments.clone(),
        }
    }

    /// The typed call of a native one: what [`decode_json`] gives, for the way in which that API
    /// has arguments.
    ///
    /// # Errors
    ///
    /// [`BadArguments`] as [`decode_json`].
    pub fn of_native(&self, api: Api, arguments: &str) -> Result<Decoded, BadArguments> {
        let mut decoded = decode_json(self, arguments)?;
        if api == Api::Gemini {
            let read = |json: &Value| {
                let text = json.as_str().and_then(literal::read).and_then(|it| it.to_value());
                text.unwrap_or_else(|| json.clone())
            };
            decoded.arguments = with_json(&self.args, &decoded.arguments, &read);
        }
        Ok(decoded)
    }
}

/// The values of these fields, with `change` made to each that is any JSON.
fn with_json(fields: &[ArgSpec], value: &Value, change: &dyn Fn(&Value) -> Value) -> Value {
    let Value::Object(values) = value else { return value.clone() };
    let changed = |(name, value): (&String, &Value)| {
        let field = fields.iter().find(|it| it.name == *name);
        (name.clone(), field.map_or_else(|| value.clone(), |it| typed(&it.ty, value, change)))
    };
    Value::Object(values.iter().map(changed).collect())
}

fn typed(ty: &ArgType, value: &Value, change: &dyn Fn(&Value) -> Value) -> Value {
    match (ty, value) {
        (ArgType::Json, json) => change(json),
        (ArgType::List(item), Value::Array(items)) => {
            items.iter().map(|it| typed(item, it, change)).collect()
        }
        (ArgType::Object(fields), value) => with_json(fields, value, change),
        (
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::List(_),
            value,
        ) => value.clone(),
    }
}

/// The name of an API, for messages.
impl core::fmt::Display for Api {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::OpenAiChat | Self::OpenAiResponses => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
        })
    }
}

/// Appends a sentence to a text.
fn with_sentence(text: &str, sentence: &str) -> String {
    if text.is_empty() { sentence.into() } else { format!("{text} {sentence}") }
}
