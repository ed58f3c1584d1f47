//! A message of the transcript, in the parts that it was put together from.

use alloc::{borrow::ToOwned as _, string::String, vec, vec::Vec};

use tagline_protocol::{CallId, Media, Message, Role, Untrusted, each_result, shortened_results};

use crate::words;

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
