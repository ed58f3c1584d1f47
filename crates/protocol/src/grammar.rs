//! The grammar of a toolset, for servers that can hold a model to one.
//!
//! Written in GBNF, the notation of llama.cpp, or in Lark, that of `llguidance`. What the grammar
//! derives is a reply that the parser reads without a fault and whose calls have valid arguments, so
//! even a model too small to follow instructions can only write well-formed calls. The grammar
//! derives less than the protocol allows: one way to write each call is enough.
//!
//! # Invariants
//!
//! 1. Every reply that the grammar derives parses without a fault, and every call in it decodes.
//! 2. The text follows from the specs and the options alone.
//! 3. Both notations are written from the same rules, so that they derive the same replies.

mod error;
mod gbnf;
mod lark;
mod numbers;
mod pattern;
mod shared;
mod structural;
mod terms;

use alloc::{format, string::String, vec::Vec};

use serde_json::Value;

use crate::{ArgSpec, ArgType, Place, ToolSpec, Toolset, TurnRole};
pub use error::GrammarError;
use pattern::{Class, Pattern, Times};
use shared::Shared;
use terms::{Body, Rule, Term};

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

/// How a grammar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// For llama.cpp; its root is `root`.
    Gbnf,
    /// For `llguidance`, in vLLM, SGLang and llama.cpp; its root is `start`.
    Lark,
}

impl Toolset {
    /// The grammar of replies that call these tools, in GBNF. Tools that reason are not among the
    /// calls of [`Calls::One`], because a reply with nothing else does nothing. Without any tool,
    /// the grammar derives text.
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
        self.grammar_in(Notation::Gbnf, options)
    }

    /// The same grammar in that notation.
    #[must_use]
    pub fn grammar_in(&self, notation: Notation, options: &GrammarOptions) -> String {
        let rules = self.rules(options);
        match notation {
            Notation::Gbnf => gbnf::write(&rules),
            Notation::Lark => lark::write(&rules),
        }
    }

    fn rules(&self, options: &GrammarOptions) -> Vec<Rule> {
        let writer = Writer { options, may_answer: !self.completes() };
        let specs = self.specs().iter().filter(|it| writer.is_offered(it));
        let calls: Vec<Rule> =
            specs.map(|it| Rule::new(rule_name(it), writer.element(&it.name, &it.args))).collect();
        if calls.is_empty() {
            let root = Rule::new("root", Vec::from([Shared::Line.term()]));
            return with_shared(Vec::from([root]), options);
        }
        let names = calls.iter().map(|it| Vec::from([Term::rule(it.name.clone())])).collect();
        let root = Rule::new("root", writer.root());
        let rules = [root, Rule::choice("call", names)].into_iter().chain(calls).collect();
        with_shared(rules, options)
    }

    fn completes(&self) -> bool {
        self.specs().iter().any(|spec| spec.role == TurnRole::Completes)
    }
}

/// The rules with the shared ones that they refer to, in the order in which they do.
fn with_shared(mut rules: Vec<Rule>, options: &GrammarOptions) -> Vec<Rule> {
    let mut shared = Vec::new();
    for rule in &rules {
        if let Body::Choice(rows) = &rule.body {
            rows.iter().for_each(|it| note_shared(it, &mut shared));
        }
    }
    let needed: Vec<Shared> = shared.iter().filter_map(|it| it.needs()).collect();
    for rule in needed {
        if !shared.contains(&rule) {
            shared.push(rule);
        }
    }
    rules.extend(shared.iter().flat_map(|it| it.rules(options)));
    rules
}

fn note_shared(terms: &[Term], shared: &mut Vec<Shared>) {
    for term in terms {
        match term {
            Term::Rule(name) => {
                let known = Shared::ALL.into_iter().find(|it| it.name() == name);
                shared.extend(known.filter(|it| !shared.contains(it)));
            }
            Term::Repeated(inner, _) => note_shared(inner, shared),
            Term::Choice(rows) => rows.iter().for_each(|it| note_shared(it, shared)),
            Term::Text(_) | Term::Pattern(_) => (),
        }
    }
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

    fn root(&self) -> Vec<Term> {
        let call = || Term::rule("call");
        let thinking = self.options.max_thinking.map(|most| thinking(most.into()));
        let rest = match self.options.calls {
            Calls::One => Vec::from([call()]),
            Calls::Several => {
                let lines = || {
                    let line = Vec::from([Shared::Line.term(), Term::text("\n")]);
                    Term::Repeated(line, Times::ANY)
                };
                // A call begins a line, so that it is one without any doubt.
                let more = Vec::from([Term::text("\n"), lines(), call()]);
                let calls = Vec::from([call(), Term::Repeated(more, Times::ANY)]);
                let rest = if self.may_answer {
                    let answer = Vec::from([Shared::Line.term()]);
                    Vec::from([Term::Choice(Vec::from([calls, answer]))])
                } else {
                    calls
                };
                [lines()].into_iter().chain(rest).collect()
            }
        };
        thinking.into_iter().chain(rest).collect()
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
        Vec::from([Term::Repeated(one, Times { least, most: bound("maxItems") })])
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
            ArgType::Json => in_section(json(schema).term()),
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
            let head = Times { most: Some(length.least), ..length };
            terms.push(Term::Pattern(Shared::Raw.of_length(self.options, head)));
        }
        terms.push(Shared::Cdata.term());
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
            ArgType::List(_) | ArgType::Object(_) | ArgType::Json => json(schema).term(),
        }
    }

    /// A text: the shared rule, or one of its own where the tool bounds the length.
    fn string(&self, schema: &Value, text: Shared) -> Term {
        let length = self.length(schema, text);
        if length == text.length(self.options) {
            return text.term();
        }
        Term::Pattern(text.of_length(self.options, length))
    }

    fn length(&self, schema: &Value, text: Shared) -> Times {
        let bound = |key| schema.get(key).and_then(Value::as_u64);
        let Times { least, most } = text.length(self.options);
        let least = bound("minLength").unwrap_or(0).max(least);
        let most = most.into_iter().chain(bound("maxLength")).min().map(|most| most.max(least));
        Times { least, most }
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
    if arg.is_required { terms } else { Vec::from([Term::Repeated(terms, Times::OPTIONAL)]) }
}

/// Reasoning before the first call.
fn thinking(most: u64) -> Term {
    let text = Pattern::Class(Class::except("<`", &[])).repeat(Times::between(1, most));
    let row =
        Vec::from([Term::text("<thinking>"), Term::Pattern(text), Term::text("</thinking>\n")]);
    Term::Repeated(row, Times::OPTIONAL)
}
