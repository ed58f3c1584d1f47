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
    ("<batch>", "<a><path>a</path>"),
    ("<batch>", "<path a=\"b\">a</path>"),
    ("<tool_call>{\"arguments\": {", "\"a\":1,"),
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
    ("<|python_tag|>search(query='a'", " "),
    ("<|python_tag|>search(query='a',", " "),
    ("<|tool_call>call:search{query:\"a\"", " "),
    ("<|python_tag|>search(query=(", "'a' "),
    ("<|python_tag|>search(query=('", "a"),
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

/// Families of calls whose arguments are in tags, or written as YAML.
pub const TAGGED: &[Family] = &[
    ("", "<parameter=path>\n"),
    ("", "\n<parameter=path>x</parameter>"),
    ("", "\n<parameter=query>x</parameter></function> x"),
    ("", "<function=search>\n"),
    ("", "\nfunction=search>\n"),
    ("", "\nfunction=search> "),
    ("", "\nfunction="),
    ("", "\n<name>search</name>"),
    ("", "\n<name>search</name>\n<"),
    ("", "\n<tool: search"),
    ("", "\n<tool: search>x"),
    ("", "<|DSML"),
    ("", "<｜"),
    ("", "<｜DSML｜"),
    ("", "]<]minimax[>[<"),
    ("", "]<]minimax[>[</a>"),
    ("", "]"),
    ("", "]<"),
    ("<function=search>\n<parameter=query>\n", "</parameter>\n</function> x"),
    ("<function=search>\n<parameter=query>\n", "<parameter=path>\n"),
    ("<function=search>\n<parameter=query>\n", "\n<parameter=path>x"),
    ("<function=search>\n<parameter=query>\n", "\n</function>\n"),
    ("<function=search>\n<parameter=query>\n", "\n</function>\n<function=search>\n"),
    ("<function=search>\n<parameter=query>\n", "<function=search><parameter=query>"),
    ("<invoke name=\"search\"><parameter name=\"query\">", "</parameter></invoke> "),
    ("<invoke name=\"search\"><parameter name=\"query\">", "</invoke>"),
    ("<invoke name=\"search\"><parameter name=\"query\">", "</invoke> x"),
    ("<invoke name=\"search\"><parameter name=\"query\">", "<parameter name=\"path\">"),
    ("<function=search>\n", "<parameter>"),
    ("<function=search>\n", "<parameter>x"),
    ("<function=search>\n", "<parameter>query</parameter>x"),
    ("<function=search>\n", "<parameter=query>\nx\n<parameter=path>\ny\n"),
    ("<function=search>\n", "</parameter>"),
    ("<function=search>\n", "<parameter=query=x"),
    ("<function=unknown>\n<parameter=x>\n", "</parameter>\nx"),
    ("<function=unknown>\n<parameter=x>\n", "\n</function>\n<function=search>\n"),
    ("<tool_call>search", "<arg_key>query</arg_key>"),
    ("<tool_call>search", "<arg_key>query</arg_key><arg_value>x"),
    ("<tool_call>search", "<arg_key>query"),
    ("<tool_call>search<arg_key>query</arg_key><arg_value>", "<arg_key>path"),
    ("<tool_call>search<arg_key>query</arg_key><arg_value>", "<arg_key>path</arg_key>"),
    ("<tool_call>search<arg_key>query</arg_key><arg_value>", "</arg_value> "),
    ("<tool_call>search<arg_key>query</arg_key><arg_value>", "</tool_call><tool_call>"),
    ("]<]minimax[>[<invoke name=\"search\">", "]<]minimax[>[<a>"),
    ("]<]minimax[>[<invoke name=\"search\">]<]minimax[>[<query>", "]<]minimax[>[</query>]"),
    ("]<]minimax[>[<invoke name=\"search\">]<]minimax[>[<a>", "]<]minimax[>[<b>"),
    ("<search>\nquery: ", "a "),
    ("<search>\nquery: |\n", "  x\n"),
    ("<search>\nquery: |\n", " "),
    ("<search>\nquery: >\n  x", "\n"),
    ("<search>\nquery: [", "a,"),
    ("<search>\nquery:\n", " "),
    ("<search>\nquery:\n", "  - a\n"),
    ("<search>\n", "query: a\n"),
    ("<search>\nquery: \"", "\\\""),
    ("<search>\nquery: 'a'", " "),
    ("<search>\nquery: a\n", "x\n"),
    ("<search>\nquery: a\n", "<"),
    ("<batch>", " "),
    ("<batch>", "x"),
    ("<batch>{", " "),
    ("", "<batch>x</batch>"),
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

/// The families that are also read at full length: nothing but brackets, tags and sections that
/// nothing ends, fences in fences, and what else is held back longest.
pub const LARGE: &[Family] = &[
    ("", "<"),
    ("", "</"),
    ("", "\n<say>"),
    ("", "x <say> "),
    ("", "\n<write_file path=\"a\"><![CDATA["),
    ("", "<![CDATA["),
    ("<write_file path=\"a\"><![CDATA[", "]]> x"),
    ("<write_file path=\"a\"><![CDATA[", "<write_file><![CDATA["),
    ("<write_file path=\"a\">\n", "</write_file> x"),
    ("", "\n```\n````\n"),
    ("", "\n> ```\n"),
    ("", "`` ` "),
    ("", "<!-- <say>"),
    ("", "<thinking>"),
    ("", "x <tool_result> "),
    ("<tool_call>{\"name\": \"search\", \"arguments\": {\"query\": \"", "\", \""),
    ("<function=search>\n<parameter=query>\n", "</parameter>\n</function> x"),
    ("[search(query='", "' "),
    ("<batch>", "<path>a</path>"),
    ("<batch>", "<a><path>a</path>"),
    ("<|python_tag|>search(", "query=1,"),
    ("<tool_call>{\"arguments\": {", "\"a\":1,"),
];

/// Bytes looked at for each byte fed, at most, on any of them.
pub const MOST_VISITS: f64 = 28.0;

/// Bytes that are live at once, at most, whatever is fed, with the default limits but for kept
/// values of 4 KiB: what may be held, several times while it moves, and what a call takes.
pub const MOST_LIVE: u64 = 8 << 20;

/// Every family.
#[must_use]
pub fn all() -> Vec<Family> {
    let mut all = [NATIVE, TAGGED].concat();
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
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Bytes looked at for each byte fed.
    pub each: f64,
    /// The most bytes that were kept between chunks.
    pub held: u64,
}

/// Reads a text in chunks of so many bytes, or a little more, and counts.
#[must_use]
pub fn work(tags: &TagSet, limits: Limits, text: &str, size: usize) -> Work {
    let mut meter = Meter::new(tags, limits);
    meter.feed(text, size);
    meter.end()
}

/// Reads a family's text of about this many bytes, which is never all in memory, and counts.
#[must_use]
pub fn stream(
    tags: &TagSet,
    limits: Limits,
    (start, unit): Family,
    len: usize,
    size: usize,
) -> Work {
    let mut meter = Meter::new(tags, limits);
    let piece = text(("", unit), BLOCK);
    meter.feed(start, size);
    while meter.n_fed < len {
        meter.feed(&piece, size);
    }
    meter.end()
}

/// How much of a streamed text is made at once.
const BLOCK: usize = 1 << 16;

/// A parser whose work is counted.
struct Meter {
    parser: Parser,
    n_fed: usize,
    held: u64,
}

impl Meter {
    fn new(tags: &TagSet, limits: Limits) -> Self {
        Self { parser: Parser::new(tags, limits), n_fed: 0, held: 0 }
    }

    fn feed(&mut self, text: &str, size: usize) {
        let mut rest = text;
        while !rest.is_empty() {
            let at = (size..rest.len()).find(|at| rest.is_char_boundary(*at));
            let (chunk, behind) = rest.split_at(at.unwrap_or(rest.len()));
            self.parser.feed_to(chunk, &mut |_: EventRef<'_>| {});
            self.held = self.held.max(self.parser.stats().held);
            rest = behind;
        }
        self.n_fed += text.len();
    }

    fn end(mut self) -> Work {
        self.parser.flush_to(Finish::Stop, &mut |_: EventRef<'_>| {});
        let Stats { fed, visited, .. } = self.parser.stats();
        Work { each: visited as f64 / fed as f64, held: self.held }
    }
}
