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
    /// An element whose text names a tool.
    Name,
    /// An element that carries the value it names.
    Param,
    /// An element whose text names the value behind it.
    Key,
    /// An element that carries the value named before it.
    Value,
    /// An element between a value's name and the value, whose text says its type.
    Kind,
    /// A tag that stands between a tool's name and its values.
    /// `[DK8]`
    Separator,
    /// An element around calls, without a meaning of its own.
    Wrapper,
}

impl Role {
    /// Where an element that calls a tool names it.
    pub(crate) const fn form(self) -> Option<Form> {
        match self {
            Self::Call(form) => Some(form),
            Self::None
            | Self::Thinking
            | Self::Result
            | Self::Name
            | Self::Param
            | Self::Key
            | Self::Value
            | Self::Kind
            | Self::Separator
            | Self::Wrapper => None,
        }
    }
}

/// Where a calling element names its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In an attribute: `<invoke name="read_file">`.
    /// `[DT2]`
    Attribute,
    /// Behind an equals sign: `<function=read_file>`.
    /// `[DT1]`
    Equals,
    /// Behind an equals sign, with [`NAME`] grown to the element's: `<functionname="read_file">`.
    Fused,
    /// In the text behind the start tag: `<tool_call>read_file<arg_key>path</arg_key>…`.
    Text,
    /// In the rest of the line: `<tool: read_file>`. The text behind it is the only value.
    Label,
}

impl Form {
    /// Whether the name stands behind an equals sign.
    pub(crate) const fn is_designated(self) -> bool {
        match self {
            Self::Equals | Self::Fused => true,
            Self::Attribute | Self::Text | Self::Label => false,
        }
    }
}

/// The attribute in which calling and carrying elements name what they mean.
pub(crate) const NAME: &str = "name";

/// The attribute that says whether a carried value is text, or else JSON.
pub(crate) const IS_TEXT: &str = "string";

/// The attribute that says of what type a carried value is.
pub(crate) const TYPE: &str = "type";

/// Whether an attribute's value means yes.
pub(crate) fn is_yes(value: &str) -> bool {
    !value.trim().eq_ignore_ascii_case("false")
}

/// Whether a type's name means text.
pub(crate) fn is_text(kind: &str) -> bool {
    matches!(kind.trim(), "string" | "str" | "text" | "")
}

/// Prefixes that some models write before names with a role.
pub(crate) const NAMESPACES: &[&str] = &["antml", "steptml", "seed", "minimax", "mm", "atem"];

/// Words that stand between bars before a name: `<｜DSML｜invoke>`. The bars may be of full width or
/// ASCII, and doubled; a blank may follow.
pub(crate) const BARRED: &[&str] = &["DSML", "GCML"];

/// Words with one bar behind: `<ifm|tool_call>`.
/// `[DK9]`
pub(crate) const PIPED: &[&str] = &["ifm"];

/// What stands around the `<` of each tag: `]<]minimax[>[<invoke>`.
pub(crate) const BRACKETS: &str = "<]minimax[>[<";

/// What marks a tag as structure, so that the same tag without it is text.
/// `[DT11]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sentinel {
    /// Nothing.
    #[default]
    None,
    /// One of [`NAMESPACES`].
    Namespace(u8),
    /// One of [`BARRED`].
    Barred(u8),
    /// One of [`PIPED`].
    Piped(u8),
    /// [`BRACKETS`].
    /// `[DT12]`
    Brackets,
    /// What follows the name behind a colon, folded: `<tool_call:7f3a>`.
    Suffix([u8; LONGEST_SUFFIX]),
}

/// Which line breaks at the ends of a value are layout, and no part of it.
/// `[DT4]` `[DT15]`
/// `[DK3]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trim {
    /// None.
    Nothing,
    /// One at each end.
    Lines,
    /// One at each end, where the value begins with one.
    Layout,
}

/// How the values of a syntax are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) trim: Trim,
    /// Whether a value may be a CDATA section.
    pub(crate) has_cdata: bool,
    /// Whether each element is a value, named by its tag.
    /// `[DT16]`
    pub(crate) is_by_tag: bool,
}

