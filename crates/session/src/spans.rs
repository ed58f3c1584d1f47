//! A turn as spans, with the attributes that OpenTelemetry's conventions for generative AI name.
//!
//! They follow the events that go into the journal, as they happen, so that a trace and a session
//! tell the same. What people and models write is in no attribute. Without a subscriber nothing
//! is made.

use std::{collections::BTreeMap, fmt};

use tagline_model::{Responder, server_of};
use tagline_protocol::{CallId, Event, Outcome, Usage};
use tokio::time::Instant;
use tracing::{Span, field::Empty, info, info_span};

/// The open spans of a turn.
pub(crate) struct Spans {
    session: String,
    profile: String,
    turn: Option<Span>,
    model: String,
    /// Where the model is asked; empty for one that is nowhere.
    address: String,
    chat: Option<Chat>,
    tools: BTreeMap<CallId, String>,
    calls: BTreeMap<CallId, Span>,
    approvals: BTreeMap<CallId, (Span, Instant)>,
}

/// The model is being asked.
struct Chat {
    span: Span,
    since: Instant,
    has_begun: bool,
}

impl Spans {
    pub(crate) fn new(session: String, profile: String, address: String) -> Self {
        Self {
            session,
            profile,
            turn: None,
            model: String::new(),
            address,
            chat: None,
            tools: BTreeMap::new(),
            calls: BTreeMap::new(),
            approvals: BTreeMap::new(),
        }
    }

