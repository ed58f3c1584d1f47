//! What a decision covers: exactly the call that was judged.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tagline_policy::{Claims, FactKind};
use tagline_protocol::{Call, ToolSpec};

/// The parts of a call that a decision is bound to, each as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    fields: Vec<(&'static str, String)>,
}

impl Binding {
    /// What this call is now.
    pub(crate) fn of(call: &Call, spec: &ToolSpec, claims: &Claims) -> Self {
        let definition = format!("{}\n{}", spec.description, canonical(&spec.schema));
        let mut fields = vec![
            ("call", call.id.to_string()),
            ("tool", call.tool.clone()),
            ("arguments", canonical(&call.arguments).to_string()),
            ("paths", format!("{:?} {:?}", claims.paths, claims.cwd)),
            ("command", format!("{:?} {:?}", claims.command, claims.hosts)),
            ("definition", definition),
        ];
        // Each kind has its field, so that two lists can be compared one by one.
        fields.extend(FactKind::ALL.map(|kind| (kind.as_str(), facts(claims, kind))));
        Self { fields }
    }

    /// SHA-256 over the fields, in hexadecimal.
    pub(crate) fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (name, value) in &self.fields {
            // Lengths first, so that no two lists of fields read the same.
            hash.update(name.len().to_le_bytes());
            hash.update(name);
            hash.update(value.len().to_le_bytes());
            hash.update(value);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The first field in which two differ.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        let mut pairs = self.fields.iter().zip(&other.fields);
        pairs.find(|(one, two)| one != two).map(|((name, _), _)| *name)
    }
}

/// All that is bound of this kind.
fn facts(claims: &Claims, kind: FactKind) -> String {
    let of_kind = claims.facts.iter().filter(|fact| fact.kind == kind);
    of_kind.map(|fact| format!("{:?}\n", fact.bound)).collect()
}

/// The same value with its keys in order.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<_> = map.iter().map(|(k, v)| (k.clone(), canonical(v))).collect();
            pairs.sort_by(|(one, _), (two, _)| one.cmp(two));
            Value::Object(Map::from_iter(pairs))
        }
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tagline_policy::{Fact, PathClaim};
    use tagline_protocol::{CallId, Effect, SpecHeader};

    fn spec(description: &str) -> ToolSpec {
        let schema = json!({ "type": "object", "description": description, "properties": {} });
        ToolSpec::from_schema(SpecHeader::new("t", Effect::Exec), schema).unwrap()
    }

    fn call(id: &str, tool: &str, arguments: Value) -> Call {
        Call {
            id: CallId(id.to_owned()),
            tool: tool.to_owned(),
            arguments,
            effect: Effect::Exec,
            is_recovered: false,
            is_from_unclosed_cdata: false,
        }
    }

    fn first() -> Binding {
        Binding::of(&call("c", "t", json!({ "a": 1, "b": 2 })), &spec("x"), &Claims::default())
    }

    fn check(changed: &Binding, field: &str) {
        assert_eq!(first().difference(changed), Some(field));
        assert_ne!(first().hash(), changed.hash(), "{field}");
    }

    #[test]
    fn every_field_counts_and_is_named() {
        let same = json!({ "a": 1, "b": 2 });
        let none = Claims::default();
        check(&Binding::of(&call("d", "t", same.clone()), &spec("x"), &none), "call");
        check(&Binding::of(&call("c", "u", same.clone()), &spec("x"), &none), "tool");
        check(&Binding::of(&call("c", "t", json!({ "a": 1 })), &spec("x"), &none), "arguments");
        check(&Binding::of(&call("c", "t", same.clone()), &spec("y"), &none), "definition");
        let path =
            PathClaim { asked: "a".to_owned(), resolved: None, is_write: true, is_removal: false };
        let paths = Claims { paths: vec![path], ..Claims::default() };
        check(&Binding::of(&call("c", "t", same.clone()), &spec("x"), &paths), "paths");
        let command = Claims { command: Some("ls".to_owned()), ..Claims::default() };
        check(&Binding::of(&call("c", "t", same.clone()), &spec("x"), &command), "command");
        for kind in FactKind::ALL {
            let fact = Fact { kind, shown: String::new(), bound: "other".to_owned() };
            let changed = Claims { facts: vec![fact], ..Claims::default() };
            let changed = Binding::of(&call("c", "t", same.clone()), &spec("x"), &changed);
            check(&changed, kind.as_str());
        }
    }

    #[test]
    fn the_order_of_keys_does_not_count() {
        let other = call("c", "t", json!({ "b": 2, "a": 1 }));
        assert_eq!(first(), Binding::of(&other, &spec("x"), &Claims::default()));
    }
}
