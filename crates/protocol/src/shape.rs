//! What a JSON Schema says about one value, as far as its typing asks: kinds, words, items,
//! properties. `$ref`, `anyOf`, `oneOf` and `allOf` are followed.

use alloc::{
    borrow::{Cow, ToOwned as _},
    collections::BTreeSet,
    string::String,
    vec,
    vec::Vec,
};
use core::ptr;

use serde_json::{Map, Value};

use crate::{is_same_name, kinds::Kinds};

/// Most schemas that are looked at for one value; the rest counts as saying nothing.
const SCHEMAS_MAX: usize = 2000;
/// Most schemas within each other that are looked at for one value.
const DEPTH_MAX: usize = 64;

type Object = Map<String, Value>;

/// What one value may be: what any of some schemas allows.
#[derive(Clone, Debug)]
pub(crate) struct Shape<'a> {
    root: &'a Value,
    /// Every object schema that has a say, references followed.
    schemas: Vec<&'a Object>,
    /// The kinds that are allowed.
    pub(crate) kinds: Kinds,
}

impl<'a> Shape<'a> {
    /// The shape of what a whole schema describes. References lead to places within it.
    pub(crate) fn new(root: &'a Value) -> Self {
        Self::any_of(root, vec![root])
    }

    /// The shape of what may be anything.
    pub(crate) fn open() -> Shape<'static> {
        static OPEN: Value = Value::Bool(true);
        Shape::new(&OPEN)
    }

    fn any_of(root: &'a Value, schemas: Vec<&'a Value>) -> Self {
        let mut walk = Walk { root, path: Vec::new(), n_left: SCHEMAS_MAX };
        let kinds = schemas.iter().fold(Kinds::NONE, |all, it| all.or(walk.kinds(it)));
        // What nothing could satisfy says nothing either.
        let kinds = if kinds == Kinds::NONE { Kinds::ALL } else { kinds };
        Self { root, schemas: reached(root, schemas), kinds }
    }

    /// `None` where the schemas say nothing, so that what was written is as good as anything.
    fn some_of(&self, schemas: Vec<&'a Value>) -> Option<Self> {
        let shape = Self::any_of(self.root, schemas);
        (shape.kinds != Kinds::ALL).then_some(shape)
    }

    /// The texts that the schemas list. None: any text.
    pub(crate) fn words(&self) -> Vec<&'a str> {
        let listed = self.schemas.iter().filter_map(|it| it.get("enum")?.as_array()).flatten();
        let constants = self.schemas.iter().filter_map(|it| it.get("const"));
        listed.chain(constants).filter_map(Value::as_str).collect()
    }

    /// The shape of an array's values, if the schemas say anything about them.
    pub(crate) fn items(&self) -> Option<Self> {
        self.some_of(self.schemas.iter().filter_map(|it| it.get("items")).collect())
    }

    /// The declared names of an object's values, each once.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        let mut known = BTreeSet::new();
        let properties = self.schemas.iter().filter_map(|it| it.get("properties")?.as_object());
        names.extend(properties.flat_map(Map::keys).map(String::as_str));
        names.retain(|it| known.insert(*it));
        names
    }

    /// The declared name that a written one means, and the shape of its value. `None`: the schemas
    /// say nothing about it.
    pub(crate) fn property<'n>(&self, name: &'n str) -> (Cow<'n, str>, Option<Self>) {
        let declared = self.declared(name);
        if !declared.is_empty() {
            return (name.into(), self.some_of(declared));
        }
        let names = self.names();
        let mut same = names.into_iter().filter(|it| is_same_name(it, name));
        if let (Some(meant), None) = (same.next(), same.next()) {
            return (meant.to_owned().into(), self.some_of(self.declared(meant)));
        }
        let others = self.schemas.iter().filter_map(|it| it.get("additionalProperties"));
        (name.into(), self.some_of(others.collect()))
    }

    fn declared(&self, name: &str) -> Vec<&'a Value> {
        self.schemas.iter().filter_map(|it| it.get("properties")?.get(name)).collect()
    }
}

