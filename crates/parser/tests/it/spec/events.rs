//! What a reply gives, as text: a line for each event.

use std::{fmt::Write as _, ops::Range};

use tagline_parser::{
    Block, Child, EventRef, Fault, Parser, Reason, Repair, Span, TagSet, Value, ValueName, ValueRef,
};

use super::page::{Settings, Start};

/// The longest text that is shown whole, in characters.
const LONG: usize = 240;

/// What is read, and how.
pub(super) struct Reply<'a> {
    pub(super) tags: &'a TagSet,
    pub(super) settings: &'a Settings,
}

/// An event, with neighbors of one kind joined.
#[derive(Debug)]
enum Item {
    Text(String),
    Thinking(String),
    Dropped(Range<usize>),
    Start(String, u64),
    Attribute(String, String),
    Delta(u32, ValueName, String),
    End(Block),
    Abort,
    Relabel(Range<usize>),
    Fault(Fault),
    /// A chunk is over.
    ChunkEnd,
}

impl Item {
    fn end(&self) -> Option<&Block> {
        if let Self::End(block) = self { Some(block) } else { None }
    }

    fn delta(&self) -> Option<(u32, &ValueName, &str)> {
        if let Self::Delta(id, name, text) = self { Some((*id, name, text)) } else { None }
    }
}

#[derive(Default)]
struct Items {
    items: Vec<Item>,
    /// Spans that together are the reply.
    spans: Vec<Span>,
}

impl Items {
    fn take(&mut self, event: EventRef<'_>) {
        let items = &mut self.items;
        match (event, items.last_mut()) {
            (EventRef::Text(text, span), last) => {
                self.spans.push(span);
                match last {
                    Some(Item::Text(old)) => old.push_str(text),
                    _ => items.push(Item::Text(text.into())),
                }
            }
            (EventRef::Thinking(text, span), last) => {
                self.spans.push(span);
                match last {
                    Some(Item::Thinking(old)) => old.push_str(text),
                    _ => items.push(Item::Thinking(text.into())),
                }
            }
            (EventRef::Dropped(span), last) => {
                self.spans.push(span.clone());
                let span = positions(&span);
                match last {
                    Some(Item::Dropped(old)) if old.end == span.start => old.end = span.end,
                    _ => items.push(Item::Dropped(span)),
                }
            }
            (EventRef::Delta { block, value, text }, last) => match last {
                Some(Item::Delta(id, name, old)) if *id == block.0 && is_same(value, name) => {
                    old.push_str(text);
                }
                _ => items.push(Item::Delta(block.0, value.to_owned(), text.into())),
            },
            (EventRef::Start { name, at, .. }, _) => {
                items.push(Item::Start(name.into(), at));
            }
            (EventRef::Attribute { name, value, .. }, _) => {
                items.push(Item::Attribute(name.into(), value.into()));
            }
            (EventRef::End(block), _) => {
                self.spans.push(block.span.clone());
                items.push(Item::End(block.clone()));
            }
            (EventRef::Abort(_), _) => items.push(Item::Abort),
            (EventRef::Relabel(span), _) => items.push(Item::Relabel(positions(&span))),
            (EventRef::Fault(fault), _) => {
                if fault.reason != Reason::QuotedCall {
                    self.spans.push(fault.span.clone());
                }
                items.push(Item::Fault(fault));
            }
        }
    }
}