    /// Takes an event as it happens.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events open or close a span")]
    pub(crate) fn take(&mut self, call: Option<&CallId>, event: &Event) {
        match event {
            Event::RunStarted { model, .. } => self.begin(model),
            Event::PassStarted => self.ask(),
            Event::SayStart { .. } | Event::ThinkStart | Event::ToolOpening { .. } => self.chunk(),
            Event::Usage(usage) => self.used(usage),
            Event::PassFinished { finish } => {
                if let Some(chat) = self.chat.take() {
                    chat.span.record("gen_ai.response.finish_reasons", finish.as_str());
                }
            }
            Event::RunFinished { outcome, reason, .. } => {
                let is_whole = matches!(outcome, Outcome::Done | Outcome::NeedsHuman);
                self.end((!is_whole).then_some(reason.as_str()));
            }
            Event::RunFailed { reason, .. } => self.end(Some(reason)),
            _ => {
                if let Some(call) = call {
                    self.take_call(call, event);
                }
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events open or close a span")]
    fn take_call(&mut self, call: &CallId, event: &Event) {
        match event {
            Event::ToolReady { tool, .. } => {
                self.tools.insert(call.clone(), tool.clone());
            }
            Event::ToolRepaired { reason, .. } => self.parsed("repaired", reason),
            Event::ToolRejected { reason, .. } => self.parsed("rejected", reason),
            Event::ApprovalAsked { .. } => self.question(call),
            Event::ApprovalAnswered { is_allowed, by, .. } => self.answer(call, *is_allowed, by),
            Event::ToolRunning { .. } => self.execute(call),
            Event::ToolDone { .. } => drop(self.calls.remove(call)),
            Event::ToolFailed { payload, .. } => {
                let kind = payload.get("kind").and_then(serde_json::Value::as_str);
                self.executed(call, kind.unwrap_or("failed"));
            }
            Event::ToolCancelled { .. } => self.executed(call, "cancelled"),
            _ => {}
        }
    }

    fn begin(&mut self, model: &str) {
        model.clone_into(&mut self.model);
        let profile = self.profile.as_str();
        self.turn = Some(info_span!(
            "invoke_agent",
            "otel.name" = format!("invoke_agent {profile}"),
            "otel.kind" = "internal",
            "gen_ai.operation.name" = "invoke_agent",
            "gen_ai.agent.name" = profile,
            "gen_ai.agent.id" = profile,
            "gen_ai.agent.version" = env!("CARGO_PKG_VERSION"),
            "gen_ai.conversation.id" = self.session.as_str(),
            "error.type" = Empty,
        ));
    }

    fn ask(&mut self) {
        let (provider, model) = self.model.split_once('/').unwrap_or(("", &self.model));
        let server = server_of(&self.address);
        let span = info_span!(
            parent: self.turn.as_ref().and_then(Span::id),
            "chat",
            "otel.name" = format!("chat {model}"),
            "otel.kind" = "client",
            "gen_ai.operation.name" = "chat",
            "gen_ai.provider.name" = provider,
            "gen_ai.request.model" = model,
            "gen_ai.conversation.id" = self.session.as_str(),
            "gen_ai.response.id" = Empty,
            "gen_ai.response.model" = Empty,
            "gen_ai.response.finish_reasons" = Empty,
            "gen_ai.response.time_to_first_chunk" = Empty,
            "gen_ai.usage.input_tokens" = Empty,
            "gen_ai.usage.output_tokens" = Empty,
            "gen_ai.usage.cache_read.input_tokens" = Empty,
            "server.address" = server.as_ref().map(|(host, _)| host.as_str()),
            "server.port" = server.as_ref().map(|(_, port)| i64::from(*port)),
            "error.type" = Empty,
        );
        self.chat = Some(Chat { span, since: Instant::now(), has_begun: false });
    }

    /// The provider says who answers. Where the model was switched, that is another one at another
    /// place, and so it is for the passes that follow.
    pub(crate) fn answering(&mut self, who: &Responder) {
        let Some(Chat { span, .. }) = &self.chat else { return };
        let names = [("gen_ai.response.id", &who.id), ("gen_ai.response.model", &who.model)];
        for (name, value) in names {
            if let Some(value) = value {
                span.record(name, value.as_str());
            }
        }
        if who.asked != self.model || who.address != self.address {
            let (provider, model) = who.asked.split_once('/').unwrap_or(("", &who.asked));
            span.record("gen_ai.provider.name", provider);
            span.record("gen_ai.request.model", model);
            if let Some((host, port)) = server_of(&who.address) {
                span.record("server.address", host.as_str());
                span.record("server.port", i64::from(port));
            }
            self.model.clone_from(&who.asked);
            self.address.clone_from(&who.address);
        }
    }

    fn chunk(&mut self) {
        if let Some(chat) = self.chat.as_mut().filter(|chat| !chat.has_begun) {
            chat.has_begun = true;
            let seconds = chat.since.elapsed().as_secs_f64();
            chat.span.record("gen_ai.response.time_to_first_chunk", seconds);
        }
    }

    fn used(&self, usage: &Usage) {
        let Some(chat) = &self.chat else { return };
        let counts = [
            ("gen_ai.usage.input_tokens", usage.input_tokens),
            ("gen_ai.usage.output_tokens", usage.output_tokens),
            ("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
        ];
        for (name, count) in counts {
            if let Some(count) = count {
                chat.span.record(name, count);
            }
        }
    }

    fn parsed(&self, what: &str, reason: &str) {
        let span = self.chat.as_ref().and_then(|chat| chat.span.id());
        info!(parent: span, tagline.parse = what, reason);
    }

    fn question(&mut self, call: &CallId) {
        let span = info_span!(
            parent: self.turn.as_ref().and_then(Span::id),
            "tagline.approval",
            "otel.kind" = "internal",
            "gen_ai.tool.name" = self.tool(call),
            "gen_ai.tool.call.id" = call.0.as_str(),
            "tagline.approval.decision" = Empty,
            "tagline.approval.rule" = Empty,
            "tagline.approval.waited" = Empty,
        );
        self.approvals.insert(call.clone(), (span, Instant::now()));
    }

    fn answer(&mut self, call: &CallId, is_allowed: bool, by: &str) {
        let Some((span, since)) = self.approvals.remove(call) else { return };
        span.record("tagline.approval.decision", if is_allowed { "allowed" } else { "refused" });
        span.record("tagline.approval.rule", by);
        span.record("tagline.approval.waited", since.elapsed().as_secs_f64());
    }

    /// A call that is tried again has a span for each try.
    fn execute(&mut self, call: &CallId) {
        let tool = self.tool(call);
        let span = info_span!(
            parent: self.turn.as_ref().and_then(Span::id),
            "execute_tool",
            "otel.name" = format!("execute_tool {tool}"),
            "otel.kind" = "internal",
            "gen_ai.operation.name" = "execute_tool",
            "gen_ai.tool.name" = tool,
            "gen_ai.tool.call.id" = call.0.as_str(),
            "gen_ai.tool.type" = "function",
            "error.type" = Empty,
        );
        self.calls.insert(call.clone(), span);
    }

    fn executed(&mut self, call: &CallId, error: &str) {
        self.approvals.remove(call);
        if let Some(span) = self.calls.remove(call) {
            span.record("error.type", error);
        }
    }

    fn end(&mut self, error: Option<&str>) {
        let chat = self.chat.take().map(|chat| chat.span);
        let turn = self.turn.take();
        if let Some(error) = error {
            chat.iter().chain(&turn).for_each(|span| {
                span.record("error.type", error);
            });
        }
        self.calls.clear();
        self.approvals.clear();
    }

    fn tool(&self, call: &CallId) -> &str {
        self.tools.get(call).map_or("", String::as_str)
    }
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spans").field("turn", &self.turn).finish_non_exhaustive()
    }
}
