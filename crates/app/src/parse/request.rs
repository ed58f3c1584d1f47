//! One line of `--batch`: a reply with its tools.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tagline_parser::{ChildSpec, Finish, TagSet, TagSpec, ValueKind};
use tagline_protocol::{ArgSchema, Effect};

/// The body's name among the raw values.
const BODY: &str = "body";

/// A reply, and how to read it.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) id: String,
    #[serde(default)]
    tools: Map<String, Value>,
    pub(crate) input: String,
    #[serde(default)]
    finish: FinishName,
    #[serde(default)]
    pub(crate) start: Start,
    #[serde(default)]
    schemas: BTreeMap<String, Value>,
    #[serde(default = "yes")]
    pub(crate) repairs: bool,
    #[serde(default)]
    chunks: Vec<usize>,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FinishName {
    #[default]
    Stop,
    Length,
    Cut,
}

/// Where a reply begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Start {
    /// Outside of reasoning.
    #[default]
    Text,
    /// Perhaps inside of reasoning that the prompt opened.
    Auto,
    /// Inside of reasoning that the prompt opened.
    Thinking,
}

/// A tool, as a request describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Described {
    attrs: Vec<String>,
    params: Params,
    body: bool,
    raw: Vec<String>,
    lists: Vec<String>,
    lenient_eof: bool,
    effect: Option<Effect>,
}

/// Declared children: names, or names with types.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Params {
    Names(Vec<String>),
    Types(Map<String, Value>),
}

impl Default for Params {
    fn default() -> Self {
        Self::Names(Vec::new())
    }
}

/// A tool, ready to read calls of it.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) attrs: Vec<String>,
    pub(crate) form: Form,
    pub(crate) lists: Vec<String>,
    body: bool,
    raw: Vec<String>,
    lenient_eof: bool,
    effect: Option<Effect>,
}

/// How the arguments of its calls come out.
#[derive(Debug)]
pub(crate) enum Form {
    /// As text, under these names.
    Named(Vec<String>),
    /// Typed.
    Typed(ArgSchema),
}

impl Request {
    /// Reads a line.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// The tools, in the order of the request.
    pub(crate) fn tools(&self) -> Result<Vec<(String, Tool)>, serde_json::Error> {
        let tool = |(name, tool): (&String, &Value)| {
            let described: Described = serde_json::from_value(tool.clone())?;
            Ok((name.clone(), described.ready(self.schemas.get(name))))
        };
        self.tools.iter().map(tool).collect()
    }

    pub(crate) const fn finish(&self) -> Finish {
        match self.finish {
            FinishName::Stop => Finish::Stop,
            FinishName::Length => Finish::Length,
            FinishName::Cut => Finish::Cut,
        }
    }

    /// The input, cut as asked. What the sizes do not reach is one chunk more.
    pub(crate) fn chunks(&self) -> Vec<&str> {
        let mut chunks = Vec::new();
        let mut rest = self.input.as_str();
        for &n_chars in &self.chunks {
            let cut = rest.char_indices().nth(n_chars).map_or(rest.len(), |(at, _)| at);
            let (chunk, behind) = rest.split_at(cut);
            chunks.push(chunk);
            rest = behind;
        }
        if !rest.is_empty() {
            chunks.push(rest);
        }
        chunks
    }
}

/// What the parser reacts to.
pub(crate) fn tag_set(tools: &[(String, Tool)]) -> TagSet {
    TagSet::new(tools.iter().map(|(name, tool)| tool.spec(name)))
}

impl Described {
    fn ready(self, schema: Option<&Value>) -> Tool {
        let Self { attrs, params, body, raw, lists, lenient_eof, effect } = self;
        let form = match params {
            Params::Names(names) => Form::Named(names),
            Params::Types(types) => Form::Typed(typed_by(&types, schema)),
        };
        Tool { attrs, form, lists, body, raw, lenient_eof, effect }
    }
}

/// The schema, and for what it does not name, the type that stands for a whole schema.
fn typed_by(types: &Map<String, Value>, schema: Option<&Value>) -> ArgSchema {
    let mut schema = schema.cloned().unwrap_or_else(|| json!({}));
    let named = ArgSchema::new(schema.clone());
    let missing = types.iter().filter(|(name, _)| !named.names().contains(&name.as_str()));
    if let Some(fields) = schema.as_object_mut()
        && let Some(properties) =
            fields.entry("properties").or_insert_with(|| json!({})).as_object_mut()
    {
        properties.extend(missing.map(|(name, ty)| (name.clone(), json!({"type": ty}))));
    }
    ArgSchema::new(schema)
}

impl Tool {
    fn spec(&self, name: &str) -> TagSpec {
        let (children, body) = match &self.form {
            Form::Named(names) => {
                let child = |name: &String| ChildSpec {
                    name: name.clone(),
                    kind: self.kind(name),
                    is_list: self.lists.contains(name),
                    attributes: Vec::new(),
                };
                (names.iter().map(child).collect(), self.body.then(|| self.kind(BODY)))
            }
            Form::Typed(schema) => {
                let has_body = self.body || schema.only_text().is_some();
                (schema.child_specs(), has_body.then_some(ValueKind::Raw))
            }
        };
        TagSpec {
            name: name.to_owned(),
            aliases: Vec::new(),
            attributes: self.attrs.clone(),
            children,
            body,
            is_lenient_eof: self.lenient_eof,
            needs_mark: self.effect.is_some_and(Effect::is_execution),
        }
    }

    fn kind(&self, name: &str) -> ValueKind {
        if self.raw.iter().any(|it| it == name) { ValueKind::Raw } else { ValueKind::Scalar }
    }
}
