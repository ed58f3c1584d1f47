//! What the loop tells the model about a reply that is not what it expects.
//!
//! Facts go in, one message comes out: the class first, then *what, where: expected this, but
//! found that; do so instead*. A message fits on one screen, because small models read it. It
//! quotes what the model wrote, so it passes the encoder of results like everything else; for that
//! reason the sentences name tags and do not spell them.

use alloc::{
    format,
    string::{String, ToString as _},
};

use tagline_parser::{Block, Fault, Finish, Reason, Repair};

use crate::{
    BadArguments, ErrorClass, Toolset,
    arg_fault::{one_of, quoted},
};

/// Reminds of thinking, behind the result of a call that ran without it.
pub const THINK_FIRST: &str = "note: think in a `thinking` element before the next action: what is known, what is next, and why";

/// Says in the system prompt how results are written.
pub const HOW_RESULTS_ARE_WRITTEN: &str = "In results `<` is written `&lt;` and hidden characters as numbers, such as `&#x200B;`; in your calls write the characters themselves.";

/// Why something in a reply is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Its class.
    pub class: ErrorClass,
    /// A stable word.
    pub reason: &'static str,
    /// In words, class first, as the model reads it.
    pub message: String,
}

impl Feedback {
    fn new(class: ErrorClass, reason: &'static str, sentence: impl core::fmt::Display) -> Self {
        Self { class, reason, message: class.say(sentence) }
    }
}

/// What a reply without an action holds instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsteadOfAction<'a> {
    /// Nothing.
    Nothing,
    /// Thinking alone.
    Thinking,
    /// Text alone.
    Text,
    /// The token limit came first.
    TokenLimit,
    /// A call of this tool where calls are not run: in a code fence, inline code or a comment.
    Quoted(&'a str),
}

/// A reply of the guided loop holds no action.
#[must_use]
pub fn no_action(found: InsteadOfAction<'_>) -> Feedback {
    let sentence = format!(
        "reply: expected exactly one action, but found {}; write one tool call, or `attempt_completion` with your answer as its `result` if the task is done",
        instead(found)
    );
    Feedback::new(ErrorClass::Format, "no_action", sentence)
}

/// A reply of the free loop holds neither a call nor an answer.
#[must_use]
pub fn no_answer(found: InsteadOfAction<'_>) -> Feedback {
    let sentence =
        format!("reply: expected a call or an answer, but found {}; write one now", instead(found));
    Feedback::new(ErrorClass::Format, "no_answer", sentence)
}

/// The answer is not what was asked for; `found` says what it is instead.
#[must_use]
pub fn bad_answer(found: &str) -> Feedback {
    let sentence = format!(
        "answer: expected JSON that matches the schema, but found {found}\nwrite the whole answer again, as JSON and nothing else"
    );
    Feedback::new(ErrorClass::Format, "output_schema", sentence)
}

fn instead(found: InsteadOfAction<'_>) -> String {
    match found {
        InsteadOfAction::Nothing => "nothing".into(),
        InsteadOfAction::Thinking => "thinking alone".into(),
        InsteadOfAction::Text => "text alone".into(),
        InsteadOfAction::TokenLimit => "the token limit before it".into(),
        InsteadOfAction::Quoted(tool) => {
            format!(
                "a call of `{tool}` that was inside a code fence, inline code or a comment and was not run"
            )
        }
    }
}

/// The guided loop demands thinking, and a call came without.
#[must_use]
pub fn no_thinking(tool: &str) -> Feedback {
    let sentence = format!(
        "`{tool}`: expected a `thinking` element before it, but found none, so it was not run; write your thinking first, then the same call"
    );
    Feedback::new(ErrorClass::Format, "no_thinking", sentence)
}

/// The call's arguments do not fit its tool.
#[must_use]
pub fn bad_arguments(error: &BadArguments) -> Feedback {
    let class = ErrorClass::InvalidParameters;
    let sentence = format!("{error}\na correct call: {}", error.example);
    Feedback::new(class, Reason::InvalidArguments.as_str(), sentence)
}

/// There is no such tool, or not in this session.
#[must_use]
pub fn unknown_tool(name: &str, tools: &Toolset) -> Feedback {
    let nearest = tools.nearest(name);
    let instead = if nearest.is_empty() {
        format!("use one of {}", tools.names().collect::<alloc::vec::Vec<_>>().join(", "))
    } else {
        format!("use {}", one_of(&nearest))
    };
    let sentence =
        format!("`{name}`: expected a registered tool, but found no tool of that name; {instead}");
    Feedback::new(ErrorClass::UnknownTool, Reason::UnknownTool.as_str(), sentence)
}

