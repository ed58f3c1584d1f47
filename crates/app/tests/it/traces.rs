//! What a turn did, as spans.

use std::{
    fs,
    io::{BufRead, BufReader, Write as _},
    net::TcpListener,
    sync::mpsc,
    thread,
};

use expect_test::expect;
use serde_json::Value;

use crate::{
    provider::{Provider, Wire},
    support::Bench,
};

/// Each span's name, its parent's, and its attributes, without what differs from run to run.
///
/// In the order in which they were opened: a call may end before or after the reply it stands in.
fn spans(text: &str) -> String {
    let mut spans: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let opened = |span: &Value| {
        let number = |name: &str| span.get(name).and_then(Value::as_u64);
        (span.get("start").map(Value::to_string), number("span"))
    };
    spans.sort_by_key(opened);
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

/// A model whose server says who it is.
#[test]
fn a_reply_is_traced_with_the_server_and_the_names_that_it_gives() {
    let provider = Provider::start(Wire::Anthropic, &["Yes."]);
    let bench = provider.known_to(Bench::new(), "k");
    bench.run("run -q --model anthropic/m --trace-file out.jsonl go");
    let text = fs::read_to_string(bench.path("work/out.jsonl")).unwrap();
    let port = provider.port();
    expect![[r#"
        invoke_agent default in -, "internal"
          gen_ai.operation.name = "invoke_agent"
          gen_ai.agent.name = "default"
          gen_ai.agent.id = "default"
          gen_ai.agent.version = "0.1.0"
        chat m in invoke_agent default, "client"
          gen_ai.operation.name = "chat"
          gen_ai.provider.name = "anthropic"
          gen_ai.request.model = "m"
          server.address = "127.0.0.1"
          server.port = PORT
          gen_ai.response.id = "msg_1"
          gen_ai.response.model = "m-2026"
          gen_ai.usage.input_tokens = 1000
          gen_ai.usage.output_tokens = 50
          gen_ai.response.finish_reasons = "stop"
    "#]]
    .assert_eq(&spans(&text).replace(&port.to_string(), "PORT"));
}

/// Where the build has it, a collector gets what the file gets; where not, that is said.
#[test]
fn a_collector_gets_the_spans_and_nothing_of_what_was_said() {
    let (address, got) = collector();
    let bench = Bench::new()
        .write("work/s.txt", "=== reply\nSECRET.\n")
        .var("OTEL_EXPORTER_OTLP_ENDPOINT", &address)
        .var("OTEL_SERVICE_NAME", "my-service");
    let shown = bench.run("run -q --model script/s.txt go");
    if cfg!(not(feature = "otlp")) {
        assert!(shown.contains("this build sends no traces"), "{shown}");
        return;
    }
    assert_eq!(shown, "--- stdout\nSECRET.\nexit 0\n");
    let request = got.recv().unwrap();
    let text = String::from_utf8_lossy(&request);
    assert!(text.starts_with("POST /v1/traces "), "{text}");
    for part in ["my-service", "invoke_agent default", "chat s.txt", "gen_ai.request.model"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("SECRET"), "{text}");
}

/// A collector that takes one request; its address, and what it got.
fn collector() -> (String, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, got) = mpsc::channel();
    thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let request = read_request(&mut BufReader::new(stream.try_clone().unwrap()));
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        // The test may be over.
        let _ = sender.send(request);
    });
    (address, got)
}

fn read_request(reader: &mut impl BufRead) -> Vec<u8> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
    }
    let lower = head.to_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    [head.into_bytes(), body].concat()
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
