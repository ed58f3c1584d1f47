//! The parsers, and how each is fed.

use std::{
    collections::BTreeMap,
    hint::black_box,
    io::{BufRead, Read},
    sync::LazyLock,
    time::Instant,
};

use serde_json::{Map, Value, json};
use tagline_parser::{Block, EventRef, Finish, Limits, Parser, Sink, TagSet, TagSpec, ValueKind};
use tagline_workload::TOOLS;

use crate::{Pass, feed};

/// A call as a parser found it: `{"name", "arguments"}`.
pub(crate) type Found = Value;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Tagline,
    Scan,
    QuickXml,
    Dynamo,
    ToolParser,
    AgentToolParser,
}

impl Subject {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "tagline" => Self::Tagline,
            "memchr" => Self::Scan,
            "quick-xml" => Self::QuickXml,
            "dynamo-parsers-v2" => Self::Dynamo,
            "tool-parser" => Self::ToolParser,
            "agent-tool-parser-core" => Self::AgentToolParser,
            _ => return None,
        })
    }

    pub(crate) const fn dialect(self) -> &'static str {
        match self {
            Self::Tagline | Self::Scan => "native",
            Self::QuickXml => "xml",
            Self::Dynamo | Self::ToolParser => "qwen",
            Self::AgentToolParser => "invoke",
        }
    }

    /// One pass that keeps the calls, up to a time.
    pub(crate) fn read(self, text: &str, size: usize, until: Instant) -> Pass {
        let mut calls = Vec::new();
        let fed = self.run(text, size, Some(until), &mut |call| calls.push(call));
        Pass { fed, calls }
    }

    /// One whole pass for the clock. What a parser hands out is dropped.
    pub(crate) fn pass(self, text: &str, size: usize) -> usize {
        match self {
            Self::Tagline => tagline_stream(text, size),
            _ => self.run(text, size, None, &mut |call| drop(black_box(call))),
        }
    }

    fn run(
        self,
        text: &str,
        size: usize,
        until: Option<Instant>,
        found: &mut dyn FnMut(Found),
    ) -> usize {
        match self {
            Self::Tagline => tagline(text, size, until, found),
            Self::Scan => feed(text, size, until, |chunk| {
                memchr::memchr_iter(b'<', black_box(chunk.as_bytes())).for_each(|at| {
                    black_box(at);
                });
            }),
            Self::QuickXml => quick_xml(text, size, found),
            Self::Dynamo => dynamo(text, size, until, found),
            Self::ToolParser => tool_parser(text, size, until, found),
            Self::AgentToolParser => agent_tool_parser(text, size, until, found),
        }
    }
}

fn call(name: &str, arguments: impl IntoIterator<Item = (String, String)>) -> Found {
    let arguments: Map<String, Value> =
        arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
    json!({"name": name, "arguments": arguments})
}

fn body_argument(name: &str) -> Option<&'static str> {
    TOOLS.iter().find(|tool| tool.name == name)?.body.map(|(argument, _)| argument)
}

/// The JSON Schema of a tool's arguments.
fn schema(tool: &tagline_workload::Tool) -> Value {
    let names = tool.attributes.iter().copied().chain(tool.body.map(|(name, _)| name));
    let properties: Map<String, Value> =
        names.map(|name| (name.to_owned(), json!({"type": "string"}))).collect();
    json!({"type": "object", "properties": properties})
}

/// What does not change from reply to reply is made once, for every parser.
static TAGS: LazyLock<TagSet> = LazyLock::new(|| {
    TagSet::new(TOOLS.iter().map(|tool| TagSpec {
        name: tool.name.into(),
        attributes: tool.attributes.iter().map(|&name| name.into()).collect(),
        body: tool.body.map(|(_, raw)| if raw { ValueKind::Raw } else { ValueKind::Scalar }),
        ..TagSpec::default()
    }))
});

