//! From the journal's events to what the model is sent.
//!
//! The machine keeps its own transcript with the same fold, so a replay cannot differ from what
//! was live. The fold is total: events of any kind in any order, also a log that ends anywhere,
//! give messages that every provider accepts.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use serde::Deserialize as _;
use serde_json::Value;
use tagline_protocol::{
    CallId, Compaction, Event, Frame, Media, Message, Outcome, Role, Shape, ToolFailure,
};

mod said;

use said::{Kind, Part, Said};

use crate::{
    entry::{self, ResultCaps},
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
    said: Vec<Said>,
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
    Transcript::of(frames).messages()
}

impl Transcript {
    /// The conversation that a journal gives.
    pub fn of<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> Self {
        let mut transcript = Self::default();
        for frame in frames {
            transcript.apply(frame.call.as_ref(), &frame.event);
        }
        transcript
    }

    /// Whether the last turn has begun and not ended.
    #[must_use]
    pub const fn is_turn_open(&self) -> bool {
        self.is_turn_open
    }

    /// The same, as if the log ended here.
    pub(crate) fn settled(mut self) -> Self {
        self.settle();
        self
    }

    /// All but the newest messages, as the model is given them to sum up: at most so many bytes.
    pub(crate) fn to_sum_up(&self, kept: usize, most: usize) -> String {
        said::to_sum_up(self.older(kept), most)
    }

    /// The same in a few lines, where the model cannot do it.
    pub(crate) fn digest(&self, kept: usize) -> String {
        said::digest(self.older(kept))
    }

    /// What takes the most room, in words, and its bytes.
    pub(crate) fn largest(&self) -> (&'static str, usize) {
        said::largest(&self.said)
    }

    fn older(&self, kept: usize) -> &[Said] {
        self.said.get(..self.said.len().saturating_sub(kept)).unwrap_or_default()
    }

    /// The messages, as if the log ended here.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let mut transcript = self.clone();
        transcript.settle();
        transcript.said.iter().map(Said::message).collect()
    }

    /// Takes the next event of the log.
    pub fn apply(&mut self, call: Option<&CallId>, event: &Event) {
        match event {
            Event::RunStarted { policy, .. } => self.begin_turn(policy),
            Event::RunFinished { .. } | Event::RunFailed { .. } => self.end_turn(event),
            Event::UserMessage { text, media } => self.user(text, media),
            Event::ResultsMessage { text, media } => self.results(text, media),
            Event::AssistantMessage { text } => self.piece(text),
            Event::PassStarted => self.begin_pass(),
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
            Event::ToolCancelled { reason } => self.cancelled(call, reason),
            Event::ApprovalAsked { .. } => self.step(call, State::Asked),
            Event::ApprovalAnswered { .. } => self.step(call, State::Ready),
            Event::ContextCompacted { way, kept, .. } => self.compact(way, *kept),
            Event::MessageQueued { .. }
            | Event::MessageUnqueued { .. }
            | Event::SayEnd
            | Event::ThinkStart
            | Event::ThinkDelta { .. }
            | Event::ThinkEnd
            | Event::ToolAttr { .. }
            | Event::ToolBody { .. }
            | Event::ToolRepaired { .. }
            | Event::ToolEdited { .. }
            | Event::BudgetAsked { .. }
            | Event::BudgetAnswered { .. }
            | Event::ToolOutput { .. }
            | Event::ToolProgress { .. }
            | Event::ModelState { .. }
            | Event::Usage(_)
            | Event::Notice { .. }
            | Event::SessionTitle { .. }
            | Event::SessionForked { .. }
            | Event::SessionMode { .. }
            | Event::GrantRevoked { .. }
            | Event::Audit { .. } => {}
        }
    }

    fn begin_pass(&mut self) {
        self.settle();
        self.mark_gap();
        self.reply.is_open = true;
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
        self.push(Role::User, Part::new(Kind::User, text, media.to_vec()));
    }

    fn results(&mut self, text: &str, media: &[Media]) {
        self.settle_reply();
        let pending = core::mem::take(&mut self.pending);
        let calls = pending.iter().map(|pending| pending.id().cloned()).collect();
        self.push(Role::User, Part::new(Kind::Results(calls), text, media.to_vec()));
    }

    /// Pieces of one reply follow each other without anything between them.
    fn piece(&mut self, text: &str) {
        self.reply.words.clear();
        self.reply.writing = None;
        if !core::mem::replace(&mut self.reply.is_begun, true) {
            return self.push(Role::Assistant, Part::new(Kind::Reply, text, Vec::new()));
        }
        self.append(text);
    }

    fn append(&mut self, text: &str) {
        if let Some(last) = self.said.last_mut().and_then(|said| said.parts.last_mut()) {
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

    /// A call may be cancelled before it was ready: there was no room for it.
    fn cancelled(&mut self, id: Option<&CallId>, reason: &str) {
        let state = State::NotRun(reason.to_owned());
        if self.pending.iter().any(|pending| pending.is(id)) {
            return self.step(id, state);
        }
        if let Some((_, tool)) = self.reply.writing.take_if(|(open, _)| open.as_ref() == id) {
            self.pending.push(Pending::new(id.cloned(), Some(tool), state));
        }
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
            let calls = entries.iter().map(|entry| entry.call().cloned()).collect();
            let (text, media) = entry::render(self.shape, &entries, ResultCaps::default());
            self.push(Role::User, Part::new(Kind::Results(calls), &text, media));
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
                let part = Part::new(Kind::Reply, text.trim_start(), Vec::new());
                self.push(Role::Assistant, part);
            }
        }
    }

    /// A model is never asked with its own words last: what it was told is lost.
    fn mark_gap(&mut self) {
        if self.said.last().is_some_and(|said| said.role == Role::Assistant) {
            self.push(Role::User, Part::new(Kind::Words, words::GAP, Vec::new()));
        }
    }

    fn push(&mut self, role: Role, part: Part) {
        match self.said.last_mut() {
            Some(last) if last.role == role => last.parts.push(part),
            None if part.kind.is_answer() => {
                let start = Part::new(Kind::Words, words::NO_START, Vec::new());
                self.said.push(Said::new(Role::User, start));
                self.push(role, part);
            }
            Some(_) | None => self.said.push(Said::new(role, part)),
        }
    }

    /// Makes all but the newest messages smaller. Total: more may be kept than there are.
    pub(crate) fn compact(&mut self, way: &Compaction, kept: u64) {
        self.settle();
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        let newest = self.said.split_off(self.said.len().saturating_sub(kept));
        match way {
            Compaction::Summarized { .. } if self.said.is_empty() => {}
            Compaction::Shortened { most } => {
                let most = usize::try_from(*most).unwrap_or(usize::MAX);
                self.said.iter_mut().for_each(|said| said.shorten(most));
            }
            Compaction::Summarized { summary } => {
                let old = core::mem::take(&mut self.said);
                self.said.push(said::head(old, summary));
            }
        }
        for said in newest {
            for part in said.parts {
                self.push(said.role, part);
            }
        }
    }
}

/// A failure as the live turn tells it, with its class.
fn in_words(payload: &Value, echo: &str) -> String {
    let failure = ToolFailure::deserialize(payload);
    failure.map_or_else(|_| echo.to_owned(), |failure| failure.in_words())
}
