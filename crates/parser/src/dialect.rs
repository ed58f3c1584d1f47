//! Spellings beside the native one, as data: which elements call, carry values, wrap, reason, or
//! pretend to be results.

use crate::chars::is_same_name;

/// What the protocol itself means by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing.
    None,
    /// Reasoning.
    Thinking,
    /// A result, which only the runtime writes.
    Result,
    /// An element that calls the tool it names.
    Call(Form),
    /// An element that carries the value it names.
    Param,
    /// An element around calls, without a meaning of its own.
    Wrapper,
}

/// Where a calling element names its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In an attribute: `<invoke name="read_file">`.
    Attribute,
    /// Behind an equals sign: `<function=read_file>`.
    Equals,
}

/// The attribute in which calling and carrying elements name what they mean.
pub(crate) const NAME: &str = "name";

/// Prefixes that some models write before names with a role.
pub(crate) const NAMESPACES: &[&str] = &["antml"];

/// Every name with a role.
/// `[K1]` `[X1]`
pub(crate) const WORDS: &[(&str, Role)] = &[
    ("thinking", Role::Thinking),
    ("think", Role::Thinking),
    ("thought", Role::Thinking),
    ("reasoning", Role::Thinking),
    ("analysis", Role::Thinking),
    ("tool_result", Role::Result),
    ("tool_results", Role::Result),
    ("invoke", Role::Call(Form::Attribute)),
    ("function", Role::Call(Form::Equals)),
    ("parameter", Role::Param),
    ("param", Role::Param),
    ("function_calls", Role::Wrapper),
    ("tool_call", Role::Wrapper),
    ("tool_calls", Role::Wrapper),
];

/// The role of a name.
pub(crate) fn role(name: &str) -> Role {
    WORDS.iter().find(|(word, _)| is_same_name(word, name)).map_or(Role::None, |(_, role)| *role)
}
