//! Texts that invite looking again: a beginning, and what is repeated behind it.

use tagline_parser::{EventRef, Finish, Limits, Parser, Stats, TagSet};

/// A beginning, and what is repeated behind it.
pub type Family = (&'static str, &'static str);

/// Families of the native dialect, and single ones of others.
pub const NATIVE: &[Family] = &[
    ("", "<"),
    ("", "</"),
    ("", "< "),
    ("", "`"),
    ("", "` "),
    ("", "` `` <say> "),
    ("", "``<say> ` "),
    ("", "a < b, "),
    ("", " "),
    ("", "\n"),
    ("", "> "),
    ("", "<say> "),
    ("", "x <say> "),
    ("", "x <thinking> "),
    ("", "x <tool_result> "),
    ("", "x <say tone=\"1\"> "),
    ("", "x <say tone=\""),
    ("", "x <write_file path=\"a\"> "),
    ("", "x <search> "),
    ("", "\n<say>"),
    ("", "\n<search>"),
    ("", "\n<search> x"),
    ("", "\n<search><path>"),
    ("", "\n<search><query>"),
    ("", "\n<create><content>"),
    ("", "\n<create><content></content>"),
    ("", "\n<create><content><![CDATA["),
    ("", "\n<write_file path=\"a\"><![CDATA["),
    ("", "\n<write_file path=\"a\"><![CDATA[]]"),
    ("", "\n</say>"),
    ("", "\n</say> "),
    ("", "\n<unknown>"),
    ("", "\n<unknown><b><c>"),
    ("", "\n<serach>"),
    ("", "<!--"),
    ("", "<!-- <say>"),
    ("", "<!-- <say tone=\"a\">"),
    ("", "\n```\n<say>"),
    ("```\n<say>", "\n```\n"),
    ("```\n<say tone=\"a\"/>", "\n```\nx"),
    ("", "<![CDATA["),
    ("<write_file path=\"a\"><![CDATA[", "]"),
    ("<write_file path=\"a\"><![CDATA[", "]]>"),
    ("<write_file path=\"a\"><![CDATA[", "]]> x"),
    ("<write_file path=\"a\"><![CDATA[", "]]><![CDATA["),
    ("<write_file path=\"a\"><![CDATA[", "</write_file> x"),
    ("<write_file path=\"a\"><![CDATA[", "<write_file>"),
    ("<write_file path=\"a\"><![CDATA[<write_file>", "]]></write_file>"),
    ("<write_file path=\"a\"><![CDATA[", "<write_file><![CDATA["),
    ("<write_file path=\"a\"><![CDATA[", "\n \n "),
    ("<write_file path=\"a\">\n", "</write_file> x"),
    ("<write_file path=\"a\">\n", "</write_file>   "),
    ("<write_file path=\"a\">\n", "<write_file>"),
    ("<write_file path=\"a\">\n", "<"),
    ("<write_file path=\"a\">\n", " "),
    ("<create><content>", "</content> x"),
    ("<create><content>", "</content>"),
    ("<create><content>", "</content><b>"),
    ("<create><content>", "</create>"),
    ("<create><content>", "<create>"),
    ("<search><query>", "</b>"),
    ("<search><query>", " "),
    ("<search><query>", "&"),
    ("<search><query>", "&amp"),
    ("<search>", "<b>"),
    ("<search>", "<b></b>"),
    ("<search>", "x"),
    ("<search>{", "\"a\":1,"),
    ("<search>{\"a\":", "["),
    ("<search>{\"a\":\"", "\\"),
    ("<batch>", "<path>a</path>"),
    ("<thinking>", "<say> "),
    ("<thinking>", "\n<say tone=\"a\">"),
    ("<thinking>", "<thinking>"),
    ("<thinking>", "<read"),
    ("<say tone=\"", "\""),
    ("<say tone=\"", "\\\" "),
    ("<say ", "a "),
    ("<say ", "a=\"b\" "),
    ("<invoke name=\"nope\">", "<invoke name=\"nope\">"),
    ("<function=nope>", "<function="),
    ("<function_calls>", "<function_calls>"),
    ("<tool_result>", "<say>"),
    ("<|python_tag|>", "search() "),
    ("<|python_tag|>", "search()\n"),
    ("<|python_tag|>", "print("),
    ("<|python_tag|>search(", "#"),
    ("<|python_tag|>search(", "# \n"),
    ("<|python_tag|>search(", "query=1,"),
    ("<|python_tag|>search(query=", "["),
    ("<|python_tag|>search(query=", "{'a':"),
    ("<|python_tag|>search(query=", "('"),
    ("<|python_tag|>search(query=", "''"),
    ("<|python_tag|>search(query='", "' "),
    ("<|python_tag|>search(query='", "', "),
    ("<|python_tag|>search(query='", "') "),
    ("<|python_tag|>search(query='", "x'a"),
    ("<|python_tag|>search(query='", "\\\n"),
    ("<|python_tag|>search(query=\"\"\"", "\""),
    ("<|python_tag|>search(query=r'", "\\"),
    ("<|python_tag|>search(query=f'", "{{"),
    ("[search(query='", "' "),
    ("<|tool_call>call:search{query:", "["),
    ("<|tool_call>call:search{query:<|\"|>", "<|\""),
    ("<|tool_call>call:search{query:\"", "\" "),
    ("<|tool_call>call:search{", "query:a,"),
    ("<|tool_call>call:search{", "q "),
    ("", "\n[search("),
    ("", "<!-- a -"),
    ("", "]"),
    ("", "["),
    ("", "{"),
    ("", "}"),
    ("", "\""),
    ("", "\u{feff}"),
    ("", "\u{a0}"),
    ("", "\n````\n```\n"),
    ("", "\n> ```\n"),
    ("", "\n~~~"),
    ("", "`` ` "),
    ("", "\n<thinking>"),
    ("", "<thinking>"),
    ("", "<think><![CDATA["),
    ("", "</thinking>"),
    ("", "<say></sa>"),
    ("", "<say"),
    ("", "\n<say "),
    ("", "\n<say tone="),
    ("", "\n<say tone=\""),
    ("<say>", "</sa"),
    ("<say>", "</say"),
    ("<say>\n", "</say> x"),
    ("<say>\n", "</say x>"),
    ("<write_file path=\"a\">", "]]></write_fil>"),
    ("<write_file path=\"a\"><![CDATA[", "]]></write_fil>"),
    ("<write_file path=\"a\"><![CDATA[", "]]> </write_file x"),
    ("<write_file path=\"a\"><![CDATA[", "</write_file>\n<write_file path=\"b\"><![CDATA["),
    ("<create><path>a</path><content><![CDATA[", "]]></content>"),
    ("<create><path>a</path><content><![CDATA[", "]]></content> "),
    ("<create><path>a</path><content><![CDATA[", "]]><path>"),
    ("<create><path>a</path><content>", "</content><path>b</path> "),
    ("<search>", "</search "),
    ("<search><query>a</query>", "</searc>"),
    ("call:search{query:\"", "\" "),
    ("", "<|channel|>"),
    ("", "<|start|>assistant "),
    ("", "<|channel|>x "),
    ("", "<|channel|>analysis<|message|>x"),
    ("", "<|message_model|>x"),
    ("<|channel|>", "analysis "),
    ("<|channel|>analysis<|message|>", "<|"),
    ("<|channel|>commentary to=search<|message|>", " "),
    ("<|channel|>commentary to=search<|message|>{", "<|end|>"),
    ("to=", "a "),
    (">>>all\n", ">"),
    (">>>all\n", ">>>s"),
    (">>>all\n", ">>>search\n "),
    (">>>all\n", "<a>>>"),
    (">>>search\n", " "),
    ("", "<|open|>call"),
    ("<|open|>call tool=\"", "a<"),
    ("<|open|>call tool=\"search\"<|sep|>", " "),
    ("<|open|>call tool=\"search\"<|sep|><|open|>argument key=\"query\"<|sep|>", "<|close|>"),
    (
        "<|open|>call tool=\"search\"<|sep|><|open|>argument key=\"query\"<|sep|>",
        "<|close|>argument<|sep|> ",
    ),
];