fn positions(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn is_same(value: ValueRef<'_>, name: &ValueName) -> bool {
    value.to_owned() == *name
}

/// Reads a reply in these chunks and writes down what became of it. Where the example is fed live,
/// the end of each chunk shows. Also says which promise of the parser was broken.
pub(super) fn rendered(reply: &Reply<'_>, chunks: &[&str]) -> (String, Option<String>) {
    let Settings { finish, start, is_live, limits } = reply.settings.clone();
    let mut parser = Parser::new(reply.tags, limits);
    match start {
        Start::Text => {}
        Start::Thinking => parser.begin_in_thinking(),
        Start::Auto => parser.may_begin_in_thinking(),
    }
    let mut items = Items::default();
    for (n, chunk) in chunks.iter().enumerate() {
        if is_live && n > 0 {
            items.items.push(Item::ChunkEnd);
        }
        parser.feed_to(chunk, &mut |event: EventRef<'_>| items.take(event));
    }
    if is_live {
        items.items.push(Item::ChunkEnd);
    }
    parser.flush_to(finish, &mut |event: EventRef<'_>| items.take(event));
    let text = chunks.concat();
    let gaps = gaps(items.spans, text.len()).into_iter().map(|gap| format!("P3: {gap} is lost"));
    let lines = Lines { items: &items.items, text: &text };
    let broken = gaps.chain(lines.lies()).next();
    (lines.written(), broken)
}

/// Parts of the reply that lie in no span, or in several.
fn gaps(mut spans: Vec<Span>, len: usize) -> Vec<String> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let (mut at, mut gaps) = (0, Vec::new());
    for span in spans.into_iter().chain(std::iter::once(len as u64..len as u64)) {
        if span.start != at {
            gaps.push(format!("{at}..{}", span.start));
        }
        at = span.end;
    }
    gaps
}

struct Lines<'a> {
    items: &'a [Item],
    text: &'a str,
}

impl Lines<'_> {
    fn written(&self) -> String {
        self.items.iter().enumerate().map(|(n, item)| self.line(n, item)).collect()
    }

    fn line(&self, n: usize, item: &Item) -> String {
        match item {
            Item::Text(text) => format!("text {}\n", quoted(text)),
            Item::Thinking(text) => format!("thinking {}\n", quoted(text)),
            Item::Dropped(span) => format!("dropped {}\n", quoted(&self.text[span.clone()])),
            Item::Start(name, at) => format!("start {name} at {at}\n"),
            Item::Attribute(name, value) => format!("  {name} = {value:?}\n"),
            Item::Delta(id, name, text) => {
                let kind = self.block(n, *id).map(|block| kind(block, name)).unwrap_or_default();
                format!("  {}: {kind}{}\n", shown(name), quoted(text))
            }
            Item::End(block) => self.silent(n, block) + &end(block),
            Item::Abort => "abort\n".into(),
            Item::Relabel(span) => format!("relabel {}..{}\n", span.start, span.end),
            Item::Fault(it) => format!("fault {} {}{}\n", it.reason.as_str(), tag(it), facts(it)),
            Item::ChunkEnd => "¦\n".into(),
        }
    }

    /// The finished block that a delta belongs to.
    fn block(&self, n: usize, id: u32) -> Option<&Block> {
        let mut ends = self.items[n..].iter().filter_map(Item::end);
        ends.rfind(|block| block.id.0 == id)
    }

    /// What the deltas of a value said, up to a place.
    fn told(&self, n: usize, id: u32, name: &ValueName) -> String {
        let deltas = self.items[..n].iter().filter_map(Item::delta);
        let deltas = deltas.filter(|(of, it, _)| *of == id && *it == name);
        deltas.map(|(_, _, text)| text).collect()
    }

    /// Values without a delta: they are empty.
    fn silent(&self, n: usize, block: &Block) -> String {
        let silent = values(block).into_iter().filter(|(_, value)| value.text().is_empty());
        let silent = silent.filter(|(name, _)| self.told(n, block.id.0, name).is_empty());
        silent
            .map(|(name, _)| format!("  {}: {}\"\"\n", shown(&name), kind(block, &name)))
            .collect()
    }

    /// Values that are not what their deltas said.
    fn lies(&self) -> Vec<String> {
        let ends = self.items.iter().enumerate().filter_map(|(n, item)| Some((n, item.end()?)));
        let values = ends.flat_map(|(n, block)| {
            values(block).into_iter().map(move |(name, value)| (n, block.id.0, name, value))
        });
        let is_lie = |(n, id, name, value): &(usize, u32, ValueName, &Value)| {
            self.told(*n, *id, name) != value.text()
        };
        values.filter(is_lie).map(|(_, _, name, _)| format!("P5: {}", shown(&name))).collect()
    }
}

/// The values of a block by name, without those that were given twice.
fn values(block: &Block) -> Vec<(ValueName, &Value)> {
    let body = block.body.iter().map(|body| (ValueName::Body, body));
    let children = block.children.iter().enumerate().map(|(n, child)| {
        let is_same = |it: &&Child| it.name == child.name;
        let n = block.children[..n].iter().filter(is_same).count();
        (ValueName::Child(child.name.clone(), u32::try_from(n).unwrap()), &child.value)
    });
    children.chain(body).collect()
}

/// A text in quotes; of a long one its ends and its length.
fn quoted(text: &str) -> String {
    let n = text.chars().count();
    if n <= LONG {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(LONG / 4).collect();
    let end: String = text.chars().skip(n - LONG / 4).collect();
    format!("{start:?} … {end:?} ({n} characters)")
}

fn shown(name: &ValueName) -> String {
    match name {
        ValueName::Body => "body".into(),
        ValueName::Child(name, 0) => name.clone(),
        ValueName::Child(name, n) => format!("{name}.{n}"),
    }
}

/// What is special about a value.
fn kind(block: &Block, name: &ValueName) -> String {
    let mut out = String::new();
    if let ValueName::Child(name, n) = name
        && let Some(child) = block.children.iter().filter(|it| it.name == *name).nth(*n as usize)
    {
        for (name, value) in &child.attributes {
            write!(out, "({name} = {value:?}) ").unwrap();
        }
        if !child.is_declared {
            out.push_str("undeclared ");
        }
    }
    let value = values(block).into_iter().find(|(it, _)| it == name);
    if let Some((_, Value::Json(_))) = value {
        out.push_str("json ");
    }
    out
}

fn end(block: &Block) -> String {
    let flags = [
        (block.is_partial, " partial"),
        (block.is_recovered, " recovered"),
        (block.is_from_unclosed_cdata, " from_unclosed_section"),
    ];
    let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag).collect();
    let note = |it: &Fault| format!("  note {} {}\n", it.reason.as_str(), facts(it));
    let faults: String = block.faults.iter().map(note).collect();
    let repairs: String = block.repairs.iter().map(repair).collect();
    format!("{faults}{repairs}end {}..{}{flags}\n", block.span.start, block.span.end)
}

fn repair(Repair { kind, span }: &Repair) -> String {
    format!("  repair {} {}..{}\n", kind.as_str(), span.start, span.end)
}

/// The tag concerned, where there is one.
fn tag(fault: &Fault) -> String {
    if fault.tag.is_empty() { String::new() } else { format!("{} ", fault.tag) }
}

fn facts(fault: &Fault) -> String {
    let Fault { span, found, nearest, .. } = fault;
    let mut out = format!("{}..{}", span.start, span.end);
    if !found.is_empty() {
        write!(out, " {found:?}").unwrap();
    }
    if !nearest.is_empty() {
        write!(out, " near {}", nearest.join(" ")).unwrap();
    }
    out
}
