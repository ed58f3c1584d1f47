//! The renderer itself.

mod asks;

use anstream::adapter::strip_str;
use serde_json::Value;
use tagline_protocol::{CallId, Event, Frame, Media, Mode, Outcome, Price};

use super::{
    calls::{Calls, Cards, Shown, summary},
    clean::{clean, clean_lines},
    flow::Flow,
    layout::{Layout, Tone},
    notes,
    purpose::Purpose,
    totals::Totals,
    units,
};
use crate::terminal::Style;

/// Lines of a failure that are shown unless more is wanted.
const FEW: usize = 8;
/// Last lines of a failed command's output that are shown.
const LAST: usize = 5;

/// Turns the frames of a session, in order, into lines.
#[derive(Debug)]
pub(crate) struct Printer {
    layout: Layout,
    verbosity: u8,
    purpose: Purpose,
    /// What the model said in this pass, as it was written.
    said: String,
    /// The call that was refused last: its failure says the same again.
    refused: Option<CallId>,
    calls: Calls,
    totals: Totals,
    say: Flow,
    think: Flow,
    output: Flow,
    /// The last lines of a command's output, where they are not shown as they come.
    last: Vec<String>,
    status: Option<String>,
}

impl Printer {
    /// A renderer for this style. The answer is not among its lines: `run` writes it to standard
    /// output itself.
    pub(crate) fn new(style: Style, verbosity: u8) -> Self {
        Self {
            layout: Layout::new(style),
            verbosity,
            purpose: Purpose::Run,
            said: String::new(),
            refused: None,
            calls: Calls::default(),
            totals: Totals::default(),
            say: Flow::default(),
            think: Flow::default(),
            output: Flow::default(),
            last: Vec::new(),
            status: None,
        }
    }

    /// Labels calls as their tools' cards are labelled, instead of by the tools' names.
    pub(crate) fn with_cards(mut self, cards: Cards) -> Self {
        self.calls = Calls::new(cards);
        self
    }

    /// Shows answers too, for a session that is only looked at.
    pub(crate) fn with_answers(mut self) -> Self {
        self.purpose = Purpose::Record;
        self
    }

    /// Leaves out what the user typed on the same screen, and names the session once.
    pub(crate) fn with_conversation(mut self) -> Self {
        self.purpose = Purpose::Conversation { is_named: false };
        self
    }

    /// Shows what came before a conversation, compactly: no heads, no sums, nothing twice.
    pub(crate) fn with_past(mut self) -> Self {
        self.purpose = Purpose::Past;
        self
    }

    /// Counts what the tokens cost, where that is known.
    pub(crate) fn with_price(mut self, price: Option<Price>) -> Self {
        self.totals = Totals::priced(price);
        self
    }

    /// Whether the user types on the same screen.
    pub(crate) const fn is_conversation(&self) -> bool {
        matches!(self.purpose, Purpose::Conversation { .. })
    }

