//! P4: work is linear in the text, whatever it is and however it is cut. Bytes looked at are
//! counted, not time.

use tagline_parser::{Finish, Limits};

use crate::support::{cut, read, tags};

/// Beginnings, and what is repeated behind them: texts that invite looking again.
const FAMILIES: &[(&str, &str)] = &[
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
    ("", "\n[search("),
];

/// Bytes looked at for each byte fed.
fn work(text: &str, size: usize, limits: Limits) -> u64 {
    let chunks = cut(text, &[size]);
    let reading = read(&tags(), limits, &chunks, Finish::Stop);
    assert_eq!(reading.stats.fed, text.len() as u64);
    reading.stats.visited / reading.stats.fed
}

#[test]
fn work_is_linear_on_texts_that_invite_looking_again() {
    let limits = Limits::default();
    for (start, unit) in FAMILIES {
        let text = format!("{start}{}", unit.repeat(12_000 / unit.len()));
        for size in [1, 8, 4096] {
            let work = work(&text, size, limits);
            assert!(work <= 32, "{work} bytes for each of {start:?} and {unit:?} in {size}s");
        }
    }
}

#[test]
fn work_is_linear_where_limits_are_reached() {
    let limits = Limits { held: 700, start_tag: 300, blocks: usize::MAX, ..Limits::default() };
    for (start, unit) in FAMILIES {
        let text = format!("{start}{}", unit.repeat(12_000 / unit.len()));
        for size in [1, 4096] {
            let work = work(&text, size, limits);
            assert!(work <= 32, "{work} bytes for each of {start:?} and {unit:?} in {size}s");
        }
    }
}
