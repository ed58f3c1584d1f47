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
    /// Most tokens of a request and its reply.
    window: Option<u64>,
    /// A request of so many tokens was refused as too long.
    refused: Option<u64>,
    estimate: Estimate,
    room: Room,
    futile: u32,
    overflows: u32,
}

/// Whether room is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Room {
    /// There is enough.
    #[default]
    Enough,
    /// It is being made, so that there should be some to spare afterwards.
    Made,
    /// No more can be made.
    Left,
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
        Self { limit: window.limit(), window: window.tokens, ..Self::default() }
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
        match self.room {
            Room::Left => Fit::Fits,
            Room::Made if size <= spare => {
                self.room = Room::Enough;
                Fit::Fits
            }
            Room::Made if size <= limit => Fit::Tight,
            Room::Enough if size <= limit => Fit::Fits,
            Room::Enough | Room::Made => {
                self.room = Room::Made;
                Fit::TooLarge
            }
        }
    }

    /// Nothing more can be made smaller. Whether the request may be sent as it is: where the reply
    /// is short, or the estimate too high, it may be taken.
    pub(crate) fn make_do(&mut self, messages: &[Message]) -> bool {
        self.room = Room::Left;
        let is_refused = self.refused.is_some_and(|refused| refused <= self.estimate.of(messages));
        let least = self.estimate.least(messages);
        !is_refused && self.window.is_none_or(|window| least <= window)
    }

    /// These messages are sent.
    pub(crate) fn send(&mut self, messages: &[Message]) {
        self.room = if self.room == Room::Left { Room::Enough } else { self.room };
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

    /// The provider says, in these words, that these messages are too long. Whether a smaller
    /// request may be tried.
    pub(crate) fn overflow(&mut self, messages: &[Message], said: &str) -> bool {
        self.overflows += 1;
        let size = self.estimate.of(messages);
        let learned = named_window(said).map_or(size, |window| window.min(size));
        let learned = learned - learned / 4;
        self.limit = Some(self.limit.map_or(learned, |limit| limit.min(learned)));
        self.refused = Some(size);
        self.room = Room::Made;
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

/// What stands before the number of tokens that a model can read, where a provider says that a
/// request is too long.
const BEFORE_WINDOW: [&str; 6] = [
    "context length is ",
    "context size (",
    "context window of ",
    "tokens > ",
    "tokens allowed (",
    "limit of ",
];

/// The window that a provider names.
fn named_window(said: &str) -> Option<u64> {
    let said = said.to_lowercase();
    let number = BEFORE_WINDOW.iter().find_map(|before| said.split_once(before))?.1;
    let is_digit = |c: &char| c.is_ascii_digit() || *c == ',';
    let digits = number.chars().take_while(is_digit).filter(char::is_ascii_digit);
    let digits: alloc::string::String = digits.collect();
    digits.parse().ok().filter(|window| 256 <= *window)
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
        assert!(context.overflow(&messages, "too long"));
        assert_eq!(context.fit(&messages), Fit::TooLarge);
        assert!(!context.make_do(&messages), "what was refused is not sent again");
        assert!(!context.overflow(&messages, "too long"));
        context.taken();
        assert!(context.overflow(&messages, "too long"));
    }

    #[test]
    fn the_window_that_a_provider_names_is_believed() {
        let said = [
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
            "prompt is too long: 215000 tokens > 200000 maximum",
            "the request exceeds the available context size (4,096 tokens), try increasing it",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "Request too large",
            "a limit of 3 requests",
        ];
        assert_eq!(
            said.map(super::named_window),
            [Some(8_192), Some(200_000), Some(4_096), Some(1_048_576), None, None]
        );
    }

    #[test]
    fn what_may_fit_after_all_is_sent() {
        let messages = |n_bytes: usize| [Message::new(Role::User, "x".repeat(n_bytes))];
        let mut context = context(1_000);
        for (n_bytes, is_sent) in [(2_800, true), (7_900, true), (8_100, false)] {
            assert_eq!(context.fit(&messages(n_bytes)), Fit::TooLarge);
            assert_eq!(context.make_do(&messages(n_bytes)), is_sent, "{n_bytes}");
            assert_eq!(context.fit(&messages(n_bytes)), Fit::Fits);
            context.send(&messages(n_bytes));
        }
    }
}
