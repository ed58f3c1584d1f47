//! One result as it goes back.

use alloc::{
    borrow::Cow,
    string::{String, ToString as _},
    vec::Vec,
};

use tagline_protocol::{
    CallId, Echo, ErrorClass, Media, ResultEntry, Shape, Status, ToolOutcome, Untrusted, clipped,
    render_results, where_whole,
};

/// One result.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Under which its whole result is kept.
    call: Option<CallId>,
    tool: Option<String>,
    status: Status,
    text: String,
    notes: Vec<String>,
    media: Vec<Media>,
}

impl Entry {
    const fn new(tool: Option<String>, status: Status, text: String) -> Self {
        Self { call: None, tool, status, text, notes: Vec::new(), media: Vec::new() }
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

    pub(crate) const fn call(&self) -> Option<&CallId> {
        self.call.as_ref()
    }

    /// The same, of this call.
    pub(crate) fn of_call(self, call: Option<CallId>) -> Self {
        Self { call, ..self }
    }

    /// The same with lines of ours behind it.
    pub(crate) fn with_notes(self, notes: &[String]) -> Self {
        Self { notes: notes.to_vec(), ..self }
    }
}

/// The text of a results message, and its images. What is too long to be sent is cut in the middle.
pub(crate) fn render(shape: Shape, entries: &[Entry], caps: ResultCaps) -> (String, Vec<Media>) {
    let most = caps.share(entries.iter().map(|entry| entry.text.len()));
    let texts: Vec<Cow<'_, str>> = entries
        .iter()
        .map(|entry| {
            let whole = entry.call.as_ref().map(where_whole).unwrap_or_default();
            clipped(&entry.text, most, &whole)
        })
        .collect();
    let results: Vec<ResultEntry<'_>> = entries
        .iter()
        .zip(&texts)
        .map(|(entry, text)| ResultEntry {
            tool: entry.tool.as_deref(),
            status: entry.status,
            text: Untrusted::new(text),
            notes: &entry.notes,
        })
        .collect();
    let media = entries.iter().flat_map(|entry| entry.media.clone()).collect();
    (render_results(shape, &results), media)
}

/// Most bytes of results that the model is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResultCaps {
    /// Of one call.
    pub(crate) call: usize,
    /// Of one message.
    pub(crate) message: usize,
}

impl Default for ResultCaps {
    fn default() -> Self {
        Self { call: Echo::MAX, message: 4 * Echo::MAX }
    }
}

/// Nothing is cut to less: the line about the rest has to fit.
const LEAST: usize = 512;

impl ResultCaps {
    /// Most bytes of each of these results.
    fn share(self, lens: impl Iterator<Item = usize>) -> usize {
        share(self.message, lens.map(|len| len.min(self.call))).min(self.call)
    }
}

/// Most bytes of each of these texts, so that all have `most` together and short ones leave their
/// room to long ones.
pub(crate) fn share(most: usize, lens: impl Iterator<Item = usize>) -> usize {
    let mut lens: Vec<usize> = lens.collect();
    lens.sort_unstable();
    let (mut left, mut n) = (most, lens.len());
    for len in lens {
        let share = left / n.max(1);
        if share < len {
            return share.max(LEAST);
        }
        left -= len;
        n -= 1;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::ResultCaps;

    #[test]
    fn short_results_leave_their_room_to_long_ones() {
        let caps = ResultCaps { call: 16_000, message: 40_000 };
        let share = |lens: &[usize]| caps.share(lens.iter().copied());
        assert_eq!(share(&[]), 16_000);
        assert_eq!(share(&[50_000, 100, 50_000]), 16_000);
        assert_eq!(share(&[50_000, 50_000, 50_000, 1_000]), 13_000);
        assert_eq!(share(&[50_000; 100]), 512);
    }
}
