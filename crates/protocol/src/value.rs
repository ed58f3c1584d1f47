//! Puts the values of a call together: which argument a part belongs to, lists, objects, bounds.

use alloc::{borrow::ToOwned as _, format, string::String, vec, vec::Vec};

use serde_json::{Map, Value};
use tagline_parser::Child;

use crate::{
    ArgFault, ArgSpec, ArgType, Place,
    arg_fault::quoted,
    bounds,
    elements::{self, Element},
    given::Given,
    is_same_name, literal, nearest,
    scalar::Reading,
};

/// A value and the name it was given under.
pub(crate) struct Part<'a> {
    /// `None`: text where no body is declared.
    name: Option<&'a str>,
    given: Given<'a>,
    is_body: bool,
}

impl<'a> Part<'a> {
    pub(crate) fn named(name: &'a str, given: Given<'a>) -> Self {
        Self { name: Some(name), given, is_body: false }
    }

    /// A body belongs to the argument that is declared as one.
    pub(crate) fn body(fields: &'a [ArgSpec], given: Given<'a>) -> Self {
        let field = fields.iter().find(|it| it.is_body());
        Self { name: field.map(|it| it.name.as_str()), given, is_body: true }
    }
}

/// The element whose fields are put together.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// Its name.
    pub(crate) element: &'a str,
    /// What stands before a field's name in a fault: empty, or `step#2.`.
    pub(crate) path: &'a str,
}

/// How a call was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// As a tag.
    #[default]
    Tag,
    /// As the arguments of a native call.
    Json,
}

/// Collects what does not fit while values are typed.
#[derive(Default)]
pub(crate) struct Typing {
    /// What the faults speak of.
    pub(crate) form: Form,
    /// Values that do not fit.
    pub(crate) faults: Vec<ArgFault>,
    /// What the tool does not know.
    pub(crate) odd: Vec<ArgFault>,
}

impl Typing {
    /// The values of an element's fields, in declared order.
    pub(crate) fn fields(
        &mut self,
        fields: &[ArgSpec],
        parts: Vec<Part<'_>>,
        site: Site<'_>,
    ) -> Map<String, Value> {
        self.note_odd(fields, &parts, site);
        let mut values = Map::new();
        for field in fields {
            let given = given_for(field, &parts);
            if let Some(value) = self.field(field, &given, site) {
                values.insert(field.name.clone(), value);
            }
        }
        values
    }

