//! A value streams while it is written, whatever the model speaks: what is held back is a few
//! bytes, never the value.

use tagline_parser::{
    ChildSpec, Event, Finish, Limits, Parser, TagSet, TagSpec, ValueKind, ValueName,
};

/// Most bytes of a value that may have been fed and not handed out yet.
const HELD: usize = 40;

/// How a call of `write_file` is written: what stands before and behind the text of `content`.
const DIALECTS: &[(&str, &str, &str)] = &[
    ("native", "<write_file><path>a</path><content>", "</content></write_file>"),
    ("native section", "<write_file path=\"a\"><content><![CDATA[", "]]></content></write_file>"),
    (
        "anthropic",
        "<function_calls>\n<invoke name=\"write_file\">\n<parameter name=\"content\">",
        "</parameter>\n</invoke>\n</function_calls>",
    ),
    (
        "qwen3xml",
        "<tool_call>\n<function=write_file>\n<parameter=content>\n",
        "\n</parameter>\n</function>\n</tool_call>",
    ),
    (
        "minimax_m2",
        "<minimax:tool_call>\n<invoke name=\"write_file\">\n<parameter name=\"content\">",
        "</parameter>\n</invoke>\n</minimax:tool_call>",
    ),
    (
        "dsml_v32",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"write_file\">\n<｜DSML｜parameter name=\"content\" string=\"true\">",
        "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    ),
    (
        "glm47",
        "<tool_call>write_file<arg_key>content</arg_key><arg_value>",
        "</arg_value></tool_call>",
    ),
    (
        "hermes",
        "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"",
        "\"}}\n</tool_call>",
    ),
    (
        "a list in a mark",
        "<|START_ACTION|>[{\"tool_name\": \"write_file\", \"parameters\": {\"content\": \"",
        "\"}}]<|END_ACTION|>",
    ),
    ("mistral_v11", "[TOOL_CALLS]write_file[ARGS]{\"content\": \"", "\"}"),
    (
        "kimi_k2",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>{\"content\": \"",
        "\"}<|tool_call_end|><|tool_calls_section_end|>",
    ),
    (
        "deepseek_v3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n```json\n{\"content\": \"",
        "\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    ("llama3_json", "{\"name\": \"write_file\", \"parameters\": {\"content\": \"", "\"}}"),
    ("react", "Action: write_file\nAction Input: {\"content\": \"", "\"}"),
    ("continue_block", "```tool\nTOOL_NAME: write_file\nBEGIN_ARG: content\n", "\nEND_ARG\n```"),
    ("pythonic", "<|python_start|>[write_file(path='a', content='", "')]<|python_end|>"),
    ("olmo3", "<function_calls>\nwrite_file(content=\"\"\"", "\"\"\")\n</function_calls>"),
    ("tool_code", "```tool_code\nprint(default_api.write_file(content='", "'))\n```"),
    ("gemma4", "<|tool_call>call:write_file{content:<|\"|>", "<|\"|>}<tool_call|>"),
    (
        "functiongemma",
        "<start_function_call>call:write_file{content:<escape>",
        "<escape>}<end_function_call>",
    ),
    (
        "harmony",
        "<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{\"content\": \"",
        "\"}<|call|>",
    ),
    (
        "inkling",
        "<|message_model|>write_file<|content_invoke_tool_json|>{\"name\": \"write_file\", \"args\": {\"content\": \"",
        "\"}}<|end_message|>",
    ),
    ("functionary32", ">>>write_file\n{\"content\": \"", "\"}"),
    (
        "kimi_k3",
        "<|open|>tools<|sep|><|open|>call tool=\"write_file\" index=\"1\"<|sep|><|open|>argument key=\"content\" type=\"string\"<|sep|>",
        "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    ),
];

fn tags() -> TagSet {
    let child =
        |name: &str| ChildSpec { name: name.into(), kind: ValueKind::Raw, ..ChildSpec::default() };
    TagSet::new([TagSpec {
        name: "write_file".into(),
        children: vec![child("path"), child("content")],
        ..TagSpec::default()
    }])
}

/// The text of `content` that was handed out so far.
fn streamed(parser: &mut Parser, so_far: &mut String) {
    for event in parser.drain() {
        if let Event::Delta { value: ValueName::Child(name, _), text, .. } = event
            && name == "content"
        {
            so_far.push_str(&text);
        }
    }
}

#[test]
fn a_value_streams_in_every_dialect() {
    let content: String = (0..200).map(|n| format!("word{n} ")).collect();
    let content = content.trim_end();
    for (dialect, before, behind) in DIALECTS {
        let mut parser = Parser::new(&tags(), Limits::default());
        parser.feed(before);
        let (mut seen, mut fed) = (String::new(), 0);
        for c in content.chars() {
            parser.feed(c.encode_utf8(&mut [0; 4]));
            fed += c.len_utf8();
            streamed(&mut parser, &mut seen);
            assert!(content.starts_with(&seen), "{dialect}: {seen:?}");
            assert!(fed - seen.len() <= HELD, "{dialect}: {} bytes are held", fed - seen.len());
        }
        parser.feed(behind);
        parser.flush(Finish::Stop);
        streamed(&mut parser, &mut seen);
        assert_eq!(seen, content, "{dialect}");
    }
}
