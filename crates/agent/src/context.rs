//! Whether the conversation fits into what the model can read, and what to do if not.

use tagline_protocol::{Compaction, Message, Role, Usage};

use crate::{Transcript, config::Window, entry::ResultCaps, estimate::Estimate};

/// Where old results are cut to so many bytes.
const SHORT: u64 = 1_024;

/// What a summary is expected to have, in bytes.
const EXPECTED_SUMMARY: usize = 1_024;

/// So many steps in a row that did not help end the turn.
const MAX_FUTILE: u32 = 3;

/// So many requests in a row may be too long for the provider.
const MAX_OVERFLOWS: u32 = 2;

/// What is known of the room for a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Most tokens of a request; `None`: not known.
    limit: Option<u64>,
    estimate: Estimate,
    /// Whether room is being made, so that there should be some to spare afterwards.
    is_making_room: bool,
    futile: u32,
    overflows: u32,
}

/// What makes the conversation smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Cut old results.
    Shorten { kept: usize },
    /// Let the model sum up all but the newest messages.
    Summarize { kept: usize },
}

/// How a request relates to the room for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Fits,
    /// It should be made smaller; it could be sent as it is.
    Tight,
    TooLarge,
}

impl Context {
    pub(crate) fn new(window: Window) -> Self {
        Self { limit: window.limit(), ..Self::default() }
    }

    /// How much of results may go into one message: a third of the room.
    pub(crate) fn caps(&self) -> ResultCaps {
        let ResultCaps { call, message } = ResultCaps::default();
        let Some(limit) = self.limit else { return ResultCaps { call, message } };
        let message = message.min(self.estimate.bytes_of(limit / 3));
        ResultCaps { call: call.min(message), message }
    }

    pub(crate) const fn limit(&self) -> Option<u64> {
        self.limit
    }

    pub(crate) const fn estimate(&self) -> &Estimate {
        &self.estimate
    }

    /// How these messages fit. Once room is being made, a quarter of it should be free.
    pub(crate) fn fit(&mut self, messages: &[Message]) -> Fit {
        let (Some(limit), size) = (self.limit, self.estimate.of(messages)) else {
            return Fit::Fits;
        };
        let spare = limit - limit / 4;
        if size <= spare {
            self.is_making_room = false;
        }
        match (size <= limit, self.is_making_room) {
            (true, false) => Fit::Fits,
            (true, true) => Fit::Tight,
            (false, _) => {
                self.is_making_room = true;
                Fit::TooLarge
            }
        }
    }

    /// Nothing more can be made smaller, so what is tight is sent.
    pub(crate) const fn make_do(&mut self) {
        self.is_making_room = false;
    }

    /// These messages are sent.
    pub(crate) fn send(&mut self, messages: &[Message]) {
        self.estimate.send(messages);
    }

    /// What the provider counted of them.
    pub(crate) fn learn(&mut self, usage: Option<Usage>) {
        self.estimate.learn(usage);
    }

    /// The provider took what was sent.
    pub(crate) const fn taken(&mut self) {
        self.overflows = 0;
    }

    /// The provider says that these messages are too long. Whether a smaller request may be tried.
    pub(crate) fn overflow(&mut self, messages: &[Message]) -> bool {
        self.overflows += 1;
        let size = self.estimate.of(messages);
        let learned = size - size / 4;
        self.limit = Some(self.limit.map_or(learned, |limit| limit.min(learned)));
        self.is_making_room = true;
        self.overflows < MAX_OVERFLOWS
    }

    /// The next step that promises a tenth or more; the cheap ones first. The newest `least`
    /// messages are never replaced.
    pub(crate) fn step(&self, transcript: &Transcript, rest: u64, least: usize) -> Option<Step> {
        if self.futile >= MAX_FUTILE {
            return None;
        }
        let limit = self.limit?;
        let kept = self.newest_within(transcript, limit / 3, least);
        let steps = [
            Step::Shorten { kept },
            Step::Summarize { kept },
            Step::Shorten { kept: least.saturating_sub(1) },
            Step::Summarize { kept: least },
        ];
        let before = self.estimate.of(&transcript.messages()).saturating_add(rest);
        steps.into_iter().find(|step| {
            let mut smaller = transcript.clone();
            smaller.compact(&step.way("x".repeat(EXPECTED_SUMMARY)), step.kept());
            let after = self.estimate.of(&smaller.messages()).saturating_add(rest);
            is_gain(before, after)
        })
    }