    /// Whether this is what the model said in the last pass, so that it stands on the screen.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        self.said.trim() == text.trim()
    }

    /// What is going on, in one line, until the next frame; `None`: nothing worth a line.
    pub(crate) fn status(&self) -> Option<&str> {
        self.status.as_deref()
    }

    /// The lines to add for this frame: often none.
    #[expect(clippy::too_many_lines, reason = "an arm per event")]
    pub(crate) fn frame(&mut self, frame: &Frame) -> Vec<String> {
        let call = frame.call.as_ref();
        self.status = None;
        match &frame.event {
            Event::RunStarted { model, mode, policy: _ } => self.begin(frame, model, *mode),
            Event::RunFinished { outcome, reason, result } => {
                self.finish(&frame.ts, *outcome, reason, result.as_deref())
            }
            Event::RunFailed { reason, message } => self.fail(&frame.ts, reason, message),
            Event::PassStarted => self.pass(),
            Event::UserMessage { text, media } => self.user(text, media),
            Event::SayStart { tone: _ } => self.say.end(self.layout, "say"),
            Event::SayDelta { delta } => self.says(delta),
            Event::SayEnd => self.say.end(self.layout, "say"),
            Event::ThinkStart => self.think.take(),
            Event::ThinkDelta { delta } => self.thinks(delta),
            Event::ThinkEnd => self.thought(),
            Event::ToolOpening { tool } => self.opens(call, tool),
            Event::ToolAttr { name, value } => self.attribute(call, name, value),
            Event::ToolBody { child: _, delta } => self.body(call, delta),
            Event::ToolAborted => self.aborted(call),
            Event::ToolReady { tool, arguments, effect: _ } => self.ready(call, tool, arguments),
            Event::ToolRepaired { reason: _, message } => self.notice("note", message),
            Event::ToolRejected { reason, message } => self.rejected(call, reason, message),
            Event::ApprovalAsked { why, shown, facts, hash: _, scopes: _ } => {
                self.asks(call, why, shown, facts)
            }
            Event::ApprovalAnswered { is_allowed, by, words } => {
                self.answered(call, *is_allowed, by, words.as_deref())
            }
            Event::ToolRunning { attempt, hash: _, effect: _, decision: _ } => {
                self.runs(call, *attempt)
            }
            Event::ToolOutput { stream: _, delta } => self.outputs(delta),
            Event::ToolProgress { payload } => self.progress(call, payload),
            Event::ToolDone { payload, echo, ms, event: _, media: _ } => {
                let has_failed = payload.get("exit_code").is_some_and(|code| *code != 0);
                let (result, time) = (summary(payload, echo), units::time(*ms));
                let mut lines = self.done(call, &result, &time);
                let last = self.last_lines();
                if has_failed || self.verbosity > 0 {
                    lines.extend(last);
                }
                lines.extend(self.question(payload, &result, &time));
                lines
            }
            Event::ToolFailed { payload, echo, ms, event: _ } => {
                if call.is_some() && self.refused.take().as_ref() == call {
                    self.calls.close(call);
                    return Vec::new();
                }
                let reason = payload.get("reason").and_then(Value::as_str).unwrap_or(echo);
                let is_refused = payload.get("kind").is_some_and(|kind| kind == "denied");
                match is_refused {
                    true => self.bad(call, "refused", reason, String::new()),
                    false => self.bad(call, "failed", reason, units::time(*ms)),
                }
            }
            Event::ToolCancelled { reason } => self.bad(call, "cancelled", reason, String::new()),
            Event::ModelState { state, detail } => self.model(state, detail.as_deref()),
            Event::Usage(usage) => self.used(usage),
            Event::Notice { level, message } => self.notice(level, message),
            Event::BudgetAsked { message, reason: _, adds: _ } => self.notice("warning", message),
            Event::BudgetAnswered { .. } => Vec::new(),
            Event::SessionMode { mode } => self.notice("info", &format!("mode {mode}")),
            Event::ToolEdited { note, arguments: _ } => self.edited(note),
            Event::SessionForked { source, title: _, turns } => {
                self.notice("info", &notes::forked(source, *turns))
            }
            Event::GrantRevoked { scope } => {
                self.notice("info", &format!("`{}` asks again", clean(scope)))
            }
            Event::ContextCompacted { before, after, way: _, kept: _ } => {
                self.notice("info", &notes::compacted(*before, *after))
            }
            Event::PassFinished { .. }
            | Event::AssistantMessage { .. }
            | Event::ResultsMessage { .. }
            | Event::MessageQueued { .. }
            | Event::MessageUnqueued { .. }
            | Event::SessionTitle { .. } => Vec::new(),
            Event::Audit { record } => {
                self.totals.call(&frame.session, record);
                Vec::new()
            }
        }
    }

    fn user(&self, text: &str, media: &[Media]) -> Vec<String> {
        let mut lines = match self.is_conversation() {
            true => Vec::new(),
            false => self.layout.prose((Tone::Attention, "you"), &clean_lines(text)),
        };
        let images = media.iter().map(|image| (clean(&image.label), clean(&image.media_type)));
        lines.extend(images.map(|(label, kind)| {
            self.layout.row((Tone::Attention, "image"), &label, (Tone::Plain, &kind), "")
        }));
        lines
    }

    fn says(&mut self, delta: &str) -> Vec<String> {
        self.said += delta;
        self.say.push(self.layout, "say", delta)
    }

    fn begin(&mut self, frame: &Frame, model: &str, mode: Mode) -> Vec<String> {
        self.totals = self.totals.starting(&frame.ts);
        match &mut self.purpose {
            Purpose::Past | Purpose::Conversation { is_named: true } => return Vec::new(),
            Purpose::Conversation { is_named } => *is_named = true,
            Purpose::Run | Purpose::Record => {}
        }
        let version = concat!("tagline ", env!("CARGO_PKG_VERSION"));
        let (model, session) = (clean(model), clean(&frame.session));
        let mode = format!("mode {mode}");
        self.layout.parts((Tone::Plain, version), &[model, mode, format!("session {session}")])
    }

    fn finish(
        &mut self,
        ts: &str,
        outcome: Outcome,
        reason: &str,
        result: Option<&str>,
    ) -> Vec<String> {
        let mut lines = self.pending();
        let is_shown = match self.purpose {
            Purpose::Record => true,
            // What the model said is on the screen as it said it.
            Purpose::Past => result.is_some_and(|result| !self.has_said(result)),
            Purpose::Run | Purpose::Conversation { .. } => false,
        };
        if let Some(result) = result.filter(|_| is_shown) {
            lines.extend(clean_lines(result).lines().map(str::to_owned));
        }
        if self.purpose == Purpose::Past && outcome == Outcome::Done {
            return lines;
        }
        let (tone, word) = match outcome {
            Outcome::Done => (Tone::Verb, "done"),
            Outcome::Stopped => (Tone::Attention, "stopped"),
            Outcome::Limit => (Tone::Attention, "limit"),
            Outcome::NeedsHuman => (Tone::Attention, "needs you"),
        };
        let why = (outcome == Outcome::Limit).then(|| clean(reason));
        let parts: Vec<_> = why.into_iter().chain(self.totals.parts(ts)).collect();
        lines.extend(self.layout.parts((tone, word), &parts));
        lines
    }

    fn fail(&mut self, ts: &str, reason: &str, message: &str) -> Vec<String> {
        let mut lines = self.pending();
        let parts: Vec<_> = std::iter::once(clean(reason)).chain(self.totals.parts(ts)).collect();
        lines.extend(self.layout.parts((Tone::Bad, "failed"), &parts));
        lines.extend(self.layout.indented(&clean_lines(message)));
        lines
    }

    fn pass(&mut self) -> Vec<String> {
        self.said.clear();
        self.totals.pass();
        self.status = Some("asking the model".to_owned());
        self.pending()
    }

    fn used(&mut self, usage: &tagline_protocol::Usage) -> Vec<String> {
        self.totals.usage(usage);
        Vec::new()
    }

    fn model(&mut self, state: &str, detail: Option<&str>) -> Vec<String> {
        let detail = detail.map(|detail| format!(": {}", clean(detail))).unwrap_or_default();
        self.status = Some(format!("model {}{detail}", clean(&state.replace('_', " "))));
        Vec::new()
    }

    fn notice(&mut self, level: &str, message: &str) -> Vec<String> {
        let tone = match level {
            "error" => Tone::Bad,
            "warning" => Tone::Attention,
            _ => Tone::Faint,
        };
        let level = if level == "info" { "note" } else { level };
        self.layout.prose((tone, &clean(level)), &clean_lines(message))
    }

    /// A thought is folded to its first line, unless more is wanted.
    fn thinks(&mut self, delta: &str) -> Vec<String> {
        if self.verbosity > 0 {
            return self.think.push(self.layout, "think", delta);
        }
        self.think.pending.push_str(delta);
        self.status = Some("thinking".to_owned());
        Vec::new()
    }

    fn thought(&mut self) -> Vec<String> {
        if self.verbosity > 0 {
            return self.think.end(self.layout, "think");
        }
        let thought = std::mem::take(&mut self.think.pending);
        let thought = clean_lines(thought.trim());
        let mut lines = thought.lines();
        let Some(first) = lines.next().filter(|_| self.purpose != Purpose::Past) else {
            return Vec::new();
        };
        let more = lines.count() as u64;
        let more = if more == 0 {
            String::new()
        } else {
            format!("+{}", units::count(more, "line", "lines"))
        };
        vec![self.layout.row((Tone::Faint, "think"), first, (Tone::Faint, &more), "")]
    }

    fn opens(&mut self, call: Option<&CallId>, tool: &str) -> Vec<String> {
        if let Some(call) = call {
            self.calls.open(call, tool);
        }
        self.writing(call)
    }

    fn attribute(&mut self, call: Option<&CallId>, name: &str, value: &str) -> Vec<String> {
        if let Some(call) = call {
            self.calls.attribute(call, name, value);
        }
        self.writing(call)
    }

    fn body(&mut self, call: Option<&CallId>, delta: &str) -> Vec<String> {
        if let Some(call) = call {
            self.calls.grow(call, delta);
        }
        self.writing(call)
    }

    fn aborted(&mut self, call: Option<&CallId>) -> Vec<String> {
        self.calls.close(call);
        Vec::new()
    }

    fn ready(&mut self, call: Option<&CallId>, tool: &str, arguments: &Value) -> Vec<String> {
        if let Some(call) = call {
            self.calls.ready(call, tool, arguments);
        }
        Vec::new()
    }

    fn writing(&mut self, call: Option<&CallId>) -> Vec<String> {
        let Shown { label, target, n_bytes } = self.calls.get(call);
        let size = if n_bytes == 0 { String::new() } else { units::bytes(n_bytes) };
        self.status = Some(format!("{label} {target} {size}").trim_end().to_owned());
        Vec::new()
    }

    fn runs(&mut self, call: Option<&CallId>, attempt: u32) -> Vec<String> {
        let Shown { label, target, .. } = self.calls.get(call);
        self.status = Some(format!("{label} {target}").trim_end().to_owned());
        if attempt < 2 {
            return Vec::new();
        }
        let again = format!("try {attempt}");
        vec![self.layout.row((Tone::Verb, &label), &target, (Tone::Attention, &again), "")]
    }

    fn outputs(&mut self, delta: &str) -> Vec<String> {
        // Colors are for the page.
        let lines = self.output.lines(&strip_str(delta).to_string());
        let last = lines.last().cloned().unwrap_or_else(|| self.output.pending.clone());
        self.status = Some(clean(&last));
        if self.verbosity == 0 {
            self.last.extend(lines);
            let n_old = self.last.len().saturating_sub(LAST);
            self.last.drain(..n_old);
            return Vec::new();
        }
        lines.iter().map(|line| self.output_line(line)).collect()
    }

    fn output_line(&self, line: &str) -> String {
        self.layout.paint(Tone::Faint, &self.layout.quoted(&clean(line)))
    }

    /// The end of what a command wrote that is not shown yet; all of it is forgotten.
    fn last_lines(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.last);
        let Flow { pending, .. } = std::mem::take(&mut self.output);
        lines.extend(Some(pending).filter(|pending| !pending.is_empty()));
        let n_old = lines.len().saturating_sub(LAST);
        lines.iter().skip(n_old).map(|line| self.output_line(line)).collect()
    }

    fn progress(&mut self, call: Option<&CallId>, payload: &Value) -> Vec<String> {
        let Shown { label, target, .. } = self.calls.get(call);
        let words = clean(notes::of_progress(payload));
        self.status = Some(format!("{label} {target} {words}").trim_end().to_owned());
        Vec::new()
    }

    fn done(&mut self, call: Option<&CallId>, result: &str, time: &str) -> Vec<String> {
        let Shown { label, target, .. } = self.calls.close(call);
        vec![self.layout.row((Tone::Verb, &label), &target, (Tone::Plain, result), time)]
    }

    /// A question to the user that does not fit into its row: whoever answers has to read all of it.
    fn question(&self, payload: &Value, result: &str, time: &str) -> Vec<String> {
        let question = payload.get("question").and_then(Value::as_str).unwrap_or_default().trim();
        if question.lines().count() < 2 && self.layout.fits("ask", question, result, time) {
            return Vec::new();
        }
        self.layout.indented(&clean_lines(question))
    }

    fn rejected(&mut self, call: Option<&CallId>, reason: &str, message: &str) -> Vec<String> {
        if reason != "output_schema" {
            return self.bad(call, "not run", message, String::new());
        }
        // An answer in plain text is no call, so nothing announced it.
        if let Some(id) = call.filter(|_| self.calls.get(call).label.is_empty()) {
            self.calls.open(id, "answer");
        }
        self.bad(call, "no match", message, String::new())
    }

    fn bad(&mut self, call: Option<&CallId>, word: &str, why: &str, time: String) -> Vec<String> {
        self.last_lines();
        let Shown { label, target, .. } = self.calls.close(call);
        let label = if label.is_empty() { "call" } else { &label };
        let mut lines =
            vec![self.layout.row((Tone::Verb, label), &target, (Tone::Bad, word), &time)];
        let why = self.layout.indented(&clean_lines(why));
        let n_shown = if self.verbosity == 0 && why.len() > FEW + 1 { FEW } else { why.len() };
        let n_left = why.len() - n_shown;
        lines.extend(why.into_iter().take(n_shown));
        if n_left > 0 {
            let more = units::count(n_left as u64, "more line", "more lines");
            lines.extend(self.layout.indented(&format!("({more}; `-v` shows them)")));
        }
        lines
    }

    /// What was begun and never ended, because the turn was, or because there are no more frames.
    pub(crate) fn pending(&mut self) -> Vec<String> {
        let mut lines = self.say.end(self.layout, "say");
        lines.extend(self.thought());
        lines
    }
}
