//! One reply on standard input: events as JSON lines, notes in words.

use std::{
    cell::RefCell,
    fmt::Display,
    io::{self, Read, Write},
};

use serde_json::{Map, Value, json};
use tagline_parser::{
    Block, BlockId, EventRef, Fault, Finish, Limits, Parser, Reason, Span, TagSet,
};

use super::{
    Findings,
    decode::{Invalid, Text},
};

/// Reads a reply and writes what is in it.
pub(crate) fn run(
    input: impl Read,
    out: &mut impl Write,
    notes: Option<impl Write>,
    tags: &TagSet,
) -> io::Result<Findings> {
    // Values pass as deltas and are only counted, so they need no memory.
    let limits = Limits { owned_value: 0, blocks: usize::MAX, ..Limits::default() };
    let mut parser = Parser::new(tags, limits);
    let report = RefCell::new(Report::new(out, notes));
    let mut text = Text::new(input);
    let mut is_open = true;
    while is_open {
        let parser = RefCell::new(&mut parser);
        let feed = |text: &str| {
            let mut sink = |event: EventRef<'_>| report.borrow_mut().event(event);
            parser.borrow_mut().feed_to(text, &mut sink);
            report.borrow_mut().flush()
        };
        let replace = |invalid: Invalid| {
            report.borrow_mut().invalid(invalid);
            feed("\u{fffd}")
        };
        is_open = text.next(feed, replace)?;
    }
    let mut report = report.into_inner();
    parser.flush_to(Finish::Stop, &mut |event: EventRef<'_>| report.event(event));
    report.finish()
}

/// A block that is open: its line is written once its attributes are known.
struct Open {
    block: BlockId,
    name: String,
    at: u64,
    attributes: Map<String, Value>,
    is_written: bool,
    n_bytes: u64,
}

/// Writes events and counts them.
struct Report<'a, O, N> {
    out: &'a mut O,
    notes: Option<N>,
    open: Option<Open>,
    n_tags: u64,
    n_calls: u64,
    n_repairs: u64,
    n_faults: u64,
    n_invalid: u64,
    /// The first thing that could not be written.
    error: Option<io::Error>,
    is_dirty: bool,
}

impl<'a, O: Write, N: Write> Report<'a, O, N> {
    const fn new(out: &'a mut O, notes: Option<N>) -> Self {
        Self {
            out,
            notes,
            open: None,
            n_tags: 0,
            n_calls: 0,
            n_repairs: 0,
            n_faults: 0,
            n_invalid: 0,
            error: None,
            is_dirty: false,
        }
    }

    fn line(&mut self, value: &Value) {
        if self.error.is_none() {
            self.error = writeln!(self.out, "{value}").err();
            self.is_dirty = true;
        }
    }

    fn note(&mut self, line: &str) {
        if let Some(notes) = &mut self.notes
            && self.error.is_none()
        {
            self.error = writeln!(notes, "{line}").err();
        }
    }

