//! Plays a script and writes down the whole exchange.
//!
//! A script's line is `word text`; `\n` in the text is a line break. Words: `free`, `guided`,
//! `strict` (guided with thinking required), `limit NAME N`, `checked` (answers are looked at), `reasoner` (replies may begin in reasoning),
//! `fits ANSWER`, `unfit FOUND`, `user`, `model` (more of the reply),
//! `reasoning`, `usage N`, `stop`, `length`, `cut` (ends of the reply), `broken` (the model failed), `overflow` (the request was too long),
//! `ok N ECHO`, `news N ECHO` (a poll), `fail N WHY`, `steer` (the user says), `window N` (tokens), `asking` (bounds ask), `add`, `finish`, `halt` (answers), `stopping`, `up N` (the time is up), `late N` (out of time), `cancel`, `kill` (the process dies), `resume`.

use tagline_agent::{
    AtLimit, Input, Output, Policy, Transcript, Turn, TurnConfig, TurnLimits, Window,
    transcript_from,
};
use tagline_parser::Finish;
use tagline_protocol::{
    BudgetAnswer, CallId, Event, Frame, Message, SCHEMA_VERSION, ToolFailure, ToolOutput, Usage,
};

use crate::tools::toolset;

/// A config of the tests' tools.
pub(crate) fn config(policy: Policy) -> TurnConfig {
    TurnConfig {
        tools: toolset(),
        policy,
        limits: TurnLimits::for_policy(policy),
        window: Window::default(),
        system: "(system)".to_owned(),
        history: Transcript::default(),
        checks_answer: false,
        may_begin_in_thinking: false,
        call_prefix: "c".to_owned(),
    }
}

/// The whole exchange of a script.
pub(crate) fn play(script: &str) -> String {
    let mut player = Player::new(config(Policy::Free));
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, text) = line.split_once(' ').unwrap_or((line, ""));
        player.step(word, &text.replace("\\n", "\n"));
    }
    player.log
}

/// Drives a turn and checks, at every step, what must always hold.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) config: TurnConfig,
    pub(crate) turn: Option<Turn>,
    pub(crate) frames: Vec<Frame>,
    /// The messages of the last asking, without the system's.
    pub(crate) asked: Vec<Message>,
    pub(crate) log: String,
    pub(crate) n_stops: usize,
    /// Whether the transcript was made smaller since the last asking.
    has_made_room: bool,
}

impl Player {
    pub(crate) fn new(config: TurnConfig) -> Self {
        Self {
            config,
            turn: None,
            frames: Vec::new(),
            asked: Vec::new(),
            log: String::new(),
            n_stops: 0,
            has_made_room: false,
        }
    }

    pub(crate) fn step(&mut self, word: &str, text: &str) {
        let line = format!("{word} {}", text.replace('\n', "\\n"));
        self.log += line.trim_end();
        self.log.push('\n');
        match word {
            "free" => self.config = config(Policy::Free),
            "guided" => self.config = config(Policy::Guided { requires_thinking: false }),
            "strict" => self.config = config(Policy::Guided { requires_thinking: true }),
            "limit" => self.limit(text),
            "window" => self.config.window.tokens = text.parse().ok(),
            "asking" => self.config.limits.at_limit = AtLimit::Ask,
            "reasoner" => self.config.may_begin_in_thinking = true,
            "checked" => self.config.checks_answer = true,
            "user" => {
                self.config.history = Transcript::of(&self.frames);
                self.n_stops = 0;
                self.turn = Some(Turn::new(self.config.clone(), long(text)));
                self.drain();
            }
            "kill" => self.turn = None,
            "resume" => {
                self.config.history = Transcript::of(&self.frames);
                self.turn = Some(Turn::resume(self.config.clone()));
                self.drain();
            }
            _ => {
                let input = input(word, text);
                self.note(&input);
                self.feed(input);
            }
        }
    }

    fn limit(&mut self, text: &str) {
        let (name, n) = text.split_once(' ').unwrap();
        let n: u32 = n.parse().unwrap();
        let limits = &mut self.config.limits;
        match name {
            "passes" => limits.passes = n,
            "calls_per_reply" => limits.calls_per_reply = n,
            "calls" => limits.calls = n,
            "continuations" => limits.continuations = n,
            "tokens" => limits.budget.tokens = Some(n.into()),
            _ => limits.stream_attempts = n,
        }
    }

    pub(crate) fn feed(&mut self, input: Input) {
        if let Some(turn) = &mut self.turn {
            turn.handle_input(input);
            self.drain();
        }
    }

    /// The caller's own events of a call, as the executor writes them.
    pub(crate) fn note(&mut self, input: &Input) {
        if let Input::Result(id, outcome) | Input::PollResult(id, outcome) = input {
            let event = match outcome {
                Ok(output) => Event::ToolDone {
                    event: "done".to_owned(),
                    payload: serde_json::Value::Null,
                    echo: output.echo.as_str().to_owned(),
                    media: Vec::new(),
                    ms: 0,
                },
                Err(failure) => Event::ToolFailed {
                    event: "tool_error".to_owned(),
                    payload: serde_json::to_value(failure).unwrap(),
                    echo: failure.reason(),
                    ms: 0,
                },
            };
            self.record(Some(id.clone()), event);
        }
    }

    pub(crate) fn record(&mut self, call: Option<CallId>, event: Event) {
        let seq = self.frames.len() as u64 + 1;
        self.frames.push(Frame {
            v: SCHEMA_VERSION,
            seq,
            ts: String::new(),
            session: String::new(),
            run: None,
            turn: None,
            call,
            event,
        });
    }

