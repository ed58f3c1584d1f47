//! Types what is made of several parts: elements within a value, values that repeat.

use alloc::{borrow::ToOwned as _, collections::BTreeMap, string::String, vec::Vec};

use tagline_parser::Value as Written;

use crate::{
    Typed,
    elements::{self, Element, ITEM},
    kinds::Kinds,
    shape::Shape,
    typing::Typist,
};

/// Most brackets and elements around elements: each of those reads what is in it once more.
const ELEMENTS_MAX: usize = 32;

/// A value as it was given.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// Text, which may be any type.
    Text(&'a str),
    /// A string in JSON, which was meant as text.
    String(&'a str),
    /// Another value in JSON: its source.
    Json(&'a str),
    /// The text between the tags of an element inside a value.
    Element(&'a str),
}

impl<'a> From<&'a Written> for Given<'a> {
    fn from(written: &'a Written) -> Self {
        match written {
            Written::Text(text) => Self::Text(text),
            Written::String(text) => Self::String(text),
            Written::Json(source) => Self::Json(source),
        }
    }
}

/// Values by name, in the order in which the names were first given.
#[derive(Default)]
pub(crate) struct Named<'a> {
    values: Vec<(String, Option<Shape<'a>>, Vec<Given<'a>>)>,
    places: BTreeMap<String, usize>,
}

impl<'a> Named<'a> {
    /// Adds a value under the name that the shape declares for it.
    pub(crate) fn add(&mut self, shape: &Shape<'a>, name: &str, value: Given<'a>) {
        let (name, shape) = shape.property(name);
        let name = name.into_owned();
        if let Some((.., values)) = self.places.get(&name).and_then(|&n| self.values.get_mut(n)) {
            return values.push(value);
        }
        self.places.insert(name.clone(), self.values.len());
        self.values.push((name, shape, [value].into()));
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }
}

impl Typist {
    /// Named values as an object.
    pub(crate) fn object(self, named: Named<'_>) -> Typed {
        let member = |(name, shape, values): (_, Option<Shape<'_>>, Vec<_>)| {
            (name, self.repeated(shape.as_ref(), &values))
        };
        Typed::Object(named.values.into_iter().map(member).collect())
    }

    /// The value of a name that was given once or more often: an array takes all, other shapes the
    /// last.
    fn repeated(self, shape: Option<&Shape<'_>>, given: &[Given<'_>]) -> Typed {
        let takes_all = match (shape, given) {
            (_, [] | [_]) => false,
            (Some(shape), _) => shape.kinds.has(Kinds::ARRAY),
            (None, _) => given.iter().all(|it| matches!(it, Given::Element(_))),
        };
        if takes_all {
            return self.collected(shape, given);
        }
        given.last().map_or(Typed::Null, |it| self.one(shape, *it))
    }

    /// All values in one array. What is an array itself is taken apart, unless arrays are what the
    /// array holds.
    fn collected(self, shape: Option<&Shape<'_>>, given: &[Given<'_>]) -> Typed {
        let of_items = shape.and_then(Shape::items);
        let holds_arrays = of_items.as_ref().is_some_and(|it| it.kinds.has(Kinds::ARRAY));
        let mut items = Vec::new();
        for &it in given {
            match self.one(shape, it) {
                Typed::Array(more) if !holds_arrays => items.extend(more),
                Typed::Null
                | Typed::Boolean(_)
                | Typed::Number(_)
                | Typed::Text(_)
                | Typed::Array(_)
                | Typed::Object(_) => items.push(self.one(of_items.as_ref(), it)),
            }
        }
        Typed::Array(items)
    }

    /// One value. What cannot be typed stays as it was given.
    fn one(self, shape: Option<&Shape<'_>>, given: Given<'_>) -> Typed {
        let typed = match (given, shape) {
            (Given::Text(text), Some(shape)) => self.text(shape, text),
            (Given::String(text), Some(shape)) => self.string(shape, text),
            (Given::Text(_) | Given::String(_), None) => None,
            (Given::Json(source), shape) => self.json(shape, source),
            (Given::Element(inner), Some(shape)) => self.text(shape, elements::text(inner)),
            (Given::Element(inner), None) => self.untyped(inner),
        };
        typed.unwrap_or_else(|| match given {
            Given::Text(text) | Given::String(text) | Given::Json(text) => {
                Typed::Text(text.to_owned())
            }
            Given::Element(inner) => Typed::Text(elements::text(inner).to_owned()),
        })
    }

    /// A text that is made of elements alone, as an array or an object.
    pub(crate) fn elements(self, shape: &Shape<'_>, text: &str) -> Option<Typed> {
        let elements = self.read(text)?;
        let is_list = elements.iter().all(|it| it.name == ITEM);
        let has_one_name = elements.windows(2).all(|it| matches!(it, [a, b] if a.name == b.name));
        let (array, object) = (shape.kinds.has(Kinds::ARRAY), shape.kinds.has(Kinds::OBJECT));
        if array && has_one_name && (is_list || !object) {
            return Some(self.array_of(shape.items().as_ref(), &elements));
        }
        object.then(|| self.object_of(shape, &elements))
    }

    /// Elements inside a value whose shape leaves them open: what holds nothing else is a value of
    /// several parts too.
    fn untyped(self, inner: &str) -> Option<Typed> {
        let elements = self.read(inner)?;
        if elements.iter().all(|it| it.name == ITEM) {
            return Some(self.array_of(None, &elements));
        }
        Some(self.object_of(&Shape::open(), &elements))
    }

    fn read(self, text: &str) -> Option<Vec<Element<'_>>> {
        if self.depth < ELEMENTS_MAX { elements::read(text) } else { None }
    }

    const fn inside(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn array_of(self, of_items: Option<&Shape<'_>>, elements: &[Element<'_>]) -> Typed {
        let item = |it: &Element<'_>| self.inside().one(of_items, Given::Element(it.inner));
        Typed::Array(elements.iter().map(item).collect())
    }

    fn object_of(self, shape: &Shape<'_>, elements: &[Element<'_>]) -> Typed {
        let mut named = Named::default();
        for it in elements {
            named.add(shape, it.name, Given::Element(it.inner));
        }
        self.inside().object(named)
    }
}