    fn note_odd(&mut self, fields: &[ArgSpec], parts: &[Part<'_>], site: Site<'_>) {
        let known: Vec<String> = fields.iter().map(|it| it.name.clone()).collect();
        for part in parts {
            match part.name {
                Some(name) if fields.iter().any(|it| is_same_name(&it.name, name)) => (),
                Some(name) => self.odd.push(ArgFault::Unknown {
                    arg: format!("{}{name}", site.path),
                    known: known.clone(),
                    nearest: nearest(name, known.iter().map(String::as_str)),
                }),
                None if part.given.is_blank() => (),
                None => self.odd.push(ArgFault::StrayText {
                    within: site.element.to_owned(),
                    found: part.given.quoted(),
                    known: known.clone(),
                }),
            }
        }
    }

    fn field(&mut self, field: &ArgSpec, given: &[Given<'_>], site: Site<'_>) -> Option<Value> {
        let path = format!("{}{}", site.path, field.name);
        let n_faults = self.faults.len();
        let value = match &field.ty {
            ArgType::List(item) => self.list(field, item, given, &path),
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::Object(_)
            | ArgType::Json => self.single(&field.ty, given, &path),
        };
        if let Some(value) = &value {
            self.check_bounds(&field.schema, value, &path);
        } else if field.is_required && n_faults == self.faults.len() {
            self.faults.push(missing(field, path, site, self.form));
        }
        value
    }

    fn single(&mut self, ty: &ArgType, given: &[Given<'_>], path: &str) -> Option<Value> {
        let mut values: Vec<Value> = Vec::new();
        for &it in given {
            values.extend(self.one(ty, it, path));
        }
        let mut values = values.into_iter();
        let first = values.next()?;
        if let Some(second) = values.find(|it| *it != first) {
            self.faults.push(ArgFault::GivenTwice {
                arg: path.to_owned(),
                first: quoted_value(&first),
                second: quoted_value(&second),
            });
        }
        Some(first)
    }

    fn list(
        &mut self,
        field: &ArgSpec,
        item: &ArgType,
        given: &[Given<'_>],
        path: &str,
    ) -> Option<Value> {
        if given.is_empty() {
            return None;
        }
        let empty = Value::Null;
        let schema = field.schema.get("items").unwrap_or(&empty);
        let whole = if let [only] = given { Some(only.decoded()) } else { None };
        let items = whole.as_deref().and_then(items_of);
        let given = items.unwrap_or_else(|| given.to_vec());
        let mut values = Vec::new();
        for (n, &it) in given.iter().enumerate() {
            if matches!(it, Given::Text(_)) {
                self.faults.push(ArgFault::ListAsAttribute { arg: path.to_owned() });
                continue;
            }
            let path = if n == 0 { path.to_owned() } else { format!("{path}#{}", n + 1) };
            if let Some(value) = self.one(item, it, &path) {
                self.check_bounds(schema, &value, &path);
                values.push(value);
            }
        }
        Some(Value::Array(values))
    }

    /// One value of a type that is no list.
    fn one(&mut self, ty: &ArgType, given: Given<'_>, path: &str) -> Option<Value> {
        if let ArgType::Object(fields) = ty {
            return self.object(fields, given, path);
        }
        if let Given::Child(child) = given {
            let parts =
                child.attributes.iter().map(|(name, text)| Part::named(name, Given::Text(text)));
            let site = Site { element: &child.name, path: &format!("{path}.") };
            self.note_odd(&[], &parts.collect::<Vec<_>>(), site);
        }
        match given.read(ty) {
            Reading::Value(value) => Some(value),
            Reading::Absent => None,
            Reading::Mismatch => {
                self.faults.push(mismatch(ty, given, path));
                None
            }
        }
    }

    fn object(&mut self, fields: &[ArgSpec], given: Given<'_>, path: &str) -> Option<Value> {
        let whole = given.decoded();
        let members = match (self.form, given) {
            (Form::Json, Given::Json(source)) => own_members(source),
            (Form::Tag | Form::Json, _) if given.has_attributes() => None,
            (Form::Tag | Form::Json, _) => members_of(fields, &whole),
        };
        let parts = match (&members, given) {
            (Some(members), _) => members.iter().map(|(name, it)| Part::named(name, *it)).collect(),
            (None, Given::Child(child)) => parts_of_child(fields, child),
            (None, Given::Text(_) | Given::Written(_) | Given::Json(_) | Given::Element(_)) => {
                vec![Part::body(fields, given)]
            }
        };
        let element = path.split(['#', '.']).next().unwrap_or(path);
        let values = self.fields(fields, parts, Site { element, path: &format!("{path}.") });
        Some(Value::Object(values))
    }

    fn check_bounds(&mut self, schema: &Value, value: &Value, path: &str) {
        if let Some(broken) = bounds::broken(schema, value) {
            let bounds::Broken { bound, found } = broken;
            self.faults.push(ArgFault::OutOfBounds { arg: path.to_owned(), bound, found });
        }
    }
}

/// The items of a text that is a whole list: a JSON array, or elements of that name.
fn items_of(text: &str) -> Option<Vec<Given<'_>>> {
    if let Some(items) = literal::items(text) {
        return Some(items.into_iter().map(Given::Json).collect());
    }
    let elements = elements::read(text)?;
    let are_items = elements.iter().all(|it| it.name == elements::ITEM);
    are_items.then(|| elements.iter().map(|it| Given::Element(it.inner)).collect())
}

/// The named values of an object in JSON, whatever their names.
fn own_members(source: &str) -> Option<Vec<(String, Given<'_>)>> {
    let members = literal::members(source)?;
    Some(members.into_iter().map(|(name, source)| (name, Given::Json(source))).collect())
}

/// Whether a text alone would be read as the items of a list.
pub(crate) fn is_read_as_items(text: &str) -> bool {
    items_of(&literal::unquoted(text).unwrap_or_else(|| text.to_owned())).is_some()
}

/// Whether the text of an element would be read as the values of its fields.
pub(crate) fn is_read_as_members(fields: &[ArgSpec], text: &str) -> bool {
    let text = literal::unquoted(text).unwrap_or_else(|| text.to_owned());
    members_of(fields, &text).is_some()
}

/// The named values of a text that is a whole object: JSON, or elements. It is a text where its
/// first name is not a field's.
fn members_of<'a>(fields: &[ArgSpec], text: &'a str) -> Option<Vec<(String, Given<'a>)>> {
    let is_field = |name: &str| fields.iter().any(|it| is_same_name(&it.name, name));
    if let Some(members) = literal::members(text) {
        let (first, _) = members.first()?;
        let given = |(name, source)| (name, Given::Json(source));
        return is_field(first).then(|| members.into_iter().map(given).collect());
    }
    // A verbatim body may be markup of its own.
    if fields.iter().any(|it| it.is_body() && it.is_raw) {
        return None;
    }
    let elements = elements::read(text)?;
    let given = |it: &Element<'a>| (it.name.to_owned(), Given::Element(it.inner));
    elements.iter().all(|it| is_field(it.name)).then(|| elements.iter().map(given).collect())
}

fn parts_of_child<'a>(fields: &'a [ArgSpec], child: &'a Child) -> Vec<Part<'a>> {
    let attributes =
        child.attributes.iter().map(|(name, text)| Part::named(name, Given::Text(text)));
    let body = Part::body(fields, Given::Written(&child.value));
    // A child that closed itself reads as blank: that is a value only where blanks count.
    let is_raw = fields.iter().any(|it| it.is_body() && it.is_raw);
    let body = Some(body).filter(|it| is_raw || !it.given.is_blank());
    attributes.chain(body).collect()
}

/// The values given for a field. A blank body beside another value is layout.
fn given_for<'a>(field: &ArgSpec, parts: &[Part<'a>]) -> Vec<Given<'a>> {
    let is_mine = |part: &&Part<'_>| part.name.is_some_and(|it| is_same_name(it, &field.name));
    let mine: Vec<&Part<'_>> = parts.iter().filter(is_mine).collect();
    let is_layout = |part: &Part<'_>| 1 < mine.len() && part.is_body && part.given.is_blank();
    mine.iter().filter(|it| !is_layout(it)).map(|it| it.given).collect()
}

