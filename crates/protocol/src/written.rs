//! A typed call as the tag that a model would write: the way back from [`decode`](crate::decode).
//!
//! What it writes parses without a fault and decodes to the same arguments, whatever the texts in
//! them hold.

use alloc::{format, string::String, vec::Vec};

use serde_json::{Map, Value};

use crate::{
    ArgSpec, ArgType, Place, ToolSpec,
    value::{is_read_as_items, is_read_as_members},
};

type Object = Map<String, Value>;

impl ToolSpec {
    /// The call with these arguments, as [`decode`](crate::decode) gives them, as a tag. Names that
    /// the tool does not know are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tagline_protocol::{Effect, SpecHeader, ToolSpec};
    /// # use serde_json::json;
    /// /// Writes a text file, whole.
    /// #[derive(schemars::JsonSchema)]
    /// struct WriteFile {
    ///     path: String,
    ///     #[schemars(extend("x-tag" = "body raw"))]
    ///     content: String,
    /// }
    ///
    /// let spec = ToolSpec::of::<WriteFile>(SpecHeader::new("write_file", Effect::Write))?;
    /// let arguments = json!({ "path": "a \"b\"", "content": "x[y[0]]>1" });
    /// assert_eq!(
    ///     spec.written(&arguments),
    ///     r#"<write_file path="a &quot;b&quot;"><![CDATA[x[y[0]]]]><![CDATA[>1]]></write_file>"#
    /// );
    /// # Ok::<(), tagline_protocol::SpecError>(())
    /// ```
    #[must_use]
    pub fn written(&self, arguments: &Value) -> String {
        let empty = Object::new();
        let values = arguments.as_object().unwrap_or(&empty);
        element(&self.name, &self.name, &self.args, values)
    }
}

/// An element of a call of `tool`, with its attributes, children and body.
fn element(tool: &str, name: &str, fields: &[ArgSpec], values: &Object) -> String {
    let given = || fields.iter().filter_map(|field| Some((field, values.get(&field.name)?)));
    // A blank body beside children would be layout; as an attribute it is a value.
    let has_children = given().any(|(field, _)| field.place == Place::Child);
    let place = move |field: &ArgSpec, value: &Value| {
        let is_blank = value.as_str().is_some_and(|it| it.trim().is_empty());
        let is_layout = has_children && is_blank && field.ty != ArgType::Json;
        if field.is_body() && is_layout { Place::Attribute } else { field.place }
    };
    let at = |wanted| given().filter(move |(field, value)| place(field, value) == wanted);
    let attributes: String = at(Place::Attribute)
        .map(|(field, value)| format!(" {}=\"{}\"", field.name, attribute(&plain(value))))
        .collect();
    let children = at(Place::Child).map(|(field, value)| child(tool, field, value));
    let bodies = at(Place::Body).map(|(field, value)| text(&[tool, name], field, &field.ty, value));
    let parts: Vec<String> = children.chain(bodies).collect();
    if parts.is_empty() {
        return format!("<{name}{attributes}/>");
    }
    format!("<{name}{attributes}>{}</{name}>", parts.concat())
}

fn child(tool: &str, field: &ArgSpec, value: &Value) -> String {
    match (&field.ty, value) {
        (ArgType::List(item), Value::Array(values)) => list(tool, field, item, values),
        (ty, value) => one_child(tool, field, ty, value),
    }
}

/// A child for each value. A list that would not read back as such children is JSON in one.
fn list(tool: &str, field: &ArgSpec, item: &ArgType, values: &[Value]) -> String {
    let reads_as_items = match values {
        [] => true,
        [Value::String(only)] => is_read_as_items(only),
        [Value::Object(only)] => only.values().any(|it| it.as_str().is_some_and(is_read_as_items)),
        [only] => *item == ArgType::Json && only.is_array(),
        _ => false,
    };
    if reads_as_items {
        return as_json(&field.name, &Value::from(values.to_vec()));
    }
    values.iter().map(|it| one_child(tool, field, item, it)).collect()
}

