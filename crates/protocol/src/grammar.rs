//! The grammar of a toolset, for servers that can hold a model to one.
//!
//! Written in GBNF, the notation of llama.cpp. What the grammar derives is a reply that the parser
//! reads without a fault and whose calls have valid arguments, so even a model too small to follow
//! instructions can only write well-formed calls. The grammar derives less than the protocol
//! allows: one way to write each call is enough.
//!
//! # Invariants
//!
//! 1. Every reply that the grammar derives parses without a fault, and every call in it decodes.
//! 2. The text follows from the specs and the options alone.

mod numbers;
mod shared;
mod terms;

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use serde_json::Value;

use crate::{ArgSpec, ArgType, Place, ToolSpec, Toolset, TurnRole};
use shared::{Length, Shared};
use terms::Term;

/// How many calls a reply holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Exactly one call, and nothing else.
    One,
    /// One or more, with lines of text before and between them; or text alone, which ends a turn,
    /// where no tool does.
    Several,
}

/// Which arguments the grammar offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// All of them, in declared order; optional ones may be left out.
    All,
    /// Those without which a call is refused.
    Required,
}

/// What the grammar allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarOptions {
    /// How many calls a reply holds.
    pub calls: Calls,
    /// Which arguments are offered.
    pub offered: Offered,
    /// Longest text, in characters, of a body, a child or a line outside of calls; in a call, such
    /// text holds no `<` and no `]`. `None`: any text, except that a verbatim one holds no `]]>`.
    pub max_text: Option<u32>,
    /// Longest attribute that holds text, in characters. Such an attribute looks like a path:
    /// letters, digits and `_./-`. `None`: any text without quotes and markup.
    pub max_attribute: Option<u32>,
    /// Longest `<thinking>` before the first call, in characters; `None`: no thinking.
    pub max_thinking: Option<u32>,
}

impl GrammarOptions {
    /// For models of a few hundred million parameters: one call, required arguments, short values.
    #[must_use]
    pub const fn small() -> Self {
        Self {
            calls: Calls::One,
            offered: Offered::Required,
            max_text: Some(120),
            max_attribute: Some(40),
            max_thinking: None,
        }
    }

    /// For models that only need to be held to the form.
    #[must_use]
    pub const fn general() -> Self {
        Self {
            calls: Calls::Several,
            offered: Offered::All,
            max_text: None,
            max_attribute: None,
            max_thinking: None,
        }
    }
}

impl Toolset {
    /// The grammar of replies that call these tools; its root is `root`. Tools that reason are not
    /// among the calls of [`Calls::One`], because a reply with nothing else does nothing. Without
    /// any tool, the grammar derives text.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tagline_protocol::{Effect, GrammarOptions, SpecHeader, ToolSpec, Toolset};
    /// /// Reads a file.
    /// #[derive(schemars::JsonSchema)]
    /// struct ReadFile {
    ///     path: String,
    /// }
    ///
    /// let spec = ToolSpec::of::<ReadFile>(SpecHeader::new("read_file", Effect::Read))?;
    /// let grammar = Toolset::new([spec]).grammar(&GrammarOptions::small());
    /// assert_eq!(
    ///     grammar.lines().nth(2),
    ///     Some(r#"call-read-file ::= "<read_file path=\"" attribute "\"/>""#)
    /// );
    /// # Ok::<(), tagline_protocol::SpecError>(())
    /// ```
    #[must_use]
    pub fn grammar(&self, options: &GrammarOptions) -> String {
        let writer = Writer { options, may_answer: !self.completes() };
        let specs = self.specs().iter().filter(|it| writer.is_offered(it));
        let calls: Vec<(String, Vec<Term>)> =
            specs.map(|it| (rule_name(it), writer.element(&it.name, &it.args))).collect();
        let names: Vec<&str> = calls.iter().map(|(name, _)| name.as_str()).collect();
        let mut shared = Vec::new();
        let mut rules = if names.is_empty() {
            shared.push(Shared::Line);
            Vec::from([("root", "line".to_string())])
        } else {
            Vec::from([("root", writer.root(&mut shared)), ("call", names.join(" | "))])
        };
        for (name, terms) in &calls {
            terms::note_shared(terms, &mut shared);
            rules.push((name, terms::render(terms)));
        }
        rules.extend(shared_rules(shared, options));
        rules.iter().map(|(name, body)| format!("{name} ::= {body}\n")).collect()
    }
}