static DYNAMO_TOOLS: LazyLock<Vec<dynamo_parsers_v2::Tool>> = LazyLock::new(|| {
    let tool = |tool: &tagline_workload::Tool| dynamo_parsers_v2::Tool {
        name: tool.name.into(),
        description: None,
        parameters: schema(tool),
        strict: None,
    };
    TOOLS.iter().map(tool).collect()
});

static OPENAI_TOOLS: LazyLock<Vec<openai_protocol::common::Tool>> = LazyLock::new(|| {
    let tool = |tool: &tagline_workload::Tool| {
        json!({"type": "function",
               "function": {"name": tool.name, "parameters": schema(tool)}})
    };
    let tools: Value = TOOLS.iter().map(tool).collect();
    serde_json::from_value(tools).expect("tools")
});

struct Blocks<'a>(&'a mut dyn FnMut(Found));

impl Sink for Blocks<'_> {
    fn take(&mut self, event: EventRef<'_>) {
        black_box(&event);
    }

    fn end(&mut self, block: &mut Block) {
        if block.is_partial {
            return;
        }
        let body = block.body.take().and_then(|body| {
            Some((body_argument(&block.name)?.to_owned(), body.text().to_owned()))
        });
        (self.0)(call(&block.name, block.attributes.drain(..).chain(body)));
    }
}

fn tagline(text: &str, size: usize, until: Option<Instant>, found: &mut dyn FnMut(Found)) -> usize {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let mut parser = Parser::new(&TAGS, limits);
    let mut blocks = Blocks(found);
    let fed = feed(text, size, until, |chunk| parser.feed_to(chunk, &mut blocks));
    parser.flush_to(Finish::Stop, &mut blocks);
    fed
}

/// As an embedder streams: deltas go to a sink, bodies are not kept.
fn tagline_stream(text: &str, size: usize) -> usize {
    let limits = Limits { blocks: usize::MAX, owned_value: 0, ..Limits::default() };
    let mut parser = Parser::new(&TAGS, limits);
    let mut sink = |event: EventRef<'_>| {
        black_box(&event);
    };
    let fed = feed(text, size, None, |chunk| parser.feed_to(chunk, &mut sink));
    parser.flush_to(Finish::Stop, &mut sink);
    fed
}

/// A text of which only one chunk can be seen.
struct Chunked<'a> {
    rest: &'a [u8],
    size: usize,
    used: usize,
}

impl Read for Chunked<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let n = self.fill_buf()?.read(to)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Chunked<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(&self.rest[..(self.size - self.used).min(self.rest.len())])
    }

    fn consume(&mut self, n: usize) {
        self.rest = &self.rest[n..];
        self.used = (self.used + n) % self.size;
    }
}

fn quick_xml(text: &str, size: usize, found: &mut dyn FnMut(Found)) -> usize {
    use quick_xml::{Reader, events::Event};

    let mut reader = Reader::from_reader(Chunked { rest: text.as_bytes(), size, used: 0 });
    let (mut buffer, mut open) = (Vec::new(), None::<(String, Vec<(String, String)>, String)>);
    let element = |start: &quick_xml::events::BytesStart<'_>| {
        let name = start.name().as_ref().to_owned();
        let attributes = start.attributes().flatten().map(|it| {
            let value = quick_xml::escape::unescape(&it.value);
            (it.key.as_ref().to_owned(), value.unwrap_or_default().into_owned())
        });
        let attributes: Vec<_> = attributes.collect();
        (name, attributes, String::new())
    };
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) | Err(_) => return text.len(),
            Ok(Event::Empty(start)) => {
                let (name, attributes, _) = element(&start);
                found(call(&name, attributes));
            }
            Ok(Event::Start(start)) if start.name().as_ref() != "r" => {
                open = Some(element(&start));
            }
            Ok(Event::Text(piece)) => {
                if let Some((_, _, body)) = &mut open {
                    body.push_str(&piece);
                }
            }
            Ok(Event::CData(piece)) => {
                if let Some((_, _, body)) = &mut open {
                    body.push_str(&piece);
                }
            }
            Ok(Event::GeneralRef(name)) => {
                if let Some((_, _, body)) = &mut open {
                    let name: &str = &name;
                    body.push_str(quick_xml::escape::resolve_xml_entity(name).unwrap_or(""));
                }
            }
            Ok(Event::End(_)) => {
                if let Some((name, attributes, body)) = open.take() {
                    let body = body_argument(&name)
                        .map(|argument| (argument.to_owned(), without_layout(&body).to_owned()));
                    found(call(&name, attributes.into_iter().chain(body)));
                }
            }
            Ok(_) => {}
        }
        buffer.clear();
    }
}