/// The tools' own elements.
pub(crate) const NATIVE: Style = Style { trim: Trim::Lines, has_cdata: true, is_by_tag: true };

impl Default for Style {
    fn default() -> Self {
        NATIVE
    }
}

/// How values are written in an element that calls a tool.
pub(crate) const fn style(form: Form, sentinel: Sentinel) -> Style {
    let tight = Style { trim: Trim::Nothing, has_cdata: false, is_by_tag: false };
    match (form, sentinel) {
        (_, Sentinel::Brackets) => Style { is_by_tag: true, ..tight },
        (_, Sentinel::Barred(_) | Sentinel::Piped(_) | Sentinel::Suffix(_)) => tight,
        (Form::Text, _) => tight,
        (Form::Equals | Form::Fused | Form::Label, _) => {
            Style { trim: Trim::Lines, has_cdata: true, is_by_tag: false }
        }
        (Form::Attribute, _) => Style { trim: Trim::Layout, has_cdata: true, is_by_tag: false },
    }
}

/// The longest suffix of a name, in bytes.
pub(crate) const LONGEST_SUFFIX: usize = 16;

impl Sentinel {
    /// Whether nothing else may be mistaken for it.
    pub(crate) const fn is_strong(self) -> bool {
        match self {
            Self::None | Self::Namespace(_) => false,
            Self::Barred(_) | Self::Piped(_) | Self::Brackets | Self::Suffix(_) => true,
        }
    }
}

/// Every name with a role.
/// `[K1]` `[X1]`
/// `[D4]`
pub(crate) const WORDS: &[(&str, Role)] = &[
    ("thinking", Role::Thinking),
    ("think", Role::Thinking),
    ("thought", Role::Thinking),
    ("reasoning", Role::Thinking),
    ("analysis", Role::Thinking),
    ("longcat_think", Role::Thinking),
    ("tool_result", Role::Result),
    ("tool_results", Role::Result),
    ("tool_response", Role::Result),
    ("function_results", Role::Result),
    ("invoke", Role::Call(Form::Attribute)),
    ("function", Role::Call(Form::Equals)),
    ("functionname", Role::Call(Form::Fused)),
    ("invokename", Role::Call(Form::Fused)),
    ("tool:", Role::Call(Form::Label)),
    ("parameter", Role::Param),
    ("param", Role::Param),
    ("parametername", Role::Param),
    ("paramname", Role::Param),
    ("tool_name", Role::Name),
    ("function_name", Role::Name),
    ("name", Role::Name),
    ("arg_key", Role::Key),
    ("arg_value", Role::Value),
    ("arg_type", Role::Kind),
    ("tool_sep", Role::Separator),
    ("function_calls", Role::Wrapper),
    ("tool_call", Role::Wrapper),
    ("tool_calls", Role::Wrapper),
    ("toolcall", Role::Wrapper),
    ("longcat_tool_call", Role::Wrapper),
    ("dots_function_call", Role::Wrapper),
    ("function_call", Role::Wrapper),
];

/// Names without a role of their own: those of end tags that differ from their start tags.
pub(crate) const PLAIN: &[&str] = &["tool"];

/// The role of a name.
pub(crate) fn role(name: &str) -> Role {
    WORDS.iter().find(|(word, _)| is_same_name(word, name)).map_or(Role::None, |(_, role)| *role)
}

/// Elements around the answer, directly behind reasoning.
const FRAMES: &[&str] = &["answer", "response"];

/// Whether an element of this name may be around the answer.
/// `[DH6]`
pub(crate) fn is_frame(name: &str) -> bool {
    FRAMES.contains(&name)
}

/// Elements around calls that models write without an end tag.
const UNCLOSED: &[&str] = &["function_call"];

/// Whether an element around calls needs no end tag.
pub(crate) fn is_unclosed(name: &str) -> bool {
    UNCLOSED.iter().any(|it| is_same_name(it, name))
}