/// Beginnings of calls in other syntaxes.
pub const OPENERS: &[&str] = &[
    "<tool_call>",
    "<tool_call>{",
    "<tool_call>[",
    "<tool_call>{\"name\": \"",
    "<tool_call>{\"name\": \"search\", \"arguments\": {",
    "<tool_call>{\"name\": \"search\", \"arguments\": {\"query\": \"",
    "<tool_call>search<arg_key>",
    "<tool_call>search<arg_key>query</arg_key><arg_value>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][",
    "[TOOL_CALLS]search[ARGS]{\"query\": \"",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_begin|><|tool_call_begin|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>",
    "<｜DSML｜invoke name=\"search\"><｜DSML｜parameter name=\"query\">",
    "<invoke name=\"search\">\n<parameter name=\"query\">",
    "<function=search>\n<parameter=query>\n",
    "]<]minimax[>[<invoke name=\"search\">",
    "<|channel|>analysis<|message|>",
    "<|start|>assistant<|channel|>commentary to=functions.search<|message|>",
    "<|tool_call>call:search{query:<|\"|>",
    "<|open|>call tool=\"search\"<|sep|>",
    "Action: ",
    "Action: search\nAction Input: ",
    "Action:\n```json\n[",
    "Action:\n```",
    "TOOL_NAME: search\nBEGIN_ARG: query\n",
    "TOOL_NAME: ",
    "<tool: search>\n",
    "call:search{query:\"",
    "functools[",
    "[Calling tool: search(",
    "{\"name\": \"",
    "{\"name\": \"search\", \"arguments\": {\"query\": \"",
    "[{\"name\": ",
    "[search(query='",
    "[THINK]",
    "<think>",
];

