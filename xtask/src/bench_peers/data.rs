//! The workloads as files: the text in every dialect, and the calls a correct reader finds.

use std::fs;

use serde_json::{Map, Value, json};
use tagline_workload::{Call, Dialect, Shape, TOOLS, build};

use crate::Chore;

const DIALECTS: [(&str, Dialect); 5] = [
    ("native", Dialect::Native),
    ("nested", Dialect::Nested),
    ("qwen", Dialect::Qwen),
    ("invoke", Dialect::Invoke),
    ("xml", Dialect::Xml),
];

/// The workload of this name, if it has a form in every dialect.
pub(super) fn shape(name: &str) -> Option<Shape> {
    let shapes = [Shape::Chatty, Shape::Code, Shape::Many, Shape::Adv, Shape::Huge];
    shapes.into_iter().find(|shape| shape.name() == name)
}

/// Writes the tools with the names of their arguments.
pub(super) fn write_tools(folder: &str) -> Chore {
    let tool = |tool: &tagline_workload::Tool| {
        let body = tool.body.map(|(argument, _)| argument);
        json!({"name": tool.name, "attributes": tool.attributes, "body": body})
    };
    let tools: Value = TOOLS.iter().map(tool).collect();
    write_file(&format!("{folder}/tools.json"), &tools.to_string())
}

/// Writes one workload.
pub(super) fn write(folder: &str, name: &str) -> Chore {
    let shape = shape(name).ok_or_else(|| format!("unknown workload `{name}`"))?;
    for (dialect, form) in DIALECTS {
        let built = build(shape, form);
        write_file(&format!("{folder}/{name}.{dialect}.txt"), &built.text)?;
        if form == Dialect::Native {
            let calls: Value = built.calls.iter().map(call).collect();
            write_file(&format!("{folder}/{name}.calls.json"), &calls.to_string())?;
        }
    }
    Ok(())
}

fn call(call: &Call) -> Value {
    let arguments: Map<String, Value> =
        call.arguments().map(|(name, value)| (name.to_owned(), value.into())).collect();
    json!({"name": call.name, "arguments": arguments})
}

fn write_file(path: &str, text: &str) -> Chore {
    fs::write(path, text).map_err(|e| format!("{path}: {e}"))
}
