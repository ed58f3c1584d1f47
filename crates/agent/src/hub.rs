//! What outlives a reply: the transcript, the outputs, the counts.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use tagline_parser::TagSet;
use tagline_protocol::{CallId, Event, Message, Role, Shape, Toolset, UserInput};

use crate::{
    Output, Policy, StopReason, TurnConfig, TurnLimits,
    breaker::Breaker,
    budget::{Bound, Ending, NotNow, Reached},
    context::{Context, Fit},
    entry::{self, Entry},
    spending::Spending,
    transcript::Transcript,
    words,
};

/// What outlives a reply.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) tools: Toolset,
    pub(crate) tags: TagSet,
    pub(crate) policy: Policy,
    pub(crate) limits: TurnLimits,
    pub(crate) breaker: Breaker,
    pub(crate) spending: Spending,
    pub(crate) context: Context,
    /// Askings of the model so far.
    pub(crate) passes: u32,
    /// Valid calls so far.
    pub(crate) calls: u32,
    /// Replies in a row without a valid call or an answer.
    pub(crate) fruitless: u32,
    /// Replies in a row that a lost connection cut.
    pub(crate) cuts: u32,
    /// Answers that were not what was asked for.
    pub(crate) mismatches: u32,
    /// Whether the caller looks at answers before they count.
    pub(crate) checks_answer: bool,
    /// The bounds that the turn began with.
    pub(crate) usual: TurnLimits,
    pub(crate) ending: Ending,
    /// The time that is up, in seconds.
    pub(crate) late: Option<u64>,
    /// What the user said meanwhile, and the model has not read.
    steers: Vec<UserInput>,
    pub(crate) may_begin_in_thinking: bool,
    /// Why the turn is being stopped, if it is: the model is not asked again.
    pub(crate) stopping: Option<StopReason>,
    pub(crate) system: Message,
    call_prefix: String,
    ids: u32,
    pub(crate) transcript: Transcript,
    outputs: VecDeque<Output>,
}

impl Hub {
    pub(crate) fn new(config: TurnConfig) -> Self {
        Self {
            tags: config.tools.tag_set(),
            tools: config.tools,
            policy: config.policy,
            limits: config.limits,
            breaker: Breaker::default(),
            spending: Spending::new(config.limits.budget),
            context: Context::new(config.window),
            passes: 0,
            calls: 0,
            fruitless: 0,
            cuts: 0,
            mismatches: 0,
            checks_answer: config.checks_answer,
            may_begin_in_thinking: config.may_begin_in_thinking,
            usual: config.limits,
            ending: Ending::Open,
            late: None,
            steers: Vec::new(),
            stopping: None,
            system: Message::new(Role::System, config.system),
            call_prefix: config.call_prefix,
            ids: 0,
            transcript: config.history.settled(),
            outputs: VecDeque::new(),
        }
    }

    pub(crate) const fn is_guided(&self) -> bool {
        matches!(self.policy, Policy::Guided { .. })
    }

    pub(crate) fn poll(&mut self) -> Output {
        self.outputs.pop_front().unwrap_or(Output::Wait)
    }

    pub(crate) fn push(&mut self, output: Output) {
        self.outputs.push_back(output);
    }

    /// Records, shows, and remembers.
    pub(crate) fn emit(&mut self, event: Event) {
        self.transcript.apply(None, &event);
        self.outputs.push_back(Output::Emit(None, event));
    }

    /// Like [`Hub::emit`], of a call.
    pub(crate) fn emit_of(&mut self, call: &CallId, event: Event) {
        self.transcript.apply(Some(call), &event);
        self.outputs.push_back(Output::Emit(Some(call.clone()), event));
    }

    pub(crate) fn next_id(&mut self) -> CallId {
        self.ids += 1;
        CallId(format!("{}{}", self.call_prefix, self.ids))
    }

    /// Whether the conversation ends with the model's words, so that it cannot be asked yet.
    pub(crate) fn is_models_turn_over(&self) -> bool {
        self.transcript.messages().last().is_none_or(|last| last.role == Role::Assistant)
    }