/// The reply ended inside a call.
#[must_use]
pub fn unfinished(block: &Block, finish: Finish) -> Feedback {
    let name = &block.name;
    let found = match finish {
        Finish::Stop => "the reply ended",
        Finish::Length => "the reply reached the token limit",
        Finish::Cut => "the connection was lost",
    };
    let sentence = format!(
        "`{name}` at byte {}: expected its end tag, but {found}, so it was not run; write the whole call again",
        block.span.start
    );
    Feedback::new(ErrorClass::Parse, Reason::UnterminatedTool.as_str(), sentence)
}

/// Damage because of which something is not run, or not read.
#[must_use]
pub fn fault(fault: &Fault) -> Feedback {
    let (class, instead) = way_out(fault);
    Feedback::new(class, fault.reason.as_str(), format!("{}; {instead}", facts(fault)))
}

/// Damage that was worked around: a note behind the result of the call that ran.
#[must_use]
pub fn repaired(fault: &Fault) -> String {
    format!("note: {}; it was worked around, so check the result", facts(fault))
}

/// Something that was read otherwise than written.
#[must_use]
pub fn mended(repair: &Repair) -> String {
    format!("note: at byte {} {repair}; check the result", repair.span.start)
}

/// What, where: expected this, but found that.
fn facts(fault: &Fault) -> String {
    let Fault { tag, found, span, .. } = fault;
    let at = span.start;
    let found = quoted(found);
    let place = if tag.is_empty() {
        format!("reply at byte {at}")
    } else {
        format!("`{tag}` at byte {at}")
    };
    let expectation = match fault.reason {
        Reason::UnterminatedTool => {
            "expected its end tag, but the reply ended or the next call began".into()
        }
        Reason::MismatchedClose => {
            format!("expected each value's own end tag, but found {found}")
        }
        Reason::MalformedTag => format!("expected a whole tag, but found {found}"),
        Reason::UnknownTool => "expected a registered tool, but found no tool of that name".into(),
        Reason::UnknownParam => format!("expected arguments of the tool, but found {found}"),
        Reason::DuplicateParam => {
            format!("expected one value for each argument, but found two for {found}")
        }
        Reason::InvalidArguments => format!("expected named arguments, but found {found}"),
        Reason::NestedTool => {
            "expected the end of the call before it, but found it inside that call".into()
        }
        Reason::StrayClose => "expected a start tag, but found the end tag alone".into(),
        Reason::FabricatedResult => {
            "expected a call or an answer, but found a result, which only tools give".into()
        }
        Reason::CdataUnclosed => "expected `]]>` before the end tag, but found none".into(),
        Reason::QuotedCall => {
            "expected a call by itself, but found it inside a code fence, inline code or a comment"
                .into()
        }
        Reason::Limit if fault.found.is_empty() => {
            "expected less than a reply may hold, but found more".into()
        }
        Reason::Limit => format!("expected less than a reply may hold, but found {found}"),
    };
    format!("{place}: {expectation}")
}

/// The class, and what to do instead.
fn way_out(fault: &Fault) -> (ErrorClass, String) {
    let nearest = &fault.nearest;
    match fault.reason {
        Reason::UnterminatedTool => {
            (ErrorClass::Parse, "it was not run, write the whole call again".into())
        }
        Reason::MismatchedClose => (
            ErrorClass::Parse,
            "it was not run, write it again and close every value and the call itself".into(),
        ),
        Reason::MalformedTag => (
            ErrorClass::Parse,
            "it was not run, write it again with every quote and every tag closed".into(),
        ),
        Reason::UnknownTool if nearest.is_empty() => {
            (ErrorClass::UnknownTool, "use a tool of the list".into())
        }
        Reason::UnknownTool => (ErrorClass::UnknownTool, format!("use {}", one_of(nearest))),
        Reason::UnknownParam if nearest.is_empty() => {
            (ErrorClass::InvalidParameters, "leave it out".into())
        }
        Reason::UnknownParam => (ErrorClass::InvalidParameters, format!("use {}", one_of(nearest))),
        Reason::DuplicateParam => {
            (ErrorClass::InvalidParameters, "it was not run, give each once".into())
        }
        Reason::InvalidArguments => (
            ErrorClass::InvalidParameters,
            "it was not run, write each argument under its name".into(),
        ),
        Reason::NestedTool => {
            (ErrorClass::Parse, "it was not run, close each call before the next one begins".into())
        }
        Reason::StrayClose => (ErrorClass::Parse, "write the whole call, start tag first".into()),
        Reason::FabricatedResult => (
            ErrorClass::Format,
            "it and everything after it was dropped, write calls and wait for their results".into(),
        ),
        Reason::CdataUnclosed => {
            (ErrorClass::Parse, "it was not run, write it again with `]]>` behind the text".into())
        }
        Reason::QuotedCall => (
            ErrorClass::Format,
            "it was not run, write it without the quote if it is meant as a call".to_string(),
        ),
        Reason::Limit => {
            (ErrorClass::Parse, "it was not run, split it over several replies".into())
        }
    }
}
