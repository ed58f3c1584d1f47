//! One line of `--batch`: a reply with its tools.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tagline_parser::{ChildSpec, Finish, TagSet, TagSpec, ValueKind};

/// The body's name among the raw values.
const BODY: &str = "body";

/// A reply, and how to read it.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) tools: serde_json::Map<String, Value>,
    pub(crate) input: String,
    #[serde(default)]
    finish: FinishName,
    #[serde(default)]
    pub(crate) start: Start,
    #[serde(default)]
    pub(crate) schemas: BTreeMap<String, Value>,
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
    /// Outside of reasoning, as far as is known.
    #[default]
    Auto,
    /// Inside of reasoning that the prompt opened.
    Thinking,
}

/// A tool, as a request describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Tool {
    pub(crate) attrs: Vec<String>,
    pub(crate) params: Params,
    pub(crate) body: bool,
    raw: Vec<String>,
    pub(crate) lists: Vec<String>,
    lenient_eof: bool,
}

/// Declared children: names, or names with types.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Params {
    Names(Vec<String>),
    Types(BTreeMap<String, String>),
}

impl Default for Params {
    fn default() -> Self {
        Self::Names(Vec::new())
    }
}

impl Request {
    /// Reads a line.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// The tools, in the order of the request.
    pub(crate) fn tools(&self) -> Result<Vec<(String, Tool)>, serde_json::Error> {
        let tool = |(name, tool): (&String, &Value)| {
            Ok((name.clone(), serde_json::from_value(tool.clone())?))
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

impl Tool {
    fn spec(&self, name: &str) -> TagSpec {
        let kind = |name: &str| self.kind(name);
        let child = |name: &String| ChildSpec {
            name: name.clone(),
            kind: kind(name),
            is_list: self.lists.contains(name),
            attributes: Vec::new(),
        };
        let names: Vec<&String> = match &self.params {
            Params::Names(names) => names.iter().collect(),
            Params::Types(types) => types.keys().collect(),
        };
        TagSpec {
            name: name.to_owned(),
            aliases: Vec::new(),
            attributes: self.attrs.clone(),
            children: names.into_iter().map(child).collect(),
            body: self.body.then(|| kind(BODY)),
            is_lenient_eof: self.lenient_eof,
        }
    }

    /// A typed string keeps its text exactly; elsewhere the list of raw values decides.
    fn kind(&self, name: &str) -> ValueKind {
        let is_string = match &self.params {
            Params::Names(_) => false,
            Params::Types(types) => types.get(name).is_some_and(|it| it == "string"),
        };
        if is_string || self.raw.iter().any(|it| it == name) {
            ValueKind::Raw
        } else {
            ValueKind::Scalar
        }
    }
}