fn missing(field: &ArgSpec, arg: String, site: Site<'_>, form: Form) -> ArgFault {
    let expected = field.ty.in_words();
    let name = &field.name;
    if form == Form::Json {
        return ArgFault::Missing { arg, expected, written: format!("`\"{name}\": …`") };
    }
    let written = match field.place {
        Place::Body if site.path.is_empty() => return ArgFault::MissingBody { arg, expected },
        Place::Attribute => format!("the attribute `{name}=\"…\"`"),
        Place::Child => format!("an element `{name}` inside"),
        Place::Body => format!("it between the tags of `{}`", site.element),
    };
    ArgFault::Missing { arg, expected, written }
}

fn mismatch(ty: &ArgType, given: Given<'_>, path: &str) -> ArgFault {
    let (arg, text) = (path.to_owned(), given.text());
    let found = quoted(&text);
    if let ArgType::Enum(words) = ty {
        let nearest = nearest(text.trim(), words.iter().map(String::as_str));
        return ArgFault::UnknownWord { arg, words: words.clone(), found, nearest };
    }
    let found = match serde_json::from_str::<Value>(text.trim()) {
        Err(error) if *ty == ArgType::Json => format!("{found} ({error})"),
        Ok(_) if *ty == ArgType::Json => format!("{found} (a number in it has too many digits)"),
        Ok(_) | Err(_) => found,
    };
    ArgFault::WrongType { arg, expected: ty.in_words(), found }
}

fn quoted_value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            quoted(&format!("{value}"))
        }
    }
}