/// What is repeated behind each of them.
pub const UNITS: &[&str] = &[
    "<",
    "{",
    "[",
    "\"",
    "x",
    " ",
    "\n",
    "\\",
    "]",
    "}",
    "'",
    "<tool_call>",
    "</tool_call>",
    "\", \"",
    "\": \"",
    "</parameter> ",
    "\n</parameter>\nx",
];

/// Every family.
#[must_use]
pub fn all() -> Vec<Family> {
    let mut all = NATIVE.to_vec();
    for opener in OPENERS {
        all.push(("", opener));
        all.extend(UNITS.iter().map(|unit| (*opener, *unit)));
    }
    all
}

/// The text of a family, of about this many bytes.
#[must_use]
pub fn text((start, unit): Family, len: usize) -> String {
    let mut text = String::with_capacity(len + start.len() + unit.len());
    text.push_str(start);
    while text.len() < len {
        text.push_str(unit);
    }
    text
}

/// What reading a text took.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Bytes looked at for each byte fed.
    pub each: f64,
    /// The most bytes that were kept between chunks.
    pub held: u64,
}

/// Reads a text in chunks of so many bytes, or a little more, and counts.
#[must_use]
pub fn work(tags: &TagSet, limits: Limits, text: &str, size: usize) -> Work {
    let mut parser = Parser::new(tags, limits);
    let (mut rest, mut held) = (text, 0);
    while !rest.is_empty() {
        let at = (size..rest.len()).find(|at| rest.is_char_boundary(*at));
        let (chunk, behind) = rest.split_at(at.unwrap_or(rest.len()));
        parser.feed_to(chunk, &mut |_: EventRef<'_>| {});
        held = held.max(parser.stats().held);
        rest = behind;
    }
    parser.flush_to(Finish::Stop, &mut |_: EventRef<'_>| {});
    let Stats { fed, visited, .. } = parser.stats();
    Work { each: visited as f64 / fed as f64, held }
}
