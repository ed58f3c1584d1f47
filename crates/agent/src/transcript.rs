//! From the journal's events to what the model is sent.
//!
//! The machine keeps its own transcript with the same fold, so a replay cannot differ from what
//! was live. The fold is total: events of any kind in any order, also a log that ends anywhere,
//! give messages that every provider accepts.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use serde::Deserialize as _;
use serde_json::Value;
use tagline_protocol::{CallId, Event, Frame, Media, Message, Outcome, Role, Shape, ToolFailure};

use crate::{
    entry,
    pending::{Pending, State},
    words,
};

/// The conversation as the model is sent it, without the system message.
///
/// # Invariants
///
/// [`Transcript::messages`] begins with the user, user and assistant take turns, and no message
/// is empty.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    messages: Vec<Message>,
    /// Calls of which the model has not read yet.
    pending: Vec<Pending>,
    reply: Reply,
    shape: Shape,
    is_turn_open: bool,
}

/// The reply that the log is inside of.
#[derive(Clone, Debug, Default)]
struct Reply {
    is_open: bool,
    /// A piece of it is in the messages.
    is_begun: bool,
    /// Words shown since the last piece.
    words: String,
    /// The call that was being written, and its tool.
    writing: Option<(Option<CallId>, String)>,
}

/// The messages that a journal gives, in order. Every prefix of a journal gives valid ones: what
/// was interrupted is marked, and calls of which the model has not read yet stand in a results
/// message, so that it does not repeat them.
///
/// ```
/// use tagline_agent::transcript_from;
///
/// assert!(transcript_from(&[]).is_empty());
/// ```
pub fn transcript_from<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> Vec<Message> {
    let mut transcript = Transcript::default();
    for frame in frames {
        transcript.apply(frame.call.as_ref(), &frame.event);
    }
    transcript.messages()
}

impl Transcript {
    /// A conversation that begins with these messages. System messages are left out.
    #[must_use]
    pub fn new(history: Vec<Message>) -> Self {
        let mut transcript = Self::default();
        for message in history {
            if message.role != Role::System {
                transcript.push(message.role, &message.text, message.media);
            }
        }
        transcript
    }

    /// Whether the last turn has begun and not ended.
    #[must_use]
    pub const fn is_turn_open(&self) -> bool {
        self.is_turn_open
    }