    /// Shows what was written, since it may be all for a while.
    fn flush(&mut self) -> io::Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if core::mem::take(&mut self.is_dirty) {
            self.out.flush()?;
        }
        Ok(())
    }

    fn event(&mut self, event: EventRef<'_>) {
        match event {
            EventRef::Start { block, name, at } => {
                self.n_tags += 1;
                let (name, attributes) = (name.to_owned(), Map::new());
                self.open =
                    Some(Open { block, name, at, attributes, is_written: false, n_bytes: 0 });
            }
            EventRef::Attribute { name, value, .. } => {
                if let Some(open) = &mut self.open {
                    open.attributes.insert(name.to_owned(), value.into());
                }
            }
            EventRef::Delta { text, .. } => {
                self.write_open();
                if let Some(open) = &mut self.open {
                    open.n_bytes += text.len() as u64;
                }
            }
            EventRef::End(block) => self.end(block),
            EventRef::Abort(block) => self.abort(block),
            EventRef::Fault(fault) => self.fault(&fault),
            EventRef::Text(..)
            | EventRef::Thinking(..)
            | EventRef::Dropped(_)
            | EventRef::Relabel(_) => {}
        }
    }

    fn write_open(&mut self) {
        let Some(open) = &mut self.open else { return };
        if core::mem::replace(&mut open.is_written, true) {
            return;
        }
        let line =
            json!({"event": "open", "name": open.name, "attrs": open.attributes, "at": open.at});
        self.line(&line);
    }

    fn end(&mut self, block: &Block) {
        self.write_open();
        let n_bytes = self.open.take().map_or(0, |open| open.n_bytes);
        let faults = block.faults.iter().map(|fault| fault.reason.as_str());
        let mended = block.repairs.iter().map(|repair| repair.kind.as_str());
        let repairs: Vec<&str> = faults.chain(mended).collect();
        self.n_repairs += repairs.len() as u64;
        self.n_calls += u64::from(!block.is_partial);
        self.line(&json!({
            "event": "close",
            "name": block.name,
            "body_bytes": n_bytes,
            "partial": block.is_partial,
            "recovered": block.is_recovered,
            "repairs": repairs,
        }));
        for fault in &block.faults {
            self.explain(&fault.tag, &fault.span, fault);
        }
        for repair in &block.repairs {
            self.explain(&block.name, &repair.span, repair);
        }
        if block.is_recovered {
            let words = "recovered: where it or a call before it ends was guessed, so what cannot be undone asks first";
            self.explain(&block.name, &block.span, words);
        }
    }

    fn abort(&mut self, block: BlockId) {
        self.write_open();
        if let Some(open) = self.open.take().filter(|open| open.block == block) {
            self.line(&json!({"event": "abort", "name": open.name, "at": open.at}));
        }
    }

    fn fault(&mut self, fault: &Fault) {
        match fault.reason {
            Reason::QuotedCall => self.n_tags += 1,
            Reason::UnterminatedTool
            | Reason::MismatchedClose
            | Reason::MalformedTag
            | Reason::UnknownTool
            | Reason::UnknownParam
            | Reason::DuplicateParam
            | Reason::InvalidArguments
            | Reason::NestedTool
            | Reason::StrayClose
            | Reason::FabricatedResult
            | Reason::CdataUnclosed
            | Reason::Limit => {
                self.n_faults += 1;
                self.line(&json!({
                    "event": "fault",
                    "reason": fault.reason.as_str(),
                    "name": fault.tag,
                    "at": fault.span.start,
                    "message": fault.to_string(),
                }));
            }
        }
        self.explain(&fault.tag, &fault.span, fault);
    }

    fn explain(&mut self, name: &str, span: &Span, words: impl Display) {
        let bytes = match (span.start, span.end) {
            (start, end) if start == end => format!("byte {start}"),
            (start, end) => format!("byte {start}-{end}"),
        };
        self.note(&format!("note  {bytes}   {name}   {words}"));
    }

    fn invalid(&mut self, invalid: Invalid) {
        self.n_invalid += 1;
        let Invalid { at, len } = invalid;
        self.line(&json!({"event": "invalid_utf8", "at": at, "bytes": len}));
        self.note(&format!(
            "note  byte {at}   input: expected UTF-8, but found {len} other bytes; they were replaced by U+FFFD"
        ));
    }

    fn finish(mut self) -> io::Result<Findings> {
        let n_problems = self.n_repairs + self.n_faults + self.n_invalid;
        let strict = if n_problems == 0 { "" } else { " (with --strict: exit 8)" };
        let summary = format!(
            "{}, {}, {}, {}{strict}",
            counted(self.n_tags, "tag seen", "tags seen"),
            counted(self.n_calls, "call", "calls"),
            counted(self.n_repairs, "repair", "repairs"),
            counted(self.n_faults + self.n_invalid, "fault", "faults"),
        );
        self.note(&summary);
        self.is_dirty = true;
        self.flush()?;
        Ok(if n_problems == 0 { Findings::Clean } else { Findings::Problems })
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
