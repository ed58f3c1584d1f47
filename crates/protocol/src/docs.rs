//! The tool docs of the system prompt.
//!
//! # Invariants
//!
//! 1. The text follows from the specs alone: the same specs give the same bytes.
//! 2. Every argument is named, and so is where it is written, unless that is the start tag.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use crate::{ArgSpec, ArgType, Place, ToolSpec, Toolset};

/// How much the docs say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The first sentence, the arguments on one line, one example: about 50 tokens for each tool.
    /// For small models.
    Compact,
    /// What it does, a line for each argument, and every example.
    #[default]
    Full,
}

impl Toolset {
    /// The docs of every tool, in order, an empty line between them.
    #[must_use]
    pub fn docs(&self, detail: Detail) -> String {
        let docs: Vec<String> = self.specs().iter().map(|spec| spec.docs(detail)).collect();
        docs.join("\n")
    }
}

impl ToolSpec {
    /// The docs of the tool: a heading, what it does, its arguments, examples; ends with a line
    /// break.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tagline_protocol::{Detail, Effect, SpecHeader, ToolSpec};
    /// /// Reads a file.
    /// #[derive(schemars::JsonSchema)]
    /// struct ReadFile {
    ///     /// Where it is.
    ///     path: String,
    ///     /// First line, from 1.
    ///     from: Option<u32>,
    /// }
    ///
    /// let header = SpecHeader {
    ///     examples: &[r#"<read_file path="a.txt"/>"#],
    ///     ..SpecHeader::new("read_file", Effect::Read)
    /// };
    /// assert_eq!(
    ///     ToolSpec::of::<ReadFile>(header)?.docs(Detail::Compact),
    ///     "## read_file\nReads a file.\npath, from?\n<read_file path=\"a.txt\"/>\n"
    /// );
    /// # Ok::<(), tagline_protocol::SpecError>(())
    /// ```
    #[must_use]
    pub fn docs(&self, detail: Detail) -> String {
        let about = self.description.as_str();
        let (about, args, examples) = match detail {
            Detail::Compact => (first_sentence(about), compact_args(&self.args), self.example()),
            Detail::Full => (about, full_args(&self.args), self.all_examples()),
        };
        let lines = [format!("## {}", self.name), about.to_string(), args, examples];
        lines.iter().filter(|it| !it.is_empty()).map(|it| format!("{it}\n")).collect()
    }

    fn all_examples(&self) -> String {
        if self.examples.is_empty() { self.skeleton() } else { self.examples.join("\n") }
    }
}

/// Up to the first full stop that ends a sentence, or the first line.
fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").map(|it| it + 1).into_iter().chain(text.find('\n')).min();
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

fn compact_args(args: &[ArgSpec]) -> String {
    args.iter().map(compact_arg).collect::<Vec<_>>().join(", ")
}

fn compact_arg(arg: &ArgSpec) -> String {
    let optional = if arg.is_required { "" } else { "?" };
    let fields = compact_args(arg.ty.fields());
    let place = place(arg);
    let notes = [place, choices(&arg.ty).join("|"), fields];
    let notes: Vec<String> = notes.into_iter().filter(|it| !it.is_empty()).collect();
    match notes.join(": ").as_str() {
        "" => format!("{}{optional}", arg.name),
        notes => format!("{}{optional} ({notes})", arg.name),
    }
}

fn full_args(args: &[ArgSpec]) -> String {
    args.iter().map(|arg| full_arg(arg, "")).collect::<Vec<_>>().join("\n")
}

fn full_arg(arg: &ArgSpec, indent: &str) -> String {
    let place = match place(arg) {
        place if place.is_empty() => String::new(),
        place => format!(" ({place})"),
    };
    let need = match (&arg.default, arg.is_required) {
        (_, true) => ", required".to_string(),
        (Some(default), false) => format!(", default `{}`", plain(default)),
        (None, false) => ", optional".to_string(),
    };
    let words = format!("{}{}{need}", type_words(&arg.ty), range(&arg.schema));
    let about = if arg.description.is_empty() { "" } else { " " };
    let about = format!("{about}{}", arg.description.replace('\n', " "));
    let deeper = format!("{indent}  ");
    let fields = arg.ty.fields().iter().map(|it| format!("\n{}", full_arg(it, &deeper)));
    format!("{indent}- {}{place}: {words}.{about}{}", arg.name, fields.collect::<String>())
}

/// Where it is written, unless that is the start tag.
fn place(arg: &ArgSpec) -> String {
    let place = match arg.place {
        Place::Attribute => "",
        Place::Child if matches!(arg.ty, ArgType::List(_)) => "children",
        Place::Child => "child",
        Place::Body if arg.is_also_child => "body or child",
        Place::Body => "body",
    };
    place.to_string()
}

fn choices(ty: &ArgType) -> Vec<String> {
    match ty {
        ArgType::Enum(words) => words.clone(),
        ArgType::List(item) => choices(item),
        ArgType::String
        | ArgType::Integer
        | ArgType::Number
        | ArgType::Boolean
        | ArgType::Object(_)
        | ArgType::Json => Vec::new(),
    }
}

fn type_words(ty: &ArgType) -> String {
    match ty {
        ArgType::String => "text".into(),
        ArgType::Integer => "whole number".into(),
        ArgType::Number => "number".into(),
        ArgType::Boolean => "true or false".into(),
        ArgType::Enum(words) => words.join("|"),
        ArgType::List(item) if item.fields().is_empty() => {
            format!("several, each {}", type_words(item))
        }
        ArgType::List(_) => "several elements".into(),
        ArgType::Object(_) => "an element".into(),
        ArgType::Json => "JSON".into(),
    }
}

/// The bounds of a number that a writer of the tool set; those of the machine's types say nothing.
fn range(schema: &Value) -> String {
    let bound = |key| schema.get(key).filter(|it| it.as_f64().is_some_and(|it| it < 2e9));
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => format!(" {least} to {most}"),
        (None, Some(most)) => format!(" up to {most}"),
        (Some(least), None) if least.as_f64() != Some(0.0) => format!(" from {least}"),
        (Some(_) | None, None) => String::new(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value}"), ToString::to_string)
}
