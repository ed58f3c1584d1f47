//! From a block to the text that reads as the same block.
//!
//! Raw values become CDATA sections, split where a tag of the block or of one of its children, or
//! the section's own end, would be read. Scalars are escaped; blanks at their ends become numeric
//! references. Values written as JSON are rendered as their source text.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::fmt::Write as _;

use crate::{
    Block, Child, TagSet, TagSpec, Value, ValueKind,
    chars::{fold, is_name, is_same_name},
};

/// The end of a section and the start of the next: nothing, to the parser.
const SPLIT: &str = "]]><![CDATA[";

/// Renders a block in the native dialect. Tags that the set does not have are taken to have scalar
/// children and a scalar body.
///
/// # Examples
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, ValueKind, parse, render};
///
/// let tags = TagSet::new([TagSpec {
///     name: "write_file".into(),
///     attributes: vec!["path".into()],
///     body: Some(ValueKind::Raw),
///     ..TagSpec::default()
/// }]);
/// let text = "<write_file path=\"a\">one </write_file> of it\n</write_file>";
/// let events = parse(&tags, Limits::default(), text, Finish::Stop);
/// let Some(Event::End(block)) = events.last() else { panic!() };
/// let rendered = render(block, &tags);
/// assert_eq!(
///     rendered,
///     "<write_file path=\"a\"><![CDATA[one </]]><![CDATA[write_file> of it]]></write_file>"
/// );
/// ```
#[must_use]
pub fn render(block: &Block, tags: &TagSet) -> String {
    let spec = tags.specs().iter().find(|spec| spec.name == block.name);
    let names = names(block, spec);
    let mut out = String::new();
    start(&mut out, &block.name, &block.attributes);
    if block.body.is_none() && block.children.is_empty() {
        out.push_str("/>");
        return out;
    }
    out.push('>');
    for child in &block.children {
        render_child(&mut out, child, spec, &names);
    }
    if let Some(body) = &block.body {
        let kind = spec.and_then(|spec| spec.body).unwrap_or_default();
        let text = value(body, kind, &names);
        match text.strip_prefix('{') {
            // Behind children, an empty body would be none.
            None if text.is_empty() && !block.children.is_empty() => out.push_str("<![CDATA[]]>"),
            // An object would be read as arguments.
            Some(rest) => out.extend(["&#123;", rest]),
            None => out.push_str(&text),
        }
    }
    let _ = write!(out, "</{}>", block.name);
    out
}

/// Every name that is a tag inside this block.
fn names<'a>(block: &'a Block, spec: Option<&'a TagSpec>) -> Vec<&'a str> {
    let mut names: Vec<&str> = alloc::vec![&block.name];
    names.extend(block.children.iter().map(|child| child.name.as_str()));
    if let Some(spec) = spec {
        names.extend(spec.aliases.iter().map(String::as_str));
        names.extend(spec.attributes.iter().map(String::as_str));
        names.extend(spec.children.iter().map(|child| child.name.as_str()));
    }
    names
}

fn start(out: &mut String, name: &str, attributes: &[(String, String)]) {
    let _ = write!(out, "<{name}");
    for (name, value) in attributes {
        let _ = write!(out, " {name}=\"{}\"", escaped(value));
    }
}

fn render_child(out: &mut String, child: &Child, spec: Option<&TagSpec>, names: &[&str]) {
    let declared = spec.and_then(|spec| spec.children.iter().find(|it| it.name == child.name));
    let kind = declared.map(|it| it.kind).unwrap_or_default();
    start(out, &child.name, &child.attributes);
    let _ = write!(out, ">{}</{}>", value(&child.value, kind, names), child.name);
}

fn value(value: &Value, kind: ValueKind, names: &[&str]) -> String {
    match kind {
        ValueKind::Raw => section(value.text(), names),
        ValueKind::Scalar => scalar(value.text()),
    }
}

/// A scalar's source: escaped, with references for the blanks that would be trimmed.
fn scalar(text: &str) -> String {
    let inner = text.trim();
    let start = text.len() - text.trim_start().len();
    let (before, rest) = text.split_at(start.min(text.len()));
    let behind = rest.get(inner.len()..).unwrap_or_default();
    let mut out = references(before);
    out.push_str(&escaped(inner));
    out.push_str(&references(behind));
    out
}

fn references(text: &str) -> String {
    text.chars().map(|c| format!("&#{};", u32::from(c))).collect()
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    Cow::Owned(text.replace('>', "&gt;").replace('"', "&quot;"))
}

/// A section that holds a text.
fn section(text: &str, names: &[&str]) -> String {
    let mut out = String::from("<![CDATA[");
    // One line break at each end is layout, so one that counts needs another before it.
    if text.starts_with('\n') || text.starts_with("\r\n") {
        out.push('\n');
    }
    let mut rest = text;
    while let Some(cut) = cut(rest, names) {
        let (piece, behind) = rest.split_at(cut);
        out.extend([piece, SPLIT]);
        rest = behind;
    }
    out.push_str(rest);
    if text.ends_with('\n') {
        out.push('\n');
    }
    out.push_str("]]>");
    out
}

/// Where the text must be split next, not at its start.
fn cut(text: &str, names: &[&str]) -> Option<usize> {
    let is_cut = |&(at, byte): &(usize, u8)| match byte {
        b'>' => text.get(..at).is_some_and(|before| before.ends_with("]]")),
        _ => is_tag_name(text, at, names),
    };
    text.bytes().enumerate().skip(1).find(is_cut).map(|(at, _)| at)
}

/// Whether the name of a tag starts here.
fn is_tag_name(text: &str, at: usize, names: &[&str]) -> bool {
    let is_first = |name: &&str| {
        let byte = text.as_bytes().get(at).copied().map(fold);
        byte.is_some() && byte == name.bytes().next().map(fold)
    };
    if !names.iter().any(is_first) {
        return false;
    }
    let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
    let before = before.trim_end();
    let before = before.strip_suffix('/').unwrap_or(before).trim_end();
    let end = behind.bytes().position(|byte| !is_name(byte)).unwrap_or(behind.len());
    let name = behind.get(..end).unwrap_or_default();
    before.ends_with('<') && names.iter().any(|it| is_same_name(it, name))
}
