//! The interface and its events, described for programs: made from the table of routes and from
//! the types, so that it cannot say anything else than they do.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use tagline_protocol::Frame;

use crate::{
    Door, ErrorBody, Reads, Repeats, Route, route_table,
    routes::{Gives, Shape},
};

/// The JSON Schema of a frame, as streams and exports have it.
#[must_use]
pub fn event_schema() -> Value {
    let mut schema =
        SchemaGenerator::new(SchemaSettings::draft2020_12()).into_root_schema_for::<Frame>();
    schema.insert("title".to_owned(), json!("An event of a session"));
    schema.to_value()
}

/// The interface as OpenAPI 3.1.
#[must_use]
pub fn openapi() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = SchemaGenerator::new(settings);
    let refusal = generator.subschema_for::<ErrorBody>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for route in route_table() {
        let row = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(row) = row.as_object_mut() {
            let method = route.method.as_str().to_ascii_lowercase();
            row.insert(method, operation(route, &mut generator, &refusal));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tagline",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every answer that is no success has the body `ErrorBody`.",
        },
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator, refusal: &Value) -> Value {
    let mut operation = Map::new();
    operation.insert("summary".to_owned(), json!(route.about));
    let security = if route.door == Door::Token { json!([{ "token": [] }]) } else { json!([]) };
    operation.insert("security".to_owned(), security);
    let parameters = parameters(route, generator);
    if !parameters.is_empty() {
        operation.insert("parameters".to_owned(), json!(parameters));
    }
    if let Some(body) = body(route, generator) {
        operation.insert("requestBody".to_owned(), json!({ "required": true, "content": body }));
    }
    let refused = json!({
        "description": "Refused.",
        "content": { "application/json": { "schema": refusal } },
    });
    let success = success(route.gives, generator);
    operation.insert("responses".to_owned(), json!({ "2XX": success, "default": refused }));
    Value::Object(operation)
}

/// What varies in the path, what stands behind the question mark, and the key.
fn parameters(route: &Route, generator: &mut SchemaGenerator) -> Vec<Value> {
    let in_path = route.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        Some(json!({
            "name": name, "in": "path", "required": true, "schema": { "type": "string" },
        }))
    });
    let mut all: Vec<Value> = in_path.collect();
    if let Some(asks) = route.asks {
        all.extend(in_query(asks, generator));
    }
    if route.repeats == Repeats::Once || route.path.ends_with("/messages") {
        all.push(json!({
            "name": "Idempotency-Key", "in": "header", "schema": { "type": "string" },
            "description": "The same key within 24 hours gives the first answer again.",
        }));
    }
    all
}

/// The fields of a query, one parameter each.
fn in_query(asks: Shape, generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut inline = SchemaGenerator::new(generator.settings().clone());
    let reference = asks(&mut inline).to_value();
    let name = reference.get("$ref").and_then(Value::as_str).unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let definitions = inline.take_definitions(true);
    let schema = definitions.get(name).cloned().unwrap_or(reference);
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let fields = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let fields = fields.into_iter().map(|(name, schema)| {
        let is_required = required.contains(&json!(name));
        json!({ "name": name, "in": "query", "required": is_required, "schema": schema })
    });
    fields.collect()
}

fn body(route: &Route, generator: &mut SchemaGenerator) -> Option<Value> {
    match route.reads {
        Reads::Nothing => None,
        Reads::Bytes => {
            Some(json!({ "application/octet-stream": { "schema": { "format": "binary" } } }))
        }
        Reads::Json => {
            let schema = route.takes.map(|takes| takes(generator).to_value());
            Some(json!({ "application/json": { "schema": schema } }))
        }
    }
}

fn success(gives: Gives, generator: &mut SchemaGenerator) -> Value {
    let kind = match gives {
        Gives::Nothing => return json!({ "description": "Done." }),
        Gives::Json(shape) => {
            let schema = shape(generator).to_value();
            return json!({
                "description": "Done.",
                "content": { "application/json": { "schema": schema } },
            });
        }
        Gives::Document => "application/json",
        Gives::Stream => "text/event-stream",
        Gives::Lines => "application/x-ndjson",
        Gives::Bytes => "application/octet-stream",
        Gives::Text => "text/plain",
        Gives::Page => "text/html",
    };
    json!({ "description": "Done.", "content": { kind: {} } })
}
