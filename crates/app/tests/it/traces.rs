//! What a turn did, as spans.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::support::Bench;

/// Each span's name, its parent's, and its attributes, without what differs from run to run.
///
/// In the order in which they start: a call may end before or after the reply it stands in.
fn spans(text: &str) -> String {
    let mut spans: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    spans.sort_by_key(|span| span.get("start").map(Value::to_string));
    let name = |id: &Value| {
        let found = spans.iter().find(|span| span.get("span") == Some(id));
        found.and_then(|span| span.get("name")).and_then(Value::as_str).unwrap_or("-").to_owned()
    };
    let line = |span: &Value| {
        let field = |name: &str| span.get(name).cloned().unwrap_or_default();
        let attributes = field("attributes").as_object().unwrap().clone();
        let steady = attributes.into_iter().filter(|(name, _)| {
            !name.ends_with("first_chunk")
                && !name.ends_with("waited")
                && !name.ends_with("conversation.id")
        });
        let steady: Vec<String> =
            steady.map(|(name, value)| format!("  {name} = {value}\n")).collect();
        let events: Vec<String> = field("events")
            .as_array()
            .unwrap()
            .iter()
            .map(|it| format!("  event {it}\n"))
            .collect();
        let (parent, kind) = (name(&field("parent")), field("kind"));
        format!(
            "{} in {parent}, {kind}\n{}{}",
            name(&field("span")),
            steady.concat(),
            events.concat()
        )
    };
    spans.iter().map(line).collect()
}

#[test]
fn a_turn_is_traced_by_the_names_of_the_conventions_and_without_what_was_said() {
    let script = "=== reply\nSECRET words.\n<write_file path=\"a.txt\">SECRET</write_file>\n<read_file path=\"none.txt\"/>\n=== usage in=1000 cached=600 out=50\n\n=== reply\nDone.\n";
    let bench = Bench::new().write("work/s.txt", script);
    bench.run("run -q --model script/s.txt --mode edit --trace-file out.jsonl go");
    let text = fs::read_to_string(bench.path("work/out.jsonl")).unwrap();
    assert!(!text.contains("SECRET"), "{text}");
    assert!(text.contains("time_to_first_chunk"), "{text}");
    expect![[r#"
        invoke_agent default in -, "internal"
          gen_ai.operation.name = "invoke_agent"
          gen_ai.agent.name = "default"
          gen_ai.agent.id = "default"
          gen_ai.agent.version = "0.1.0"
        chat s.txt in invoke_agent default, "client"
          gen_ai.operation.name = "chat"
          gen_ai.provider.name = "script"
          gen_ai.request.model = "s.txt"
          gen_ai.usage.input_tokens = 1000
          gen_ai.usage.output_tokens = 50
          gen_ai.usage.cache_read.input_tokens = 600
          gen_ai.response.finish_reasons = "stop"
        execute_tool write_file in invoke_agent default, "internal"
          gen_ai.operation.name = "execute_tool"
          gen_ai.tool.name = "write_file"
          gen_ai.tool.call.id = "t1.1"
          gen_ai.tool.type = "function"
        execute_tool read_file in invoke_agent default, "internal"
          gen_ai.operation.name = "execute_tool"
          gen_ai.tool.name = "read_file"
          gen_ai.tool.call.id = "t1.2"
          gen_ai.tool.type = "function"
          error.type = "missing"
        chat s.txt in invoke_agent default, "client"
          gen_ai.operation.name = "chat"
          gen_ai.provider.name = "script"
          gen_ai.request.model = "s.txt"
          gen_ai.response.finish_reasons = "stop"
    "#]]
    .assert_eq(&spans(&text));
}

#[test]
fn a_trace_that_cannot_be_written_is_told_at_the_start() {
    expect![[r#"
        --- stderr
        error: --trace-file [test]/work/none/out.jsonl: no such file or directory
        exit 3
    "#]]
    .assert_eq(&Bench::new().run("run --trace-file none/out.jsonl go"));
}