    fn drain(&mut self) {
        loop {
            let output = self.turn.as_mut().unwrap().poll_output();
            if output == Output::Wait {
                return;
            }
            self.take(output);
        }
    }

    fn take(&mut self, output: Output) {
        assert_eq!(self.n_stops, 0, "nothing comes behind the stop: {output:?}");
        match output {
            Output::AskModel(messages) => {
                let messages = messages.get(1..).unwrap();
                assert_eq!(messages, transcript_from(&self.frames), "replay equals live");
                if !core::mem::take(&mut self.has_made_room) {
                    assert!(
                        bytes(messages).starts_with(&bytes(&self.asked)),
                        "the prefix is stable"
                    );
                }
                let n_known = messages.iter().zip(&self.asked).take_while(|(a, b)| a == b).count();
                self.line(&format!("ask, {n_known} known"));
                for message in messages.get(n_known..).unwrap() {
                    self.line(&format!("  {:?}: {}", message.role, message.text));
                }
                self.asked = messages.to_vec();
            }
            Output::Summarize(messages) => {
                self.line("ask for notes");
                for message in &messages {
                    self.line(&format!("  {:?}: {}", message.role, message.text));
                }
            }
            Output::StopReply => self.line("stop reply"),
            Output::AskBudget { message, adds } => {
                self.line(&format!("ask the user: {message}: {adds}?"));
            }
            Output::CheckAnswer(answer) => self.line(&format!("check {answer:?}")),
            Output::Run(calls) => {
                for call in calls {
                    let mark = if call.is_recovered { " recovered" } else { "" };
                    self.line(&format!("run {} {} {}{mark}", call.id, call.tool, call.arguments));
                    let running = Event::ToolRunning {
                        hash: String::new(),
                        effect: call.effect,
                        decision: "rule".to_owned(),
                        attempt: 1,
                    };
                    self.record(Some(call.id), running);
                }
            }
            Output::Emit(call, event) => {
                self.has_made_room |= matches!(event, Event::ContextCompacted { .. });
                self.line(&emitted(call.as_ref(), &event));
                self.record(call, event);
            }
            Output::Wait => {}
            Output::Stop(reason) => {
                self.n_stops += 1;
                self.line(&format!("stop {reason:?}"));
            }
        }
    }

    fn line(&mut self, text: &str) {
        for line in text.lines() {
            self.log += format!("  {line}").trim_end();
            self.log.push('\n');
        }
    }
}

/// Messages as a provider's cache sees them: one text, of which a prefix counts.
fn bytes(messages: &[Message]) -> String {
    messages.iter().map(|message| format!("\0{:?}\0{}", message.role, message.text)).collect()
}

/// One event on one line: its name, then its fields.
fn emitted(call: Option<&CallId>, event: &Event) -> String {
    let mut fields = serde_json::to_value(event).unwrap();
    let name = fields.as_object_mut().unwrap().shift_remove("type").unwrap();
    let name = name.as_str().unwrap();
    let call = call.map(|id| format!(" {id}")).unwrap_or_default();
    match fields.as_object().unwrap().is_empty() {
        true => format!("{name}{call}"),
        false => format!("{name}{call} {fields}"),
    }
}

/// `*N` behind a word repeats it N times.
fn long(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.rsplit_once('*') {
        Some((word, n)) if n.parse::<usize>().is_ok() => vec![word; n.parse().unwrap()].join(" "),
        Some(_) | None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn input(word: &str, text: &str) -> Input {
    let text = &long(text);
    let of_call = || {
        let (n, words) = text.split_once(' ').unwrap_or((text, ""));
        (CallId(format!("c{n}")), words)
    };
    let ok = |echo: &str| Ok(ToolOutput::new(echo, serde_json::Value::Null));
    match word {
        "model" => Input::Delta(text.to_owned()),
        "reasoning" => Input::Reasoning(text.to_owned()),
        "usage" => Input::Usage(Usage { output_tokens: text.parse().ok(), ..Usage::default() }),
        "stop" => Input::ReplyEnd(Finish::Stop),
        "length" => Input::ReplyEnd(Finish::Length),
        "cut" => Input::ReplyEnd(Finish::Cut),
        "overflow" => Input::ReplyFailed { code: "too_long".to_owned(), message: text.to_owned() },
        "broken" => Input::ReplyFailed { code: "overloaded".to_owned(), message: text.to_owned() },
        "ok" => {
            let (id, echo) = of_call();
            Input::Result(id, ok(echo))
        }
        "news" => {
            let (id, echo) = of_call();
            Input::PollResult(id, ok(echo))
        }
        "fail" => {
            let (id, why) = of_call();
            Input::Result(id, Err(ToolFailure::Failed(why.to_owned())))
        }
        "fits" => Input::Checked(Ok(text.to_owned())),
        "unfit" => Input::Checked(Err(text.to_owned())),
        "steer" => Input::Steer(text.into()),
        "add" => Input::Budget(BudgetAnswer::Add),
        "finish" => Input::Budget(BudgetAnswer::Finish),
        "halt" => Input::Budget(BudgetAnswer::Stop),
        "up" => Input::TimeIsUp { limit_s: text.parse().unwrap() },
        "stopping" => Input::Stopping,
        "late" => Input::OutOfTime { limit_s: text.parse().unwrap() },
        "cancel" => Input::Cancel,
        _ => panic!("`{word}` is no word of the script"),
    }
}