fn one_child(tool: &str, field: &ArgSpec, ty: &ArgType, value: &Value) -> String {
    let name = &field.name;
    if let (ArgType::Object(fields), Value::Object(values)) = (ty, value) {
        return if is_faithful(fields, values) {
            element(tool, name, fields, values)
        } else {
            as_json(name, value)
        };
    }
    format!("<{name}>{}</{name}>", text(&[tool, name], field, ty, value))
}

/// Whether an element with these values reads back as they are: an element without attributes may
/// be read as JSON, and an empty text in one is no value.
fn is_faithful(fields: &[ArgSpec], values: &Object) -> bool {
    let has_attributes =
        fields.iter().any(|it| it.place == Place::Attribute && values.contains_key(&it.name));
    let body = fields.iter().find(|it| it.is_body());
    let text = body.and_then(|it| Some((it, plain(values.get(&it.name)?))));
    match text {
        None => has_attributes && body.is_none_or(|it| !it.is_raw),
        Some((field, text)) if text.trim().is_empty() => field.is_raw && has_attributes,
        Some((_, text)) => has_attributes || !is_read_as_members(fields, &text),
    }
}

fn as_json(name: &str, value: &Value) -> String {
    format!("<{name}>{}</{name}>", scalar(&json(value)))
}

/// A value between the tags of elements of these names.
fn text(names: &[&str], field: &ArgSpec, ty: &ArgType, value: &Value) -> String {
    let text = if *ty == ArgType::Json { json(value) } else { plain(value) };
    if field.is_raw { section(names, &text) } else { scalar(&text) }
}

/// A scalar as its text, without the quotes of JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value}"), String::from)
}

/// JSON without a character that begins markup.
fn json(value: &Value) -> String {
    format!("{value}").replace('<', "\\u003c")
}

/// A CDATA section. It breaks where the text would end it, and in what reads as one of the tags
/// around it.
fn section(names: &[&str], text: &str) -> String {
    let mut inner = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let breaks = match c {
            '>' => inner.ends_with("]]"),
            _ => inner.ends_with(['<', '/']) && names.iter().any(|it| begins_with(rest, it)),
        };
        if breaks {
            inner.push_str("]]><![CDATA[");
        }
        inner.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    // One line break at either end is layout.
    let before = if text.starts_with(['\n', '\r']) { "\n" } else { "" };
    let behind = if ends_with_line(text) { "\n" } else { "" };
    format!("<![CDATA[{before}{inner}{behind}]]>")
}

fn begins_with(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|it| crate::is_same_name(it, name))
}

/// Whether nothing but blanks stands behind the last line break.
fn ends_with_line(text: &str) -> bool {
    text.trim_end_matches([' ', '\t', '\r']).ends_with('\n')
}

fn attribute(text: &str) -> String {
    text.chars().map(|c| reference(c, matches!(c, '\\' | '\'' | '\n' | '\t'))).collect()
}

/// Text between tags: what is trimmed off its ends, or says what it is by its first character, is
/// written as a number.
fn scalar(text: &str) -> String {
    let last = text.chars().count().saturating_sub(1);
    let is_lost = |n, c: char| {
        (n == 0 || n == last) && c.is_whitespace() || n == 0 && matches!(c, '{' | '[' | '(' | '`')
    };
    text.chars().enumerate().map(|(n, c)| reference(c, is_lost(n, c))).collect()
}

/// A character, as a reference where it would be markup or where that is wanted.
fn reference(c: char, is_wanted: bool) -> String {
    match c {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '"' => "&quot;".into(),
        '\n' | '\t' if !is_wanted => c.into(),
        // No reference stands for it.
        '\0' => c.into(),
        _ if is_wanted || c.is_control() => format!("&#{};", u32::from(c)),
        _ => c.into(),
    }
}
