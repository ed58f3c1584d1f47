//! What can be wrong with a tool's definition.

use alloc::string::String;

/// Why a type is no tool. Read by whoever writes the tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The name, or an alias, is not written in lower case with underscores.
    #[error(
        "name `{name}`: expected a lower-case letter, then lower-case letters, digits and underscores, at most 64 bytes; rename the tool"
    )]
    BadName {
        /// As declared.
        name: String,
    },
    /// The name of an argument cannot stand on a tag.
    #[error(
        "`{arg}` of `{tool}`: expected a letter or `_`, then letters, digits, `_`, `-` and `.` in the name of an argument; rename it"
    )]
    BadArgName {
        /// The tool.
        tool: String,
        /// As declared.
        arg: String,
    },
    /// Words of which one cannot be written on a tag, or none at all.
    #[error(
        "`{arg}` of `{tool}`: expected words without blanks around them, but found {found}; mend the words"
    )]
    BadWord {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// The word.
        found: String,
    },
    /// The type has no doc comment.
    #[error(
        "tool `{tool}`: expected a description, but found none; write a doc comment on its type"
    )]
    NoDescription {
        /// The tool.
        tool: String,
    },
    /// The type is not a struct with named fields.
    #[error(
        "tool `{tool}`: expected an object with named fields, but found {found}; make its type a struct"
    )]
    NotAnObject {
        /// The tool.
        tool: String,
        /// What the schema says it is.
        found: String,
    },
    /// `x-tag` holds a word it does not know.
    #[error(
        "`x-tag` of `{arg}` of `{tool}`: expected `attribute`, `child`, `body` or `raw`, but found `{found}`; mend the word"
    )]
    UnknownWord {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// The word.
        found: String,
    },
    /// `x-tag` names no place, or places that exclude each other.
    #[error(
        "`x-tag` of `{arg}` of `{tool}`: expected one place, or `body child`, but found `{found}`; name one"
    )]
    UnclearPlace {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// What stands there.
        found: String,
    },
    /// Two arguments want to be the body.
    #[error(
        "body of `{tool}`: expected one argument, but found `{first}` and `{second}`; make one of them a child"
    )]
    TwoBodies {
        /// The tool, or its child.
        tool: String,
        /// The first body.
        first: String,
        /// The second one.
        second: String,
    },
    /// The body is not text.
    #[error(
        "body `{arg}` of `{tool}`: expected text or any JSON, but found {found}; make it an attribute or a child"
    )]
    BodyNotText {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// Its type in words.
        found: String,
    },
    /// An attribute is declared as raw.
    #[error(
        "attribute `{arg}` of `{tool}`: expected no `raw`, because entities in attributes are decoded; make it a child"
    )]
    RawAttribute {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
    },
    /// A list or an object is declared as an attribute.
    #[error(
        "`{arg}` of `{tool}`: expected a child, but found an attribute that holds {found}; declare it as `child`"
    )]
    NotAScalar {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// Its type in words.
        found: String,
    },
    /// A child of a child.
    #[error(
        "`{inner}` of `{arg}` of `{tool}`: expected attributes and one body inside a child, but found {found}; flatten it"
    )]
    TooDeep {
        /// The tool.
        tool: String,
        /// The child.
        arg: String,
        /// The argument inside it.
        inner: String,
        /// Its type in words.
        found: String,
    },
    /// A type that cannot be written as a tag.
    #[error(
        "`{arg}` of `{tool}`: expected text, a number, a boolean, words, a list or a struct, but found {found}; use another type"
    )]
    Unsupported {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// What the schema says it is.
        found: String,
    },
    /// Two arguments whose names differ in case or hyphens alone.
    #[error(
        "arguments of `{tool}`: expected different names, but found `{first}` and `{second}`; rename one"
    )]
    SameName {
        /// The tool.
        tool: String,
        /// The first name.
        first: String,
        /// The second one.
        second: String,
    },
}