/// Every object schema that one of these leads to.
fn reached<'a>(root: &'a Value, mut open: Vec<&'a Value>) -> Vec<&'a Object> {
    let (mut reached, mut seen) = (Vec::new(), BTreeSet::new());
    open.reverse();
    while let Some(schema) = open.pop() {
        let Value::Object(schema) = schema else { continue };
        if reached.len() == SCHEMAS_MAX || !seen.insert(ptr::from_ref(schema)) {
            continue;
        }
        reached.push(schema);
        let lists = ["allOf", "oneOf", "anyOf"].iter().filter_map(|it| schema.get(*it)?.as_array());
        open.extend(lists.flat_map(|list| list.iter().rev()));
        open.extend(referenced(root, schema));
    }
    reached
}

/// The schema that `$ref` points to; `None` where there is none, or where it lies elsewhere.
fn referenced<'a>(root: &'a Value, schema: &'a Object) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// A walk through schemas that may lead back to themselves.
struct Walk<'a> {
    root: &'a Value,
    /// The schemas it is within.
    path: Vec<*const Object>,
    n_left: usize,
}

impl<'a> Walk<'a> {
    fn kinds(&mut self, schema: &'a Value) -> Kinds {
        match schema {
            Value::Bool(false) => Kinds::NONE,
            Value::Object(schema) => self.kinds_within(schema),
            Value::Null
            | Value::Bool(true)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Kinds::ALL,
        }
    }

    fn kinds_within(&mut self, schema: &'a Object) -> Kinds {
        if self.path.contains(&ptr::from_ref(schema)) {
            return Kinds::NONE;
        }
        if self.n_left == 0 || self.path.len() == DEPTH_MAX {
            return Kinds::ALL;
        }
        self.n_left -= 1;
        self.path.push(ptr::from_ref(schema));
        let mut kinds = own_kinds(schema);
        if let Some(target) = referenced(self.root, schema) {
            kinds = kinds.and(self.kinds(target));
        }
        let list = |name| schema.get(name).and_then(Value::as_array);
        for all in list("allOf").into_iter().flatten() {
            kinds = kinds.and(self.kinds(all));
        }
        for any in ["anyOf", "oneOf"].into_iter().filter_map(list) {
            kinds = kinds.and(any.iter().fold(Kinds::NONE, |all, it| all.or(self.kinds(it))));
        }
        self.path.pop();
        kinds
    }
}

