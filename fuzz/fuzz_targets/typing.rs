//! Any value is typed by any schema: it prints as JSON, and what was typed once stays so.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tagline_parser::{Block, BlockId, Child, Value as Written};
use tagline_protocol::{ArgSchema, Typed};

fuzz_target!(|data: &[u8]| {
    let [which, form, text @ ..] = data else { return };
    let schema = schema(*which);
    let text = String::from_utf8_lossy(text).into_owned();
    let once = typed(&schema, written(*form, text.clone()));
    let twice = typed(&schema, Written::Json(once.to_string()));
    assert_eq!(twice, once, "{text}");
    if let Some(value) = once.to_value() {
        let printed: Value = serde_json::from_str(&once.to_string()).expect("it prints as JSON");
        assert_eq!(printed, value, "{text}");
    }
    let string = ArgSchema::new(json!({"properties": {"x": {"type": "string"}}}));
    assert_eq!(typed(&string, Written::Text(text.clone())), Typed::Text(text));
});

fn schema(which: u8) -> ArgSchema {
    let words = ["string", "integer", "number", "boolean", "null", "array", "object"];
    let types: Vec<&str> =
        (0..7).filter(|n| which & 1 << n != 0).map(|n| words[n as usize]).collect();
    let node = json!({
        "type": types,
        "items": {"$ref": "#/$defs/x"},
        "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/x"}},
    });
    ArgSchema::new(json!({"$defs": {"x": node}, "properties": {"x": {"$ref": "#/$defs/x"}}}))
}

fn written(form: u8, text: String) -> Written {
    match form % 3 {
        0 => Written::Text(text),
        1 => Written::String(text),
        _ => Written::Json(text),
    }
}

fn typed(schema: &ArgSchema, value: Written) -> Typed {
    let (name, attributes) = ("x".to_owned(), Vec::new());
    let block = Block {
        id: BlockId(0),
        name: "f".to_owned(),
        attributes: Vec::new(),
        children: vec![Child { name, attributes, value, is_declared: true }],
        body: None,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: Vec::new(),
        repairs: Vec::new(),
        span: 0..0,
    };
    match schema.arguments(&block) {
        Typed::Object(mut members) => members.pop().expect("one argument").1,
        other => panic!("{other}"),
    }
}