/// The line breaks around a file of several lines are layout.
fn without_layout(body: &str) -> &str {
    body.strip_prefix('\n').and_then(|body| body.strip_suffix('\n')).unwrap_or(body)
}

/// Calls that come as pieces of JSON, by number.
#[derive(Default)]
struct Pieces(BTreeMap<usize, (String, String)>);

impl Pieces {
    fn push(&mut self, index: usize, name: Option<String>, arguments: &str) {
        let entry = self.0.entry(index).or_default();
        if let Some(name) = name {
            entry.0 = name;
        }
        entry.1.push_str(arguments);
    }

    fn finish(self, found: &mut dyn FnMut(Found)) {
        for (name, arguments) in self.0.into_values() {
            let arguments: Value = serde_json::from_str(&arguments).unwrap_or(Value::Null);
            found(json!({"name": name, "arguments": arguments}));
        }
    }
}

fn dynamo(text: &str, size: usize, until: Option<Instant>, found: &mut dyn FnMut(Found)) -> usize {
    use dynamo_parsers_v2::{
        UnifiedParserEvent, UnifiedParserInit, UnifiedParserOutput,
        create_unified_parser_for_family,
    };

    let mut parser = create_unified_parser_for_family("qwen3", &DYNAMO_TOOLS).expect("a parser");
    parser.initialize_request(UnifiedParserInit::default()).expect("initialization");
    let mut pieces = Pieces::default();
    let mut take = |events: Vec<UnifiedParserEvent>| {
        for event in events {
            if let UnifiedParserEvent::ToolCall(delta) = event {
                pieces.push(delta.tool_index, delta.name, &delta.arguments);
            }
        }
    };
    let fed = feed(text, size, until, |chunk| {
        let mut out = UnifiedParserOutput::default();
        if parser.parse_into(chunk, &mut out).is_ok() {
            take(out.events);
        }
    });
    if let Ok(out) = parser.finish() {
        take(out.events);
    }
    pieces.finish(found);
    fed
}

fn tool_parser(
    text: &str,
    size: usize,
    until: Option<Instant>,
    found: &mut dyn FnMut(Found),
) -> usize {
    let factory = tool_parser::ParserFactory::new();
    let mut parser = factory.registry().create_parser("qwen_coder").expect("a parser");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut pieces = Pieces::default();
    let fed = feed(text, size, until, |chunk| {
        if let Ok(result) = runtime.block_on(parser.parse_incremental(chunk, &OPENAI_TOOLS)) {
            for item in result.calls {
                pieces.push(item.tool_index, item.name, &item.parameters);
            }
        }
    });
    for item in parser.get_unstreamed_tool_args().unwrap_or_default() {
        pieces.push(item.tool_index, item.name, &item.parameters);
    }
    pieces.finish(found);
    fed
}

fn agent_tool_parser(
    text: &str,
    size: usize,
    until: Option<Instant>,
    found: &mut dyn FnMut(Found),
) -> usize {
    use agent_tool_parser_core::streaming::{StreamEvent, StreamingToolParser};

    let mut parser = StreamingToolParser::new();
    feed(text, size, until, |chunk| {
        for event in parser.feed(chunk) {
            if let StreamEvent::ToolCallCompleted(call) = event {
                found(json!({"name": call.name, "arguments": call.args}));
            }
        }
    })
}
