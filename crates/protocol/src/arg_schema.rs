//! Types the arguments of a call by a JSON Schema, for tools that have no [`ToolSpec`].
//!
//! [`ToolSpec`]: crate::ToolSpec

use alloc::{borrow::ToOwned as _, vec::Vec};

use serde_json::Value;
use tagline_parser::{Block, ChildSpec, ValueKind};

use crate::{
    Typed,
    kinds::Kinds,
    nested::{Given, Named},
    shape::Shape,
    typing::Typist,
};

/// What the arguments of a tool may be: a JSON Schema of an object.
///
/// `type`, also as a list, `enum`, `const`, `properties`, `items`, `additionalProperties`,
/// `anyOf`, `oneOf`, `allOf` and `$ref` within the schema decide how a value is read; bounds,
/// patterns and required names are for whoever validates.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgSchema(Value);

impl ArgSchema {
    /// Takes a schema as it is. One that says nothing leaves all values as they were written.
    #[must_use]
    pub const fn new(schema: Value) -> Self {
        Self(schema)
    }

    /// The declared names, in order.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        Shape::new(&self.0).names()
    }

    /// How the parser reads the arguments: text, and what may hold JSON or elements, verbatim.
    #[must_use]
    pub fn child_specs(&self) -> Vec<ChildSpec> {
        let shape = Shape::new(&self.0);
        let spec = |name: &str| {
            let kinds = shape.property(name).1.map_or(Kinds::ALL, |it| it.kinds);
            let is_verbatim = kinds.has(Kinds::TEXT.or(Kinds::ARRAY).or(Kinds::OBJECT));
            ChildSpec {
                name: name.to_owned(),
                kind: if is_verbatim { ValueKind::Raw } else { ValueKind::Scalar },
                is_list: kinds.has(Kinds::ARRAY) && !kinds.has(Kinds::TEXT),
                attributes: Vec::new(),
            }
        };
        shape.names().into_iter().map(spec).collect()
    }

    /// The one argument of a tool that takes a text and nothing else.
    #[must_use]
    pub fn only_text(&self) -> Option<&str> {
        let shape = Shape::new(&self.0);
        let name = match shape.names().as_slice() {
            [only] => *only,
            _ => return None,
        };
        shape.property(name).1.filter(|it| it.kinds == Kinds::TEXT).map(|_| name)
    }

    /// The arguments of a call, typed: always an object, its names as declared, in the order given.
    ///
    /// Never fails: a value that does not fit stays as it was given, so that a validator can say
    /// what is wrong. What is typed how:
    ///
    /// * A name that the schema does not know: a text stays text, JSON stays JSON.
    /// * A string: the exact text; of JSON that is no string, the exact source.
    /// * Other types: strictly by JSON's syntax, with all digits, `5.0` as a whole number where one
    ///   is wanted; Python's words and quotes count; JSON in a JSON string too; `null` is no value.
    /// * A string or another type: text, unless the other type prints as the same text.
    /// * A value given several times: an array takes them all, other types the last.
    /// * A text of elements alone, where an array or object is wanted: the values in the elements.
    ///
    /// # Examples
    ///
    /// ```
    /// # use serde_json::json;
    /// # use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, parse};
    /// # use tagline_protocol::ArgSchema;
    /// let schema = ArgSchema::new(json!({
    ///     "type": "object",
    ///     "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    /// }));
    /// let children = schema.child_specs();
    /// let tags = TagSet::new([TagSpec { name: "weather".into(), children, ..TagSpec::default() }]);
    /// let reply = "<weather><city>007</city><days>7.0</days></weather>";
    /// let events = parse(&tags, Limits::default(), reply, Finish::Stop);
    /// let Some(Event::End(block)) = events.last() else { panic!() };
    /// assert_eq!(schema.arguments(block).to_string(), r#"{"city":"007","days":7}"#);
    /// ```
    #[must_use]
    pub fn arguments(&self, block: &Block) -> Typed {
        let shape = Shape::new(&self.0);
        let mut named = Named::default();
        for (name, text) in &block.attributes {
            named.add(&shape, name, Given::Text(text));
        }
        for child in &block.children {
            named.add(&shape, &child.name, (&child.value).into());
        }
        if let (Some(name), Some(body)) = (self.only_text(), &block.body)
            && !named.has(name)
            && !body.text().trim().is_empty()
        {
            named.add(&shape, name, body.into());
        }
        Typist::default().object(named)
    }
}
