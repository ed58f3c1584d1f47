//! Spans as lines of JSON in a file: for those who have no collector.

use std::{
    fmt,
    fs::File,
    io::Write as _,
    path::Path,
    sync::{Mutex, PoisonError},
};

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tagline_protocol::system_words;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use crate::{
    exit::Exit,
    output::{covered, fail},
};

/// Writes each span once it is over.
#[derive(Debug)]
pub(super) struct Spans {
    file: Mutex<File>,
}

/// What a span has while it is open.
struct Open {
    since: Timestamp,
    attributes: Map<String, Value>,
    events: Vec<Value>,
}

impl Spans {
    /// Writes behind what the file holds already.
    pub(super) fn open(path: &Path) -> Result<Self, Exit> {
        let file = File::options().create(true).append(true).open(path).map_err(|error| {
            let words = system_words(&error);
            fail(Exit::Setup, format_args!("--trace-file {}: {words}", path.display()))
        })?;
        Ok(Self { file: Mutex::new(file) })
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let open = Open { since: Timestamp::now(), attributes: fields.0, events: Vec::new() };
        span.extensions_mut().insert(open);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let Some(open) = span.extensions_mut().get_mut::<Open>() {
            open.attributes.extend(fields.0);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(span) = context.event_span(event) else { return };
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(open) = span.extensions_mut().get_mut::<Open>() {
            open.events.push(Value::Object(fields.0));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(mut open) = span.extensions_mut().remove::<Open>() else { return };
        let name = open.attributes.shift_remove("otel.name");
        let kind = open.attributes.shift_remove("otel.kind");
        let line = json!({
            "name": name.unwrap_or_else(|| span.name().into()),
            "kind": kind,
            "span": id.into_u64(),
            "parent": span.parent().map(|parent| parent.id().into_u64()),
            "start": format!("{:.6}", open.since),
            "end": format!("{:.6}", Timestamp::now()),
            "attributes": open.attributes,
            "events": open.events,
        });
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A trace that cannot be written is no reason to stop a turn.
        let _ = file.write_all(covered(&format!("{line}\n")).as_bytes());
    }
}

/// Fields by name.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, format!("{value:?}"));
    }
}
