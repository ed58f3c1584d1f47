//! Tags and names, read from whole text.

use tagline_parser::{TagSet, TagSpec, ValueKind};

/// Names of reasoning. `[K1]`
const THINKING: &[&str] = &["thinking", "think", "thought", "reasoning", "analysis"];

/// Names of results. `[X1]`
const RESULTS: &[&str] = &["tool_result", "tool_results"];

/// Names that mean something in other dialects.
const FOREIGN: &[&str] = &[
    "invoke",
    "function",
    "functionname",
    "invokename",
    "tool:",
    "tool",
    "parameter",
    "param",
    "parametername",
    "paramname",
    "tool_name",
    "function_name",
    "name",
    "arg_key",
    "arg_value",
    "arg_type",
    "tool_sep",
    "function_calls",
    "tool_call",
    "tool_calls",
    "toolcall",
    "longcat_tool_call",
    "dots_function_call",
    "function_call",
    "longcat_think",
    "tool_response",
    "function_results",
    "answer",
    "response",
];

/// What a name means outside of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Thinking,
    Result,
    Foreign,
    None,
}

pub(super) fn role(name: &str) -> Role {
    let is_in = |names: &[&str]| names.iter().any(|it| is_same(it, name));
    match () {
        () if is_in(THINKING) => Role::Thinking,
        () if is_in(RESULTS) => Role::Result,
        () if is_in(FOREIGN) => Role::Foreign,
        () => Role::None,
    }
}

/// Whether two names are spellings of one: ASCII case does not count, a hyphen is an underscore.
/// `[B1]`
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().replace('-', "_");
    plain(one) == plain(other)
}

/// A value that a tool declares.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) kind: ValueKind,
    pub(super) is_list: bool,
}

/// The declared value of this name, as attribute or child. `[I3]`
pub(super) fn param(spec: &TagSpec, name: &str) -> Option<Param> {
    let attribute = spec.attributes.iter().find(|it| is_same(it, name));
    let child = spec.children.iter().find(|it| is_same(&it.name, name));
    match (child, attribute) {
        (Some(child), _) => {
            let (name, kind, is_list) = (child.name.clone(), child.kind, child.is_list);
            Some(Param { name, kind, is_list })
        }
        (None, Some(name)) => {
            Some(Param { name: name.clone(), kind: ValueKind::Scalar, is_list: false })
        }
        (None, None) => None,
    }
}

/// Whether a name is the tool's, or an alias of it.
pub(super) fn is_named(spec: &TagSpec, name: &str) -> bool {
    is_same(&spec.name, name) || spec.aliases.iter().any(|alias| is_same(alias, name))
}

/// The tool of this name; where several differ in spelling alone, the exact one. `[B10]`
pub(super) fn tool<'a>(tags: &'a TagSet, name: &str) -> Option<&'a TagSpec> {
    let mut found = tags.specs().iter().filter(|spec| is_named(spec, name));
    match (found.next(), found.next()) {
        (only, None) => only,
        _ => {
            let is_exact =
                |spec: &&TagSpec| spec.name == name || spec.aliases.iter().any(|it| it == name);
            tags.specs().iter().find(is_exact)
        }
    }
}

/// Whether any tool declares a value of this name.
pub(super) fn is_any_param(tags: &TagSet, name: &str) -> bool {
    tags.specs().iter().any(|spec| param(spec, name).is_some())
}

/// How many bytes the blank at the beginning of a text has; 0 where there is none.
pub(super) fn blank(text: &str) -> usize {
    match text.chars().next() {
        Some(' ' | '\t' | '\n' | '\r' | '\u{c}') => 1,
        Some('\u{a0}') => 2,
        Some(_) | None => 0,
    }
}

/// The position behind blanks.
pub(super) fn skip(text: &str, mut at: usize) -> usize {
    loop {
        match blank(from(text, at)) {
            0 => return at,
            n => at += n,
        }
    }
}

/// The position behind blanks of the line.
pub(super) fn skip_in_line(text: &str, mut at: usize) -> usize {
    while !from(text, at).starts_with('\n') && blank(from(text, at)) > 0 {
        at += blank(from(text, at));
    }
    at
}

/// The text from a position on.
pub(super) fn from(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The text of a range.
pub(super) fn between(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// `<name` or `</name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'a> {
    pub(super) at: usize,
    pub(super) is_end: bool,
    /// A blank stands before the name. `[B4]`
    pub(super) is_loose: bool,
    pub(super) name: &'a str,
    /// Behind the name.
    pub(super) end: usize,
    /// What stands there may stand behind a name. `[B2]`
    pub(super) is_bounded: bool,
}

/// The head of a tag at a `<`. `[T3]`
pub(super) fn head(text: &str, at: usize) -> Option<Head<'_>> {
    let mut start = at + 1;
    let (mut is_end, mut is_loose) = (false, false);
    loop {
        match (blank(from(text, start)), from(text, start).starts_with('/')) {
            (0, true) if !is_end => {
                is_end = true;
                start += 1;
            }
            (0, _) => break,
            (n, _) => {
                is_loose = true;
                start += n;
            }
        }
        if start - at > 65 {
            return None;
        }
    }
    let rest = from(text, start);
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
    let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let end = start + len;
    let behind = from(text, end);
    let is_bounded =
        behind.starts_with('>') || (behind.starts_with('/') && !is_end) || blank(behind) > 0;
    Some(Head { at, is_end, is_loose, name: between(text, start, end), end, is_bounded })
}