/// What a schema says itself.
fn own_kinds(schema: &Object) -> Kinds {
    let kinds = match schema.get("type") {
        Some(Value::String(name)) => Kinds::of_type(name),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            names.fold(Kinds::NONE, |all, name| all.or(Kinds::of_type(name)))
        }
        // Strictly it would say nothing about what is no object, but that is not what is meant.
        Some(_) | None if schema.contains_key("properties") => Kinds::OBJECT,
        Some(_) | None if schema.contains_key("items") => Kinds::ARRAY,
        Some(_) | None => Kinds::ALL,
    };
    let is_nullable = schema.get("nullable").is_some_and(|it| *it == true);
    let kinds = if is_nullable { kinds.or(Kinds::NULL) } else { kinds };
    let of_all =
        |values: &[Value]| values.iter().fold(Kinds::NONE, |all, it| all.or(Kinds::of_value(it)));
    let kinds = match schema.get("enum").and_then(Value::as_array) {
        Some(values) => kinds.and(of_all(values)),
        None => kinds,
    };
    match schema.get("const") {
        Some(value) => kinds.and(Kinds::of_value(value)),
        None => kinds,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn kinds(kinds: Kinds) -> String {
        let names = [
            ("text", Kinds::TEXT),
            ("null", Kinds::NULL),
            ("boolean", Kinds::BOOLEAN),
            ("whole", Kinds::INTEGER),
            ("fraction", Kinds::FRACTION),
            ("array", Kinds::ARRAY),
            ("object", Kinds::OBJECT),
        ];
        let named = names.into_iter().filter(|(_, kind)| kinds.has(*kind)).map(|(name, _)| name);
        named.collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(schema: &Value, expected: Expect) {
        let shape = Shape::new(schema);
        let lines = shape.names().into_iter().map(|name| {
            let Some(property) = shape.property(name).1 else {
                return format!("{name}: nothing\n");
            };
            let words = match property.words() {
                words if words.is_empty() => String::new(),
                words => format!(" of {}", words.join(", ")),
            };
            format!("{name}: {}{words}\n", kinds(property.kinds))
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn kinds_follow_from_what_a_schema_says() {
        let schema = json!({"properties": {
            "a": {"type": "string"},
            "b": {"type": ["integer", "null"]},
            "c": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "d": {"oneOf": [{"type": "string"}, {"type": "array", "items": {}}]},
            "e": {"allOf": [{"type": ["string", "integer"]}, {"enum": [1, "auto"]}]},
            "f": {"enum": ["x", "y"]},
            "g": {"const": 1.5},
            "h": {},
            "i": true,
            "j": {"properties": {}},
            "k": {"items": {}},
            "l": {"type": "integer", "nullable": true},
            "m": {"type": "varchar"},
            "n": {"type": "string", "enum": [1]},
            "o": {"description": "anything", "type": ["string", "number", "boolean", "object", "array", "null"]},
        }});
        check(
            &schema,
            expect![[r#"
                a: text
                b: null whole
                c: null whole fraction
                d: text array
                e: text whole of auto
                f: text of x, y
                g: whole fraction
                h: nothing
                i: nothing
                j: object
                k: array
                l: null whole
                m: nothing
                n: nothing
                o: nothing
            "#]],
        );
    }

    #[test]
    fn references_are_followed_and_may_lead_back() {
        let schema = json!({
            "$defs": {
                "id": {"type": "integer"},
                "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "id": {"$ref": "#/$defs/id"}}},
                "loop": {"anyOf": [{"$ref": "#/$defs/loop"}, {"type": "boolean"}]},
            },
            "allOf": [{"properties": {"inherited": {"type": "integer"}}}],
            "properties": {
                "a": {"$ref": "#/$defs/id"},
                "b": {"anyOf": [{"$ref": "#/$defs/id"}, {"type": "null"}]},
                "c": {"$ref": "#/$defs/node"},
                "d": {"$ref": "#/$defs/loop"},
                "e": {"$ref": "#/$defs/none"},
                "f": {"$ref": "https://example.com/schema"},
            },
        });
        check(
            &schema,
            expect![[r#"
                a: whole
                b: null whole
                c: object
                d: boolean
                e: nothing
                f: nothing
                inherited: whole
            "#]],
        );
        let root = Shape::new(&schema);
        let mut node = root.property("c").1.unwrap();
        for _ in 0..1000 {
            node = node.property("next").1.unwrap();
        }
        assert_eq!(node.property("id").1.unwrap().kinds, Kinds::INTEGER);
    }

    #[test]
    fn a_schema_that_doubles_at_each_step_is_looked_at_in_part() {
        let mut defs = Map::new();
        for n in 0..60 {
            let next = json!({"$ref": format!("#/$defs/{}", n + 1)});
            defs.insert(format!("{n}"), json!({"anyOf": [next, next]}));
        }
        let schema = json!({"$defs": defs, "$ref": "#/$defs/0"});
        assert_eq!(Shape::new(&schema).kinds, Kinds::ALL);
    }

    #[test]
    fn names_are_the_same_in_any_case_if_only_one_is() {
        let schema = json!({"properties": {"file_path": {}, "Mode": {}, "mode": {}}, "additionalProperties": {"type": "integer"}});
        let shape = Shape::new(&schema);
        assert_eq!(shape.property("File-Path").0, "file_path");
        assert_eq!(shape.property("mode").0, "mode");
        assert_eq!(shape.property("MODE").0, "MODE");
        assert_eq!(shape.property("other").1.unwrap().kinds, Kinds::INTEGER);
    }
}
