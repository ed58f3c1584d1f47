//! The tools, and how their calls look while they are written.

use std::io::{self, Write};

use tagline_parser::{Event, TagSet, TagSpec, ValueKind, ValueName};

/// What the parser reacts to.
pub(crate) fn tags() -> TagSet {
    TagSet::new([
        TagSpec {
            name: "write_file".into(),
            attributes: vec!["path".into()],
            body: Some(ValueKind::Raw),
            ..TagSpec::default()
        },
        TagSpec { name: "say".into(), body: Some(ValueKind::Scalar), ..TagSpec::default() },
    ])
}

/// Prints events as they come.
pub(crate) struct Printer<W> {
    out: W,
}

impl<W: Write> Printer<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }

    /// Prints what became certain, at once.
    pub(crate) fn print(&mut self, events: impl Iterator<Item = Event>) -> io::Result<()> {
        for event in events {
            self.one(event)?;
        }
        self.out.flush()
    }

    fn one(&mut self, event: Event) -> io::Result<()> {
        let out = &mut self.out;
        match event {
            Event::Text(text) => write!(out, "{text}"),
            Event::Thinking(_) => Ok(()),
            Event::Start { name, .. } => writeln!(out, "\n▶ {name}"),
            Event::Attribute { name, value, .. } => writeln!(out, "  {name} = {value}"),
            Event::Delta { value: ValueName::Body, text, .. } => write!(out, "{text}"),
            Event::Delta { value: ValueName::Child(name, _), text, .. } => {
                write!(out, "[{name}] {text}")
            }
            // Here a runtime would run the call, unless it is partial.
            Event::End(block) if block.is_partial => writeln!(out, "\n✗ {} was cut", block.name),
            Event::End(block) => writeln!(out, "\n✓ {} is complete", block.name),
            Event::Abort { .. } => writeln!(out, "\n✗ that was no call"),
            Event::Relabel { .. } => writeln!(out, "\n(the text above was reasoning)"),
            Event::Fault(fault) => writeln!(out, "\n! {fault}"),
        }
    }
}