    /// A step was taken.
    pub(crate) fn stepped(&mut self, before: u64, after: u64) {
        self.futile = if is_gain(before, after) { 0 } else { self.futile + 1 };
    }

    /// How many of the newest messages have at most so many tokens; at least `least`.
    fn newest_within(&self, transcript: &Transcript, tokens: u64, least: usize) -> usize {
        let mut left = tokens;
        let messages = transcript.messages();
        let newest = messages.iter().rev().take_while(|message| {
            let size = self.estimate.of(core::slice::from_ref(*message));
            let is_in = size <= left;
            left = left.saturating_sub(size);
            is_in
        });
        // Results stand behind the reply that called for them.
        let n = newest.count().max(least);
        let first = messages.len().checked_sub(n).and_then(|at| messages.get(at));
        let is_cut = first.is_some_and(|first| first.role == Role::User);
        if is_cut && n < messages.len() { n + 1 } else { n }
    }
}

impl Step {
    pub(crate) fn kept(self) -> u64 {
        let (Self::Shorten { kept } | Self::Summarize { kept }) = self;
        u64::try_from(kept).unwrap_or(u64::MAX)
    }

    fn way(self, summary: alloc::string::String) -> Compaction {
        match self {
            Self::Shorten { .. } => Compaction::Shortened { most: SHORT },
            Self::Summarize { .. } => Compaction::Summarized { summary },
        }
    }

    /// The way of a step that needs no model.
    pub(crate) const fn shortened() -> Compaction {
        Compaction::Shortened { most: SHORT }
    }
}

/// Whether at least a tenth is saved.
const fn is_gain(before: u64, after: u64) -> bool {
    after <= before - before.div_ceil(10)
}

#[cfg(test)]
mod tests {
    use tagline_protocol::{Event, Message, Role};

    use super::{Context, Fit, Step};
    use crate::{Transcript, Window};

    fn context(tokens: u64) -> Context {
        Context::new(Window { tokens: Some(tokens), reply: None })
    }

    fn transcript(replies: usize) -> Transcript {
        let mut transcript = Transcript::default();
        for n in 0..replies {
            let said = |text: alloc::string::String| text.repeat(20);
            let user = Event::UserMessage { text: "go".into(), media: alloc::vec::Vec::new() };
            transcript.apply(None, &user);
            transcript.apply(None, &Event::PassStarted);
            let text = said(alloc::format!("this is reply number {n}. "));
            transcript.apply(None, &Event::AssistantMessage { text });
            transcript.apply(None, &Event::PassFinished { finish: "stop".into() });
        }
        transcript
    }

    #[test]
    fn the_room_for_a_request_leaves_some_for_the_reply() {
        let limit = |tokens, reply| Window { tokens: Some(tokens), reply }.limit();
        assert_eq!(limit(4_096, None), Some(3_072));
        assert_eq!(limit(128_000, None), Some(119_808));
        assert_eq!(limit(128_000, Some(32_000)), Some(96_000));
        assert_eq!(limit(4_096, Some(100_000)), Some(2_048));
        assert_eq!(Window::default().limit(), None);
    }

    #[test]
    fn three_steps_in_a_row_without_a_gain_are_the_last() {
        let (mut context, transcript) = (context(1_000), transcript(12));
        for _ in 0..3 {
            assert!(matches!(context.step(&transcript, 0, 1), Some(Step::Summarize { .. })));
            context.stepped(1_000, 901);
        }
        assert_eq!(context.step(&transcript, 0, 1), None);
        context.stepped(1_000, 900);
        assert!(context.step(&transcript, 0, 1).is_some());
    }

    #[test]
    fn where_room_is_made_there_is_some_to_spare() {
        let mut context = context(1_000);
        let messages = |n_bytes: usize| [Message::new(Role::User, "x".repeat(n_bytes))];
        assert_eq!(context.fit(&messages(2_500)), Fit::Fits);
        assert_eq!(context.fit(&messages(2_700)), Fit::TooLarge);
        assert_eq!(context.fit(&messages(2_500)), Fit::Tight);
        assert_eq!(context.fit(&messages(1_900)), Fit::Fits);
        assert_eq!(context.fit(&messages(2_500)), Fit::Fits);
    }

    #[test]
    fn a_provider_that_refuses_twice_is_not_asked_again() {
        let mut context = Context::default();
        let messages = [Message::new(Role::User, "x".repeat(7_000))];
        assert!(context.overflow(&messages));
        assert_eq!(context.fit(&messages), Fit::TooLarge);
        assert!(!context.overflow(&messages));
        context.taken();
        assert!(context.overflow(&messages));
    }
}