/// A whole tag whose attributes do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Light {
    pub(super) is_closed: bool,
    pub(super) end: usize,
}

/// The rest of a tag, up to its `>`.
pub(super) fn light(text: &str, head: &Head<'_>) -> Option<Light> {
    if head.is_end {
        let at = skip(text, head.end);
        return from(text, at).starts_with('>').then_some(Light { is_closed: false, end: at + 1 });
    }
    let rest = from(text, head.end);
    let at = head.end + rest.find(['<', '>'])?;
    let before = between(text, head.end, at);
    let is_tag = from(text, at).starts_with('>');
    is_tag.then(|| Light { is_closed: before.ends_with('/'), end: at + 1 })
}

/// A whole start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) attributes: Vec<(String, String)>,
    pub(super) is_closed: bool,
    pub(super) end: usize,
}

/// What a start tag turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Started {
    Whole(Start),
    /// None; it is broken there, behind a value or before one.
    Broken {
        at: usize,
        has_value: bool,
    },
    /// The reply ends inside, behind a value or in one.
    Cut {
        has_value: bool,
    },
    /// It is one of another dialect.
    Foreign,
}

/// Reads a start tag from behind its name. `[A1]` to `[A5]`
pub(super) fn start(text: &str, head: &Head<'_>) -> Started {
    let mut attributes: Vec<(String, String)> = Vec::new();
    let mut has_value = false;
    let mut at = head.end;
    if from(text, at).starts_with('=') {
        return Started::Foreign;
    }
    loop {
        at = skip(text, at);
        let rest = from(text, at);
        if rest.is_empty() {
            return Started::Cut { has_value };
        }
        if rest.starts_with('>') {
            return Started::Whole(Start { attributes, is_closed: false, end: at + 1 });
        }
        if rest.starts_with('/') {
            let at = skip(text, at + 1);
            return match from(text, at).chars().next() {
                Some('>') => Started::Whole(Start { attributes, is_closed: true, end: at + 1 }),
                Some(_) => Started::Broken { at, has_value },
                None => Started::Cut { has_value },
            };
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Started::Broken { at, has_value };
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
        let name_end = at + rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let name = between(text, at, name_end).to_owned();
        at = skip(text, name_end);
        if from(text, at).is_empty() {
            return Started::Cut { has_value };
        }
        if !from(text, at).starts_with('=') {
            attributes.push((name, String::new()));
            continue;
        }
        match value(text, skip(text, at + 1)) {
            Value::Whole { text, is_quoted, end } => {
                has_value |= is_quoted || !text.is_empty();
                attributes.push((name, super::scalar::decoded(&text)));
                at = end;
            }
            Value::Broken(at) => return Started::Broken { at, has_value },
            Value::Cut => return Started::Cut { has_value: true },
        }
    }
}

/// An attribute's value.
enum Value {
    Whole { text: String, is_quoted: bool, end: usize },
    Broken(usize),
    Cut,
}

fn value(text: &str, at: usize) -> Value {
    let rest = from(text, at);
    let whole = |text: &str, is_quoted, end| Value::Whole { text: text.to_owned(), is_quoted, end };
    match rest.chars().next() {
        None => Value::Cut,
        Some('<') => Value::Broken(at),
        Some('>') => whole("", false, at),
        Some(quote @ ('"' | '\'')) => {
            let ends = |end: &usize| {
                let behind = from(text, end + 1);
                behind.starts_with(['/', '>']) || blank(behind) > 0
            };
            let mut quotes = rest.match_indices(quote).skip(1).map(|(n, _)| at + n);
            match quotes.find(ends) {
                Some(end) => {
                    let inner = between(text, at + 1, end);
                    whole(&inner.replace(&format!("\\{quote}"), &quote.to_string()), true, end + 1)
                }
                None => Value::Cut,
            }
        }
        Some(_) => {
            let ends = |(n, c): &(usize, char)| {
                let rest = from(rest, *n);
                matches!(c, '<' | '>' | ' ' | '\t' | '\n' | '\r' | '\u{c}')
                    || rest.starts_with("/>")
            };
            match rest.char_indices().find(ends) {
                Some((n, '<')) => Value::Broken(at + n),
                Some((n, _)) => whole(between(rest, 0, n), false, at + n),
                None => Value::Cut,
            }
        }
    }
}
