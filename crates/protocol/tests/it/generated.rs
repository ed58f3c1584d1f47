//! Arguments made from a tool's spec: every type, within its bounds, with hostile texts.

use serde_json::{Map, Value, json};
use tagline_protocol::{ArgSpec, ArgType, ToolSpec};

/// What texts are put together from: what could be mistaken for something else.
const PIECES: &[&str] = &[
    "a",
    "word",
    " ",
    "\n",
    "\r\n",
    "\t",
    "<",
    ">",
    "</",
    "/>",
    "]]>",
    "]]",
    "]",
    "[",
    "{",
    "}",
    "<![CDATA[",
    "&",
    "&amp;",
    "&#60;",
    "\"",
    "'",
    "\\",
    "`",
    "```\n",
    "é",
    "漢",
    "😀",
    "\u{200d}",
    "</write_file>",
    "<write_file path=\"x\">",
    "</step>",
    "<step>",
    "</say>",
    "<read_file path=\"y\"/>",
    "<thinking>",
    "null",
    "true",
    "1",
    "[1]",
    "{\"text\": 1}",
    "\"q\"",
    "key: value",
    "\u{a0}",
    "</command>",
    "<command>",
    "<item>",
    "</item>",
    "</query>",
    "<label>",
    "\u{1}",
    "=",
];

/// Arguments of a call that the tool takes; the same seed gives the same ones.
pub(crate) fn arguments(spec: &ToolSpec, seed: u64) -> Value {
    let mut random = fastrand::Rng::with_seed(seed);
    Value::Object(fields(&spec.args, &mut random))
}

fn fields(fields: &[ArgSpec], random: &mut fastrand::Rng) -> Map<String, Value> {
    let mut values = Map::new();
    for field in fields {
        if field.is_required || random.bool() {
            values.insert(field.name.clone(), value(&field.ty, &field.schema, random));
        }
    }
    values
}

fn value(ty: &ArgType, schema: &Value, random: &mut fastrand::Rng) -> Value {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    match ty {
        ArgType::String => {
            let least = bound("minLength").unwrap_or(0.0) as usize;
            let most = bound("maxLength").map_or(usize::MAX, |it| it as usize);
            text(random, least, most).into()
        }
        ArgType::Integer => {
            let least = bound("minimum").unwrap_or(-1e9) as i64;
            let most = bound("maximum").unwrap_or(1e15) as i64;
            random.i64(least..=most).into()
        }
        ArgType::Number => {
            let (least, most) = (bound("minimum").unwrap_or(-1e6), bound("maximum").unwrap_or(1e6));
            json!(least + random.f64() * (most - least))
        }
        ArgType::Boolean => random.bool().into(),
        ArgType::Enum(words) => words[random.usize(..words.len())].as_str().into(),
        ArgType::List(item) => {
            let least = bound("minItems").unwrap_or(0.0) as usize;
            let most = bound("maxItems").map_or(least + 3, |it| it as usize);
            let schema = schema.get("items").unwrap_or(&Value::Null);
            (0..random.usize(least..=most)).map(|_| value(item, schema, random)).collect()
        }
        ArgType::Object(inner) => Value::Object(fields(inner, random)),
        ArgType::Json => any_json(schema, random, 3),
    }
}

fn text(random: &mut fastrand::Rng, least: usize, most: usize) -> String {
    let n = random.usize(..7);
    let text: String = (0..n).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
    let filled = text + &"x".repeat(least);
    filled.chars().take(most).collect()
}

fn any_json(schema: &Value, random: &mut fastrand::Rng, depth: u32) -> Value {
    let is_object = schema.get("type").is_some_and(|it| it == "object");
    match if is_object { 6 } else { random.u8(..7) } {
        0 => Value::Null,
        1 => random.bool().into(),
        2 => random.i32(..).into(),
        3 => json!(random.f64()),
        4 => text(random, 0, 40).into(),
        _ if depth == 0 => Value::Null,
        5 => (0..random.usize(..3)).map(|_| any_json(&Value::Null, random, depth - 1)).collect(),
        _ => {
            let n = random.usize(..3);
            let member = |_| (text(random, 1, 8), any_json(&Value::Null, random, depth - 1));
            Value::Object((0..n).map(member).collect())
        }
    }
}
