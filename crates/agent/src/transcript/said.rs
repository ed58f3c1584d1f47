//! A message of the transcript, in the parts that it was put together from.

use alloc::{borrow::ToOwned as _, format, string::String, vec, vec::Vec};

use tagline_protocol::{
    CallId, Media, Message, Role, Untrusted, clipped, decode_content, each_result,
    shortened_results,
};

use crate::{entry::share, words};

/// A message, in its parts.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) role: Role,
    pub(super) parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) media: Vec<Media>,
}

/// Where a part comes from, and so what may become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The user: it stays word for word.
    User,
    /// The model.
    Reply,
    /// Results of these calls, encoded.
    Results(Vec<Option<CallId>>),
    /// Us.
    Words,
    /// The model, about what it replaced: encoded where it is sent.
    Notes,
}

impl Part {
    pub(super) fn new(kind: Kind, text: &str, media: Vec<Media>) -> Self {
        let text = if text.trim().is_empty() { words::EMPTY } else { text };
        Self { kind, text: text.to_owned(), media }
    }

    fn words(text: &str) -> Self {
        Self::new(Kind::Words, text, Vec::new())
    }

    fn sent(&self) -> String {
        match &self.kind {
            Kind::User | Kind::Reply | Kind::Results(_) | Kind::Words => self.text.clone(),
            Kind::Notes => Untrusted::new(&self.text).content(),
        }
    }

    /// Cuts each result that is longer than `most`.
    fn shorten(&mut self, most: usize) {
        if let Kind::Results(calls) = &self.kind {
            let is_known = each_result(&self.text).count() == calls.len();
            let calls = if is_known { calls.as_slice() } else { &[] };
            self.text = shortened_results(&self.text, most, calls);
        }
    }
}

impl Said {
    pub(super) fn new(role: Role, part: Part) -> Self {
        Self { role, parts: vec![part] }
    }

    pub(super) fn message(&self) -> Message {
        let texts: Vec<String> = self.parts.iter().map(Part::sent).collect();
        let media = self.parts.iter().flat_map(|part| part.media.clone()).collect();
        Message { role: self.role, text: texts.join("\n\n"), media }
    }

    pub(super) fn shorten(&mut self, most: usize) {
        self.parts.iter_mut().for_each(|part| part.shorten(most));
    }
}

/// What stands for these messages: what the user said, word for word; what the model wrote about
/// the rest; and the results of which nobody knows whether they are true.
pub(super) fn head(old: Vec<Said>, notes: &str) -> Said {
    let mut parts = vec![Part::words(words::COMPACTED)];
    let mut open = Vec::new();
    for part in old.into_iter().flat_map(|said| said.parts) {
        match part.kind {
            Kind::User => parts.extend([Part::words(words::USER_SAID), part]),
            Kind::Results(_) => open.extend(open_results(&part.text)),
            Kind::Reply | Kind::Words | Kind::Notes => {}
        }
    }
    parts.push(Part::words(words::NOTES));
    parts.push(Part::new(Kind::Notes, notes, Vec::new()));
    if !open.is_empty() {
        parts.push(Part::words(words::OPEN));
        parts.push(Part::new(Kind::Results(Vec::new()), &open.join("\n"), Vec::new()));
    }
    Said { role: Role::User, parts }
}

/// The results in a text that have to stay: what nobody knows, and what the user was asked.
fn open_results(text: &str) -> Vec<String> {
    each_result(text).filter(|result| is_open(result)).map(str::to_owned).collect()
}

fn is_open(result: &str) -> bool {
    let said = result.split_once(">\nError: ").map(|(_, said)| said);
    said.is_some_and(|said| words::OPEN_ENDS.iter().any(|end| said.starts_with(end)))
}

/// What the model is given to sum up: every part with its speaker, encoded.
pub(super) fn to_sum_up(old: &[Said], most: usize) -> String {
    let parts = old.iter().flat_map(|said| &said.parts);
    let parts: Vec<(&str, &Part)> =
        parts.filter_map(|part| Some((part.kind.speaker()?, part))).collect();
    let share = share(most, parts.iter().map(|(_, part)| part.text.len()));
    let told = parts.iter().map(|(speaker, part)| {
        let text = match part.kind {
            Kind::Results(_) => clipped(&part.text, share, "").into_owned(),
            Kind::User | Kind::Reply | Kind::Words | Kind::Notes => {
                Untrusted::new(&clipped(&part.text, share, "")).content()
            }
        };
        format!("{speaker}:\n{text}")
    });
    told.collect::<Vec<_>>().join("\n\n")
}

/// Lines of a digest.
const DIGEST: usize = 4 * 1_024;

/// What was done, without the help of a model: the first line of everything.
pub(super) fn digest(old: &[Said]) -> String {
    let parts = old.iter().flat_map(|said| &said.parts);
    let lines = parts.flat_map(|part| match part.kind {
        Kind::Reply => vec![format!("you wrote: {}", first_line(&part.text))],
        Kind::Results(_) => each_result(&part.text).map(told_result).collect(),
        Kind::Notes => vec![part.text.clone()],
        Kind::User | Kind::Words => Vec::new(),
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    clipped(&lines, DIGEST, "").into_owned()
}

fn told_result(result: &str) -> String {
    let (start, content) = result.split_once(">\n").unwrap_or((result, ""));
    let tool = start.split('"').nth(1).unwrap_or("result");
    format!("{tool}: {}", first_line(&decode_content(content)))
}

/// The first line that says something, bounded.
fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(100).collect()
}

/// The part with the most text, in words, and its bytes.
pub(super) fn largest(said: &[Said]) -> (&'static str, usize) {
    let parts = said.iter().flat_map(|said| &said.parts);
    let sizes = parts.map(|part| (part.kind.in_words(), part.sent().len()));
    sizes.max_by_key(|(_, size)| *size).unwrap_or(("the conversation", 0))
}

impl Kind {
    const fn speaker(&self) -> Option<&'static str> {
        match self {
            Self::User => Some("The user"),
            Self::Reply => Some("The assistant"),
            Self::Results(_) => Some("Results"),
            Self::Notes => Some("Earlier notes"),
            Self::Words => None,
        }
    }

    /// Whether something stood before it.
    pub(super) const fn is_answer(&self) -> bool {
        match self {
            Self::Reply | Self::Results(_) => true,
            Self::User | Self::Words | Self::Notes => false,
        }
    }

    const fn in_words(&self) -> &'static str {
        match self {
            Self::User => "a message of the user",
            Self::Reply => "a reply of the model",
            Self::Results(_) => "a message of results",
            Self::Words => "a message of the loop",
            Self::Notes => "the summary",
        }
    }
}
