//! A second reader of the native dialect, slow and plain, to hold the parser against.
//!
//! It has the whole reply, looks ahead as far as it likes and as often as it likes, keeps no state
//! between looks, and knows no chunks and no limits. It is written from the chapters T to X of the
//! specification and cites them. Where a reply leaves them, it says so instead of guessing:
//! [`Unread`] is the list of what it does not read.
//!
//! What it tells is what matters of a reading: texts, reasoning, calls with their values, faults.
//! Deltas, spans and what was noted inside of finished calls are left to the properties.

mod body;
mod call;
mod element;
mod ends;
mod fence;
mod json;
mod lex;
mod scalar;
mod section;
mod text;
mod thought;
mod value;

use tagline_parser::{Block, Finish, Limits, Reason, TagSet};

use crate::{Reading, Seen};

/// What matters of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Text outside of calls.
    Text(String),
    /// Reasoning.
    Thinking(String),
    /// A finished call, or one that the reply's end cut.
    Call(Call),
    /// Damage outside of finished calls, and the name concerned.
    Fault(Reason, String),
}

/// A call. Of one that was cut, values are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The registered name.
    pub name: String,
    /// Attributes of the start tag.
    pub attributes: Vec<(String, String)>,
    /// Children.
    pub children: Vec<Child>,
    /// The body.
    pub body: Option<String>,
    /// The reply ended inside.
    pub is_partial: bool,
    /// Its end, or an earlier one, was guessed.
    pub is_recovered: bool,
}

/// A child of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Child {
    /// The declared name, or as written.
    pub name: String,
    /// Its own attributes.
    pub attributes: Vec<(String, String)>,
    /// Its value.
    pub value: String,
    /// Whether the tool declares it.
    pub is_declared: bool,
}

/// Why a reply is not read: it leaves the native dialect, or what this reader knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unread {
    /// A mark of another dialect stands in it, outside of code.
    Mark,
    /// An element of another dialect stands in it, outside of code.
    Element,
    /// A line or a tag begins with a tool's name: its bracket may be lost.
    LostBracket,
    /// A line begins as calls do that have no mark: an object whose first key names one, or a tool
    /// with its bracket in a list.
    Bare,
    /// A value stands behind a name in a start tag, as in `<function=x>`.
    Designated,
    /// Arguments as JSON that are not strings alone, or stand in a body, or are damaged.
    Json,
    /// Arguments as YAML.
    Yaml,
    /// The only value of a tool as bare text.
    OnlyValue,
    /// A fence around the whole reply that may close in several places.
    Fence,
    /// An example with a section of its own inside a section.
    SectionInSection,
}

/// Whether the parser tells the same of a reply in these chunks; `None` where this reader does not
/// read it.
#[must_use]
pub fn agrees(tags: &TagSet, chunks: &[&str], finish: Finish) -> Option<Result<(), String>> {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let reply = chunks.concat();
    let expected = tell(tags, &reply, finish).ok()?;
    let given = told_by(&crate::read(tags, limits, chunks, finish));
    if expected == given {
        return Some(Ok(()));
    }
    let n = expected.iter().zip(&given).take_while(|(one, other)| one == other).count();
    let rest = |told: &[Told]| format!("{:?}", told.get(n..).unwrap_or_default());
    let (expected, given) = (rest(&expected), rest(&given));
    Some(Err(format!("{reply:?} {finish:?}\nthe reference tells {expected}\nthe parser {given}")))
}

/// What a reply says.
///
/// # Errors
///
/// [`Unread`] where it is not written in the native dialect alone.
pub fn tell(tags: &TagSet, reply: &str, finish: Finish) -> Result<Vec<Told>, Unread> {
    text::Reader::new(tags, reply, finish).read()
}

/// The same of what the parser read.
#[must_use]
pub fn told_by(reading: &Reading) -> Vec<Told> {
    let mut told = Vec::new();
    for seen in &reading.seen {
        match seen {
            Seen::Text(text) => add_text(&mut told, text),
            Seen::Thinking(text) => add_thinking(&mut told, text),
            Seen::End(block) => told.push(Told::Call(call_of(block))),
            Seen::Fault(fault) if fault.reason == Reason::QuotedCall => {}
            Seen::Fault(fault) => told.push(Told::Fault(fault.reason, fault.tag.clone())),
            Seen::Start(..)
            | Seen::Attribute(..)
            | Seen::Delta(..)
            | Seen::Abort(_)
            | Seen::Relabel(_) => {}
        }
    }
    told
}

fn call_of(block: &Block) -> Call {
    let child = |child: &tagline_parser::Child| Child {
        name: child.name.clone(),
        attributes: child.attributes.clone(),
        value: child.value.text().to_owned(),
        is_declared: child.is_declared,
    };
    let call = Call {
        name: block.name.clone(),
        attributes: block.attributes.clone(),
        is_partial: block.is_partial,
        is_recovered: block.is_recovered,
        ..Call::default()
    };
    if block.is_partial {
        return call;
    }
    let body = block.body.as_ref().map(|body| body.text().to_owned());
    Call { children: block.children.iter().map(child).collect(), body, ..call }
}

fn add_text(told: &mut Vec<Told>, text: &str) {
    match told.last_mut() {
        _ if text.is_empty() => {}
        Some(Told::Text(old)) => old.push_str(text),
        Some(_) | None => told.push(Told::Text(text.to_owned())),
    }
}

fn add_thinking(told: &mut Vec<Told>, text: &str) {
    match told.last_mut() {
        _ if text.is_empty() => {}
        Some(Told::Thinking(old)) => old.push_str(text),
        Some(_) | None => told.push(Told::Thinking(text.to_owned())),
    }
}
