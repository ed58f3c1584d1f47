//! Tags, texts and readings that the properties share.

use proptest::prelude::*;
use tagline_parser::{
    Block, ChildSpec, EventRef, Fault, Finish, Limits, Parser, Reason, Span, Stats, TagSet,
    TagSpec, ValueKind, ValueName,
};

fn child(name: &str, kind: ValueKind, is_list: bool) -> ChildSpec {
    ChildSpec { name: name.into(), kind, is_list, attributes: Vec::new() }
}

fn tag(
    name: &str,
    attributes: &[&str],
    children: &[ChildSpec],
    body: Option<ValueKind>,
) -> TagSpec {
    TagSpec {
        name: name.into(),
        aliases: Vec::new(),
        attributes: attributes.iter().map(|&it| it.into()).collect(),
        children: children.to_vec(),
        body,
        is_lenient_eof: name == "say",
        needs_mark: false,
    }
}

/// Tags of every kind: body and none, raw and scalar, children, lists, an alias.
pub(crate) fn tags() -> TagSet {
    use ValueKind::{Raw, Scalar};
    let mut write = tag("write_file", &["path", "mode"], &[], Some(Raw));
    write.aliases.push("create_file".into());
    TagSet::new([
        write,
        tag("say", &["tone"], &[], Some(Scalar)),
        tag("search", &[], &[child("query", Scalar, false), child("path", Scalar, false)], None),
        tag("create", &[], &[child("path", Scalar, false), child("content", Raw, false)], None),
        tag("app", &["id"], &[child("html", Raw, false), child("doc", Raw, false)], None),
        tag("ask", &["files"], &[child("options", Scalar, false)], Some(Scalar)),
        tag("batch", &[], &[child("path", Scalar, true)], None),
        tag("query", &["path"], &[child("pattern", Scalar, false)], None),
    ])
}

/// One event, owned, with neighboring text joined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Text(String),
    Thinking(String),
    Start(u32, String, u64),
    Attribute(u32, String, String),
    Delta(u32, ValueName, String),
    End(Block),
    Abort(u32),
    Relabel(Span),
    Fault(Fault),
}

/// All that reading a reply gave.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) seen: Vec<Seen>,
    /// Spans that together are the reply.
    pub(crate) spans: Vec<Span>,
    pub(crate) stats: Stats,
    /// The most that was kept between chunks.
    pub(crate) held: u64,
}

impl Reading {
    fn take(&mut self, event: EventRef<'_>) {
        match (event, self.seen.last_mut()) {
            (EventRef::Text(text, span), last) => {
                self.spans.push(span);
                match last {
                    Some(Seen::Text(old)) => old.push_str(text),
                    _ => self.seen.push(Seen::Text(text.into())),
                }
            }
            (EventRef::Thinking(text, span), last) => {
                self.spans.push(span);
                match last {
                    Some(Seen::Thinking(old)) => old.push_str(text),
                    _ => self.seen.push(Seen::Thinking(text.into())),
                }
            }
            (EventRef::Delta { block, value, text }, Some(Seen::Delta(id, name, old)))
                if block.0 == *id && value.to_owned() == *name =>
            {
                old.push_str(text);
            }
            (EventRef::Delta { block, value, text }, _) => {
                self.seen.push(Seen::Delta(block.0, value.to_owned(), text.into()));
            }
            (EventRef::Start { block, name, at }, _) => {
                self.seen.push(Seen::Start(block.0, name.into(), at));
            }
            (EventRef::Attribute { block, name, value }, _) => {
                self.seen.push(Seen::Attribute(block.0, name.into(), value.into()));
            }
            (EventRef::End(block), _) => {
                self.spans.push(block.span.clone());
                self.seen.push(Seen::End(block.clone()));
            }
            (EventRef::Abort(block), _) => self.seen.push(Seen::Abort(block.0)),
            (EventRef::Relabel(span), _) => self.seen.push(Seen::Relabel(span)),
            (EventRef::Fault(fault), _) => {
                if fault.reason != Reason::QuotedCall {
                    self.spans.push(fault.span.clone());
                }
                self.seen.push(Seen::Fault(fault));
            }
            (EventRef::Dropped(span), _) => self.spans.push(span),
        }
    }
}

