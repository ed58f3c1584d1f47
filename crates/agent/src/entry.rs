//! One result as it goes back.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use tagline_protocol::{
    ErrorClass, Media, ResultEntry, Shape, Status, ToolOutcome, Untrusted, render_results,
};

/// One result.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    tool: Option<String>,
    status: Status,
    text: String,
    notes: Vec<String>,
    media: Vec<Media>,
}

impl Entry {
    const fn new(tool: Option<String>, status: Status, text: String) -> Self {
        Self { tool, status, text, notes: Vec::new(), media: Vec::new() }
    }

    /// A call that worked.
    pub(crate) fn ok(tool: Option<String>, echo: &str, media: Vec<Media>) -> Self {
        Self { media, ..Self::new(tool, Status::Ok, echo.to_string()) }
    }

    /// A call that did not work, or is none; the text begins with its class.
    pub(crate) const fn error(tool: Option<String>, text: String) -> Self {
        Self::new(tool, Status::Error, text)
    }

    /// A call that never began.
    pub(crate) fn not_run(tool: Option<String>, why: &str) -> Self {
        Self::new(tool, Status::NotRun, ErrorClass::NotRun.say(why))
    }

    /// What a tool handed back.
    pub(crate) fn of(tool: Option<String>, outcome: &ToolOutcome) -> Self {
        match outcome {
            Ok(output) => Self::ok(tool, output.echo.as_str(), output.media.clone()),
            Err(failure) => Self::error(tool, failure.in_words()),
        }
    }

    /// The same with lines of ours behind it.
    pub(crate) fn with_notes(self, notes: &[String]) -> Self {
        Self { notes: notes.to_vec(), ..self }
    }
}

/// The text of a results message, and its images.
pub(crate) fn render(shape: Shape, entries: &[Entry]) -> (String, Vec<Media>) {
    let results: Vec<ResultEntry<'_>> = entries
        .iter()
        .map(|entry| ResultEntry {
            tool: entry.tool.as_deref(),
            status: entry.status,
            text: Untrusted::new(&entry.text),
            notes: &entry.notes,
        })
        .collect();
    let media = entries.iter().flat_map(|entry| entry.media.clone()).collect();
    (render_results(shape, &results), media)
}