    /// Writes the results message, with words of the loop behind it; nothing if there is nothing to
    /// tell.
    pub(crate) fn report(&mut self, entries: &[Entry], words: Option<&str>) {
        if entries.is_empty() && words.is_none() {
            return;
        }
        let shape = if self.is_guided() { Shape::One } else { Shape::Many };
        let (text, media) = match entries {
            [] => (String::new(), Vec::new()),
            entries => entry::render(shape, entries, self.context.caps()),
        };
        let text = [text.as_str(), words.unwrap_or_default()].join("\n").trim().to_string();
        self.emit(Event::ResultsMessage { text, media });
    }

    /// Asks the model, if a pass is left.
    ///
    /// # Errors
    ///
    /// Why it is not asked.
    pub(crate) fn ask(&mut self) -> Result<(), NotNow> {
        self.may_ask()?;
        let messages = self.request();
        match self.context.fit(&messages) {
            Fit::Fits => {}
            Fit::Tight | Fit::TooLarge => return Err(NotNow::TooLarge),
        }
        if let Ending::Wanted(reached) = &self.ending {
            self.ending = Ending::Asked(reached.clone());
        }
        match self.ending {
            Ending::Open | Ending::Wanted(_) => {
                self.spending.ask(&messages).map_err(NotNow::Reached)?;
            }
            Ending::Asked(_) => self.spending.ask_last(&messages),
        }
        self.context.send(&messages);
        self.passes += 1;
        self.emit(Event::PassStarted);
        self.push(Output::AskModel(messages));
        Ok(())
    }

    fn may_ask(&mut self) -> Result<(), NotNow> {
        if let Some(reason) = self.stopping.take() {
            return Err(NotNow::Stop(reason));
        }
        match &self.ending {
            Ending::Asked(reached) => Err(NotNow::Stop(reached.clone().into())),
            Ending::Wanted(_) => Ok(()),
            Ending::Open => match (self.late, self.passes >= self.limits.passes) {
                (Some(limit_s), _) => Err(NotNow::Reached(Reached::time(limit_s))),
                (None, true) => {
                    let message = words::max_passes(self.limits.passes);
                    Err(NotNow::Reached(Reached::new(Bound::Passes, message)))
                }
                (None, false) => Ok(()),
            },
        }
    }

    /// Whether the model was asked to say what it has, so that nothing more is run.
    pub(crate) const fn is_ending(&self) -> bool {
        matches!(self.ending, Ending::Asked(_))
    }

    /// Moves a bound by what it was at first.
    pub(crate) fn add(&mut self, bound: Bound) {
        let Self { limits, usual, late, .. } = self;
        match bound {
            Bound::Passes => limits.passes = limits.passes.saturating_add(usual.passes),
            Bound::Calls => limits.calls = limits.calls.saturating_add(usual.calls),
            Bound::Time(_) => *late = None,
            Bound::Tokens | Bound::Cost => self.spending.add(usual.budget, bound),
        }
    }

    /// What the model is sent.
    pub(crate) fn request(&self) -> Vec<Message> {
        let mut messages = vec![self.system.clone()];
        messages.retain(|system| !system.text.is_empty());
        messages.extend(self.transcript.messages());
        messages
    }

    /// Takes back what the caller has not begun. Events stay: they have happened.
    pub(crate) fn take_back(&mut self) {
        self.outputs.retain(|output| matches!(output, Output::Emit(..)));
    }

    /// Keeps what the user says until the model can read it.
    pub(crate) fn steer(&mut self, said: UserInput) {
        self.steers.push(said);
    }

    /// Whether the user said something that the model should read now.
    pub(crate) const fn is_steered(&self) -> bool {
        !self.steers.is_empty() && self.stopping.is_none()
    }

    /// Writes down what the user said. It is news: what went in circles before may help now.
    pub(crate) fn hear(&mut self) {
        for UserInput { text, media } in core::mem::take(&mut self.steers) {
            self.emit(Event::UserMessage { text, media });
            self.breaker = Breaker::default();
            (self.fruitless, self.mismatches) = (0, 0);
        }
    }

    /// Ends the turn with its one terminal event.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.hear();
        for event in reason.events() {
            self.emit(event);
        }
        self.push(Output::Stop(reason));
    }

    /// Says of calls that they will not go on.
    pub(crate) fn cancel_calls(&mut self, calls: Vec<CallId>, why: &str) {
        for call in calls {
            self.emit_of(&call, Event::ToolCancelled { reason: why.to_string() });
        }
    }
}