/// Reads a reply in these chunks.
pub(crate) fn read(tags: &TagSet, limits: Limits, chunks: &[&str], finish: Finish) -> Reading {
    let mut parser = Parser::new(tags, limits);
    let mut reading = Reading::default();
    for chunk in chunks {
        parser.feed_to(chunk, &mut |event: EventRef<'_>| reading.take(event));
        reading.held = reading.held.max(parser.stats().held);
    }
    parser.flush_to(finish, &mut |event: EventRef<'_>| reading.take(event));
    reading.stats = parser.stats();
    reading
}

/// Cuts a text where the numbers say, in turn, counted in characters from 1.
pub(crate) fn cut<'a>(text: &'a str, sizes: &[usize]) -> Vec<&'a str> {
    let (mut chunks, mut rest) = (Vec::new(), text);
    for n in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let at = rest.char_indices().nth((*n).max(1)).map_or(rest.len(), |(at, _)| at);
        let (chunk, behind) = rest.split_at(at);
        chunks.push(chunk);
        rest = behind;
    }
    chunks
}

/// Pieces of what models write.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    " ",
    "  ",
    "word",
    "é",
    "a < b",
    "x",
    ".",
    "\t",
    "\r\n",
    "&amp;",
    "&lt;",
    "&",
    "&#32;",
    "`",
    "`",
    "``",
    "```",
    "```\n",
    "\n```xml\n",
    "~~~\n",
    "> ",
    "<!--",
    "-->",
    "--",
    "<",
    "</",
    ">",
    "/>",
    "=",
    "\"",
    "'",
    "\\\"",
    "<![CDATA[",
    "<![CDATA[",
    "]]>",
    "]]>",
    "]]",
    "]",
    "]]><![CDATA[",
    "<write_file path=\"a\">",
    "<write_file path=\"b\"><![CDATA[",
    "</write_file>",
    "</write_file>",
    "]]></write_file>",
    "<write_file>",
    "<create_file path='c'/>",
    "< write_file >",
    "< /write_file >",
    "<say>",
    "<say tone=\"x\">",
    "</say>",
    "<say tone=\"y\"/>",
    "<search>",
    "<search><query>",
    "<query>",
    "</query>",
    "<path>",
    "</path>",
    "</search>",
    "<query path=\"p\"/>",
    "<create><path>p</path><content>",
    "<content>",
    "</content>",
    "</content></create>",
    "<create>",
    "</create>",
    "<content><![CDATA[",
    "]]></content></create>",
    "<app id=\"1\"><html>",
    "</html>",
    "<html>",
    "<doc>",
    "</doc>",
    "</app>",
    "</html></app>",
    "<ask files=\"f\">",
    "<options>",
    "</options>",
    "</ask>",
    "<batch><path>",
    "</path><path>",
    "</path></batch>",
    "<batch>",
    "</batch>",
    "<thinking>",
    "</thinking>",
    "<think>",
    "</think>",
    "<tool_result>",
    "</tool_result>",
    "<tool_results>",
    "<invoke name=\"search\">",
    "<parameter name=\"query\">",
    "</parameter>",
    "</invoke>",
    "<function_calls>",
    "</function_calls>",
    "<function=create>",
    "<parameter=path>",
    "</function>",
    "<tool_call>",
    "</tool_call>",
    "<invoke name=\"nope\">",
    "<serach>",
    "</serach>",
    "<args>",
    "</args>",
    "<b>",
    "</b>",
    "<name>search</name>",
    "{\"path\":\"a\"}",
    "{\"query\": [1, {\"a\": \"}\"}], ",
    "\"path\": 3}",
    "{",
    "}",
    "\u{feff}",
    "\u{a0}",
];

/// Text as models write it, mostly broken.
pub(crate) fn reply() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[a-z <>/=\"'&;\\[\\]!`-]{0,6}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Limits, often so small that they are reached.
pub(crate) fn limits() -> impl Strategy<Value = Limits> {
    let small = (8usize..80, 3usize..20, 4usize..60, 0usize..40, 0usize..3, 0usize..4).prop_map(
        |(start_tag, name, held, owned_value, depth, blocks)| Limits {
            start_tag,
            name: name.max(12),
            held,
            owned_value,
            depth,
            blocks,
        },
    );
    prop_oneof![Just(Limits::default()), small]
}

/// How many texts each property tries; failures are not written to files.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    ProptestConfig { cases: config.cases.max(1000), ..config }
}

/// How replies end.
pub(crate) fn finish() -> impl Strategy<Value = Finish> {
    prop_oneof![Just(Finish::Stop), Just(Finish::Length), Just(Finish::Cut)]
}