impl Toolset {
    fn completes(&self) -> bool {
        self.specs().iter().any(|spec| spec.role == TurnRole::Completes)
    }
}

/// The shared rules with those that they need themselves.
fn shared_rules(mut shared: Vec<Shared>, options: &GrammarOptions) -> Vec<(&'static str, String)> {
    let needed: Vec<Shared> = shared.iter().filter_map(|it| it.needs()).collect();
    for rule in needed {
        if !shared.contains(&rule) {
            shared.push(rule);
        }
    }
    shared.iter().flat_map(|it| it.rules(options)).collect()
}

/// Names of rules hold no underscores; names of tools hold no hyphens.
fn rule_name(spec: &ToolSpec) -> String {
    format!("call-{}", spec.name.replace('_', "-"))
}

struct Writer<'a> {
    options: &'a GrammarOptions,
    /// Whether a reply may be text alone.
    may_answer: bool,
}

impl Writer<'_> {
    fn is_offered(&self, spec: &ToolSpec) -> bool {
        match self.options.calls {
            Calls::Several => true,
            Calls::One => spec.role != TurnRole::Thinks,
        }
    }

    fn root(&self, shared: &mut Vec<Shared>) -> String {
        let thinking = self.options.max_thinking.map_or_else(String::new, |n| {
            format!("(\"<thinking>\" [^<`]{{1,{n}}} \"</thinking>\\n\")? ")
        });
        match self.options.calls {
            Calls::One => format!("{thinking}call"),
            Calls::Several => {
                shared.push(Shared::Line);
                // A call begins a line, so that it is one without any doubt.
                let calls = "call (\"\\n\" (line \"\\n\")* call)*";
                let rest = if self.may_answer { format!("({calls} | line)") } else { calls.into() };
                format!("{thinking}(line \"\\n\")* {rest}")
            }
        }
    }

    /// An element with its attributes, children and body.
    fn element(&self, name: &str, fields: &[ArgSpec]) -> Vec<Term> {
        let is_offered = |it: &&ArgSpec| it.is_required || self.options.offered == Offered::All;
        let at = |place| fields.iter().filter(is_offered).filter(move |it| it.place == place);
        let attributes = at(Place::Attribute).flat_map(|it| self.attribute(it));
        let children = at(Place::Child).flat_map(|it| self.child(it));
        let inner: Vec<Term> = children
            .chain(at(Place::Body).flat_map(|it| optional(it, self.text(it, &it.ty, &it.schema))))
            .collect();
        let start = [Term::text(format!("<{name}"))].into_iter().chain(attributes);
        if inner.is_empty() {
            return start.chain([Term::text("/>")]).collect();
        }
        let close = Term::text(format!("</{name}>"));
        start.chain([Term::text(">")]).chain(inner).chain([close]).collect()
    }

    fn attribute(&self, arg: &ArgSpec) -> Vec<Term> {
        let value = self.scalar(&arg.ty, &arg.schema, Shared::Attribute);
        optional(arg, Vec::from([Term::text(format!(" {}=\"", arg.name)), value, Term::text("\"")]))
    }

    fn child(&self, arg: &ArgSpec) -> Vec<Term> {
        let ArgType::List(item) = &arg.ty else {
            return optional(arg, self.one_child(arg, &arg.ty, &arg.schema));
        };
        let one = self.one_child(arg, item, arg.schema.get("items").unwrap_or(&Value::Null));
        let bound = |key| arg.schema.get(key).and_then(Value::as_u64);
        let least = bound("minItems").unwrap_or(0).max(u64::from(arg.is_required));
        let how_often = match (least, bound("maxItems")) {
            (_, Some(most)) => format!("{{{least},{most}}}"),
            (0, None) => "*".to_string(),
            (1, None) => "+".to_string(),
            (_, None) => format!("{{{least},}}"),
        };
        Vec::from([Term::Repeated(one, how_often)])
    }

    fn one_child(&self, arg: &ArgSpec, ty: &ArgType, schema: &Value) -> Vec<Term> {
        if let ArgType::Object(fields) = ty {
            return self.element(&arg.name, fields);
        }
        let start = Term::text(format!("<{}>", arg.name));
        let end = Term::text(format!("</{}>", arg.name));
        [start].into_iter().chain(self.text(arg, ty, schema)).chain([end]).collect()
    }

    /// A value between tags.
    fn text(&self, arg: &ArgSpec, ty: &ArgType, schema: &Value) -> Vec<Term> {
        match ty {
            ArgType::Json => in_section(Term::Rule(json(schema))),
            ArgType::String if arg.is_raw => self.raw(schema),
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::List(_)
            | ArgType::Object(_) => Vec::from([self.scalar(ty, schema, Shared::Text)]),
        }
    }

    /// A verbatim text in its section.
    fn raw(&self, schema: &Value) -> Vec<Term> {
        let length = self.length(schema, Shared::Raw);
        if length.most.is_some() {
            return in_section(self.string(schema, Shared::Raw));
        }
        let mut terms = Vec::from([Term::text(SECTION)]);
        if schema.get("minLength").and_then(Value::as_u64).is_some_and(|least| 0 < least) {
            let head = Length { most: Some(length.least), ..length };
            terms.push(Term::Pattern(Shared::Raw.of_length(self.options, head)));
        }
        terms.push(Term::Rule(Shared::Cdata));
        terms
    }

    fn scalar(&self, ty: &ArgType, schema: &Value, text: Shared) -> Term {
        match ty {
            ArgType::String => self.string(schema, text),
            ArgType::Integer => Term::Pattern(numbers::integer(schema)),
            ArgType::Number => Term::Pattern(numbers::number(schema)),
            ArgType::Boolean => Term::words(&["true".into(), "false".into()]),
            ArgType::Enum(words) => Term::words(words),
            // None is a scalar: a spec gives them no place where one is written.
            ArgType::List(_) | ArgType::Object(_) | ArgType::Json => Term::Rule(json(schema)),
        }
    }

    /// A text: the shared rule, or one of its own where the tool bounds the length.
    fn string(&self, schema: &Value, text: Shared) -> Term {
        let length = self.length(schema, text);
        if length == text.length(self.options) {
            return Term::Rule(text);
        }
        Term::Pattern(text.of_length(self.options, length))
    }

    fn length(&self, schema: &Value, text: Shared) -> Length {
        let bound = |key| schema.get(key).and_then(Value::as_u64);
        let Length { least, most } = text.length(self.options);
        let least = bound("minLength").unwrap_or(0).max(least);
        let most = most.into_iter().chain(bound("maxLength")).min().map(|most| most.max(least));
        Length { least, most }
    }
}

const SECTION: &str = "<![CDATA[";

fn in_section(value: Term) -> Vec<Term> {
    Vec::from([Term::text(SECTION), value, Term::text("]]>")])
}

fn json(schema: &Value) -> Shared {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => Shared::JsonObject,
        Some(_) | None => Shared::Json,
    }
}

fn optional(arg: &ArgSpec, terms: Vec<Term>) -> Vec<Term> {
    if arg.is_required { terms } else { Vec::from([Term::Repeated(terms, "?".into())]) }
}
