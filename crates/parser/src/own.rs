//! Tags inside a value, and what they mean for its end.

use alloc::string::String;

use crate::{
    block::OpenBlock,
    chars::is_same_name,
    dialect::{Role, Sentinel},
    input::Input,
    names::{Names, ToolId, Word},
    tag::Head,
};

/// The name whose end tag ends a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Word(Word),
    /// As written, since no tool declares it.
    Name(String),
}

impl Own {
    pub(crate) fn is(&self, word: Option<Word>, name: &str) -> bool {
        match self {
            Self::Word(own) => word == Some(*own),
            Self::Name(own) => is_same_name(own, name),
        }
    }

    pub(crate) const fn word(&self) -> Option<Word> {
        match self {
            Self::Word(word) => Some(*word),
            Self::Name(_) => None,
        }
    }
}

/// What a mark inside a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The value's own start or end tag, if it is a child.
    Own,
    /// The block's start or end tag.
    Block,
    /// A declared child's tag.
    Sibling,
    /// Another call's tag.
    Call(Option<ToolId>),
    /// A tag of reasoning or of a result.
    Outer,
    /// A tag of an element around calls, in a block that such elements usually surround, or of one
    /// around values.
    Around,
    /// Any other tag.
    Other,
    /// The start of a CDATA section.
    Cdata,
}

/// A mark inside a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) at: usize,
    /// Behind it.
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    pub(crate) is_end: bool,
    /// A start tag that is its own end.
    pub(crate) is_closed: bool,
    /// Whether it is known to be the first thing in a line. Not looked up for every rule.
    pub(crate) begins_line: bool,
    /// A start tag of a declared value that was not given yet. Not looked up for every rule.
    pub(crate) is_next: bool,
    /// An end tag that lost its namespace, or is text. Not looked up for every rule.
    pub(crate) is_bare: bool,
    /// An end tag without its `>`, before another tag.
    pub(crate) is_broken: bool,
}

impl Point {
    /// A start tag or another mark.
    pub(crate) const fn start(at: usize, end: usize, kind: Kind) -> Self {
        let (is_end, is_closed, begins_line, is_next) = (false, false, false, false);
        let (is_bare, is_broken) = (false, false);
        Self { at, end, kind, is_end, is_closed, begins_line, is_next, is_bare, is_broken }
    }
}

/// What a tag inside a value is; `None` where it cannot matter.
/// `[X2]` `[I2]`
/// `[DT5]`
pub(crate) fn kind(
    names: &Names,
    block: &OpenBlock,
    own: Option<&Own>,
    head: &Head,
    input: &Input<'_>,
) -> Option<Kind> {
    let name = input.slice(head.name.clone());
    let word = names.word(name);
    let sentinel = names.sentinel(head, input);
    let is_bare = head.is_end && block.target.may_be_bare(sentinel);
    if !is_bare && !block.target.is_marked(sentinel) {
        return None;
    }
    let is_carrier = |word| names.role(word) == Role::Param;
    let is_other_carrier =
        own.and_then(Own::word).is_some_and(is_carrier) && word.is_some_and(is_carrier);
    if is_other_carrier || own.is_some_and(|own| own.is(word, name)) {
        return head.is_bounded(input).then_some(Kind::Own).or_else(|| designated(head, input));
    }
    if head.is_end && block.wrappers.iter().any(|it| is_same_name(it, name)) {
        return head.is_bounded(input).then_some(Kind::Around);
    }
    // Where each marked element is a value, those that are not declared are values too.
    let is_any_value = block.target.sentinel == Sentinel::Brackets;
    let other = if is_any_value { Kind::Sibling } else { Kind::Other };
    let Some(word) = word else { return head.is_bounded(input).then_some(other) };
    let role = names.role(word);
    let is_carrier = matches!(role, Role::Param | Role::Call(_));
    let is_designated = is_carrier && designated(head, input).is_some();
    if !head.is_bounded(input) && !is_designated {
        return None;
    }
    Some(match role {
        _ if block.target.is_own(word, names) => Kind::Block,
        _ if names.param(block.target.tool, word).is_some() => Kind::Sibling,
        _ if !head.is_end && block.target.is_lead(Some(word)) => Kind::Call(None),
        Role::Param => Kind::Sibling,
        Role::Key => Kind::Sibling,
        Role::Call(_) => Kind::Call(None),
        Role::Thinking | Role::Result => Kind::Outer,
        Role::Wrapper if !block.target.is_native => Kind::Around,
        Role::None | Role::Name | Role::Wrapper | Role::Value | Role::Kind | Role::Separator => {
            match names.tool_named(word, name) {
                Some(tool) => Kind::Call(Some(tool)),
                None => other,
            }
        }
    })
}

/// A start tag that names what it means behind an equals sign.
fn designated(head: &Head, input: &Input<'_>) -> Option<Kind> {
    (!head.is_end && input.byte(head.name.end) == Some(b'=')).then_some(Kind::Own)
}