    /// The messages, as if the log ended here.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let mut transcript = self.clone();
        transcript.settle();
        transcript.messages
    }

    /// Takes the next event of the log.
    pub fn apply(&mut self, call: Option<&CallId>, event: &Event) {
        match event {
            Event::RunStarted { policy, .. } => self.begin_turn(policy),
            Event::RunFinished { .. } | Event::RunFailed { .. } => self.end_turn(event),
            Event::UserMessage { text, media } => self.user(text, media),
            Event::ResultsMessage { text, media } => self.results(text, media),
            Event::AssistantMessage { text } => self.piece(text),
            Event::PassStarted => {
                self.settle();
                self.reply.is_open = true;
            }
            Event::PassFinished { .. } => self.reply = Reply::default(),
            Event::SayStart { .. } => self.say("\n"),
            Event::SayDelta { delta } => self.say(delta),
            Event::ToolOpening { tool } => {
                self.reply.writing = Some((call.cloned(), tool.clone()));
            }
            Event::ToolAborted => self.reply.writing = None,
            Event::ToolReady { tool, .. } => self.ready(call, tool),
            Event::ToolRejected { message, .. } => self.rejected(call, message),
            Event::ToolRunning { effect, .. } => self.step(call, State::Running(*effect)),
            Event::ToolDone { echo, media, .. } => {
                self.step(call, State::Done(echo.clone(), media.clone()));
            }
            Event::ToolFailed { payload, echo, .. } => {
                self.step(call, State::Failed(in_words(payload, echo)));
            }
            Event::ToolCancelled { reason } => self.step(call, State::NotRun(reason.clone())),
            Event::SayEnd
            | Event::ThinkStart
            | Event::ThinkDelta { .. }
            | Event::ThinkEnd
            | Event::ToolAttr { .. }
            | Event::ToolBody { .. }
            | Event::ToolRepaired { .. }
            | Event::ApprovalAsked { .. }
            | Event::ApprovalAnswered { .. }
            | Event::BudgetAsked { .. }
            | Event::BudgetAnswered { .. }
            | Event::ContextCompacted { .. }
            | Event::ToolOutput { .. }
            | Event::ToolProgress { .. }
            | Event::ModelState { .. }
            | Event::Usage(_)
            | Event::Notice { .. }
            | Event::SessionTitle { .. }
            | Event::Audit { .. } => {}
        }
    }

    fn begin_turn(&mut self, policy: &str) {
        self.settle();
        self.is_turn_open = true;
        self.shape = if policy == "guided" { Shape::One } else { Shape::Many };
    }

    /// A turn that ended as it should has reported its calls; what is left is the one that ended
    /// it, which needs no result.
    fn end_turn(&mut self, event: &Event) {
        if let Event::RunFinished { outcome: Outcome::Done | Outcome::NeedsHuman, .. } = event {
            self.pending.clear();
        }
        self.settle();
        self.is_turn_open = false;
    }

    fn user(&mut self, text: &str, media: &[Media]) {
        self.settle();
        self.is_turn_open = true;
        self.push(Role::User, text, media.to_vec());
    }

    fn results(&mut self, text: &str, media: &[Media]) {
        self.settle_reply();
        self.pending.clear();
        self.push(Role::User, text, media.to_vec());
    }

    /// Pieces of one reply follow each other without anything between them.
    fn piece(&mut self, text: &str) {
        self.reply.words.clear();
        self.reply.writing = None;
        if !core::mem::replace(&mut self.reply.is_begun, true) {
            return self.push(Role::Assistant, text, Vec::new());
        }
        self.append(text);
    }

    fn append(&mut self, text: &str) {
        if let Some(last) = self.messages.last_mut() {
            last.text.push_str(text);
        }
    }

    /// Words are kept until the raw text that holds them is on record.
    fn say(&mut self, words: &str) {
        if self.reply.is_open {
            self.reply.words.push_str(words);
        }
    }

    fn ready(&mut self, id: Option<&CallId>, tool: &str) {
        self.reply.writing = None;
        self.pending.push(Pending::new(id.cloned(), Some(tool.to_owned()), State::Ready));
    }

    fn rejected(&mut self, id: Option<&CallId>, message: &str) {
        let tool = self.reply.writing.take_if(|(open, _)| open.as_ref() == id).map(|it| it.1);
        let state = State::Failed(message.to_owned());
        if self.pending.iter().any(|pending| pending.is(id)) {
            return self.step(id, state);
        }
        self.pending.push(Pending::new(id.cloned(), tool, state));
    }

    fn step(&mut self, id: Option<&CallId>, next: State) {
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.is(id)) {
            pending.step(next);
        }
    }

    /// Closes what the log left open.
    fn settle(&mut self) {
        self.settle_reply();
        let entries: Vec<_> =
            core::mem::take(&mut self.pending).into_iter().map(Pending::into_entry).collect();
        if !entries.is_empty() {
            let (text, media) = entry::render(self.shape, &entries);
            self.push(Role::User, &text, media);
        }
    }

    fn settle_reply(&mut self) {
        let reply = core::mem::take(&mut self.reply);
        let is_written = !reply.words.trim().is_empty() || reply.writing.is_some();
        if reply.is_open && (is_written || reply.is_begun) {
            let mark = words::interrupted(reply.writing.as_ref().map(|(_, tool)| tool.as_str()));
            let text = alloc::format!("{}\n{mark}", reply.words.trim_end());
            if reply.is_begun {
                self.append(&text);
            } else {
                self.push(Role::Assistant, text.trim_start(), Vec::new());
            }
        }
    }

    fn push(&mut self, role: Role, text: &str, media: Vec<Media>) {
        let text = if text.trim().is_empty() { words::EMPTY } else { text };
        match self.messages.last_mut() {
            Some(last) if last.role == role => {
                last.text.push_str("\n\n");
                last.text.push_str(text);
                last.media.extend(media);
            }
            None if role == Role::Assistant => {
                self.messages.push(Message::new(Role::User, words::NO_START));
                self.messages.push(Message { role, text: text.to_owned(), media });
            }
            Some(_) | None => self.messages.push(Message { role, text: text.to_owned(), media }),
        }
    }
}

/// A failure as the live turn tells it, with its class.
fn in_words(payload: &Value, echo: &str) -> String {
    let failure = ToolFailure::deserialize(payload);
    failure.map_or_else(|_| echo.to_owned(), |failure| failure.in_words())
}
