//! What a reply's events mean: words, reasoning, calls, and what should have been calls.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use tagline_parser::{Block, BlockId, Event, Fault, Finish, Reason, ValueName};
use tagline_protocol::{
    Call, CallId, Event as Wire, TurnRole,
    feedback::{self, Feedback},
};

use crate::{
    AtLimit, Policy, action,
    hub::Hub,
    open::{self, Open},
    reply::{End, Reply},
    slot::{Slot, State},
    words,
};

/// How words are marked that were written behind a call, before its result is known.
const UNCONFIRMED: &str = "unconfirmed";

impl Reply {
    /// Takes what the parser became certain of, until the reply counts as ended.
    pub(crate) fn take_events(&mut self, hub: &mut Hub) {
        let events: Vec<Event> = self.parser.drain().collect();
        for event in events {
            if self.end.is_some() {
                return;
            }
            self.take(event, hub);
            self.start_calls(hub);
        }
    }

    fn take(&mut self, event: Event, hub: &mut Hub) {
        match event {
            Event::Text(text) => self.text(&text, hub),
            Event::Thinking(text) => self.reason(&text, hub),
            Event::Start { block, name, .. } => self.start(block, &name, hub),
            Event::Attribute { block, name, value } => self.attribute(block, name, value, hub),
            Event::Delta { block, value, text } => self.delta(block, value, text, hub),
            Event::End(block) => self.block(block, hub),
            Event::Abort { block } => {
                if self.is_open(block) {
                    self.close(hub);
                }
            }
            Event::Fault(fault) => self.fault(fault, hub),
            Event::Relabel { .. } => self.relabel(hub),
        }
    }

    fn text(&mut self, text: &str, hub: &mut Hub) {
        self.words.push_str(text);
        let tone = (!self.slots.is_empty()).then_some(UNCONFIRMED);
        self.voice.say(text, tone, &mut |event| hub.emit(event));
    }

    /// What was taken for an answer was reasoning.
    fn relabel(&mut self, hub: &mut Hub) {
        self.has_thought |= !self.words.trim().is_empty();
        self.words.clear();
        self.voice.end(&mut |event| hub.emit(event));
    }

    fn is_open(&self, block: BlockId) -> bool {
        self.open.as_ref().is_some_and(|open| open.block == block)
    }

    fn start(&mut self, block: BlockId, name: &str, hub: &mut Hub) {
        self.close(hub);
        let open = Open::new(block, name, hub);
        if open.is_shown() {
            hub.emit_of(&open.call, Wire::ToolOpening { tool: open.tool.clone() });
        }
        self.open = Some(open);
    }

    fn attribute(&mut self, block: BlockId, name: String, value: String, hub: &mut Hub) {
        let Some(open) = self.open.as_mut().filter(|open| open.block == block) else { return };
        match open.role {
            TurnRole::Ordinary | TurnRole::Completes | TurnRole::Asks => {
                hub.emit_of(&open.call, Wire::ToolAttr { name, value });
            }
            TurnRole::Speaks if name == "tone" => open.tone = Some(value),
            TurnRole::Speaks | TurnRole::Thinks => {}
        }
    }

    fn delta(&mut self, block: BlockId, value: ValueName, text: String, hub: &mut Hub) {
        let Some(open) = self.open.as_mut().filter(|open| open.block == block) else { return };
        match (open.role, &value) {
            (TurnRole::Ordinary | TurnRole::Completes | TurnRole::Asks, _) => {
                hub.emit_of(&open.call, open::body(value, text));
            }
            (TurnRole::Speaks, ValueName::Child(name, _)) if name == "tone" => {
                open.tone.get_or_insert_default().push_str(&text);
            }
            (TurnRole::Speaks, _) => {
                self.said.push_str(&text);
                self.voice.say(&text, open.tone.as_deref(), &mut |event| hub.emit(event));
            }
            (TurnRole::Thinks, _) => self.reason(&text, hub),
        }
    }

    fn block(&mut self, block: Block, hub: &mut Hub) {
        let open = match self.open.take() {
            Some(open) if open.block == block.id => open,
            Some(_) | None => Open::new(block.id, &block.name, hub),
        };
        match open.role {
            TurnRole::Speaks => {
                self.said.push('\n');
                self.voice.end(&mut |event| hub.emit(event));
            }
            TurnRole::Thinks => self.voice.end(&mut |event| hub.emit(event)),
            TurnRole::Ordinary | TurnRole::Completes | TurnRole::Asks => {
                self.voice.end(&mut |event| hub.emit(event));
                self.action(&block, open, hub);
            }
        }
    }

    /// A block that asks for something to be done.
    fn action(&mut self, block: &Block, open: Open, hub: &mut Hub) {
        if block.is_partial {
            return self.partial(block, open, hub);
        }
        for fault in &block.faults {
            let reason = fault.reason.as_str().to_string();
            let message = feedback::repaired(fault);
            hub.emit_of(&open.call, Wire::ToolRepaired { reason, message });
        }
        for repair in &block.repairs {
            let reason = repair.kind.as_str().to_string();
            let message = feedback::mended(repair);
            hub.emit_of(&open.call, Wire::ToolRepaired { reason, message });
        }
        let end = usize::try_from(block.span.end).unwrap_or(usize::MAX);
        match action::decoded(&hub.tools, block, open.call.clone()) {
            Ok((call, notes)) => self.call(call, notes, open.role, end, hub),
            Err(refusal) => {
                self.refuse(&open.call, Some(open.tool), refusal, hub);
            }
        }
        self.end_action(end, hub);
    }

    /// In the guided loop nothing is read behind the first action.
    fn end_action(&mut self, end: usize, hub: &mut Hub) {
        if hub.is_guided() {
            self.end.get_or_insert(End::Enough);
        }
        if self.end.is_some() {
            self.cut_at = Some(end.min(self.raw.len()));
        }
    }

    /// A block that the end of the reply cut: it never runs.
    fn partial(&mut self, block: &Block, open: Open, hub: &mut Hub) {
        if self.finish == Some(Finish::Cut) {
            return hub.emit_of(&open.call, Wire::ToolAborted);
        }
        let refusal = feedback::unfinished(block, self.finish.unwrap_or(Finish::Stop));
        self.is_doubtful = true;
        self.refuse(&open.call, Some(open.tool), refusal, hub);
    }

    fn call(
        &mut self,
        mut call: Call,
        notes: Vec<String>,
        role: TurnRole,
        end: usize,
        hub: &mut Hub,
    ) {
        if let Policy::Guided { requires_thinking: true } = hub.policy
            && !self.has_thought
        {
            let tool = call.tool;
            return self.refuse(&call.id, Some(tool.clone()), feedback::no_thinking(&tool), hub);
        }
        call.is_recovered |= self.is_doubtful;
        if let Some((why, ending)) = self.lack_of_room(role, hub) {
            hub.cancel_calls(alloc::vec![call.id], &why);
            self.slots.push(Slot::new(Some(call.tool), true, State::NotRun(why)));
            if ending.is_some() {
                self.end = ending;
                self.cut_at = Some(end.min(self.raw.len()));
            }
            return;
        }
        hub.calls += 1;
        self.n_calls += 1;
        self.keep_to(end, hub);
        let (tool, arguments) = (call.tool.clone(), call.arguments.clone());
        hub.emit_of(&call.id, Wire::ToolReady { tool, arguments, effect: call.effect });
        self.accept(call, notes, role, hub);
        if self.end.is_some() {
            self.cut_at = Some(end.min(self.raw.len()));
        }
    }

    /// Why there is no room for one more call, and how the reply ends therefore, if it does.
    fn lack_of_room(&self, role: TurnRole, hub: &Hub) -> Option<(String, Option<End>)> {
        if hub.is_ending() {
            let is_end = matches!(role, TurnRole::Completes | TurnRole::Asks);
            return (!is_end).then(|| (words::ENDING.to_string(), None));
        }
        if hub.calls >= hub.limits.calls {
            let why = match hub.limits.at_limit {
                AtLimit::End => words::max_calls(hub.limits.calls),
                AtLimit::Ask => words::no_calls_now(hub.limits.calls),
            };
            return Some((why, Some(End::NoCallsLeft)));
        }
        let limit = hub.limits.calls_per_reply;
        (self.n_calls >= limit).then(|| (words::no_room(limit), Some(End::Enough)))
    }

    fn accept(&mut self, call: Call, mut notes: Vec<String>, role: TurnRole, hub: &Hub) {
        match role {
            TurnRole::Completes => {
                let answer = action::text_of(&hub.tools, &call);
                self.end = Some(End::Completes(call, answer));
            }
            TurnRole::Asks => {
                let question = action::text_of(&hub.tools, &call);
                self.end = Some(End::Asks(call, question));
            }
            TurnRole::Ordinary | TurnRole::Speaks | TurnRole::Thinks => {
                if hub.is_guided() && !self.has_thought {
                    notes.push(feedback::THINK_FIRST.to_string());
                }
                let feeds_back = hub.tools.get(&call.tool).is_none_or(|spec| spec.feeds_back);
                let mut slot = Slot::new(Some(call.tool.clone()), feeds_back, State::Waiting(call));
                slot.notes = notes;
                self.slots.push(slot);
            }
        }
    }

    /// An entry of the results that is no valid call.
    fn refuse(&mut self, id: &CallId, tool: Option<String>, refusal: Feedback, hub: &mut Hub) {
        let Feedback { reason, message, .. } = refusal;
        let event = Wire::ToolRejected { reason: reason.to_string(), message: message.clone() };
        hub.emit_of(id, event);
        self.slots.push(Slot::new(tool, true, State::Refused(message)));
    }

    fn fault(&mut self, fault: Fault, hub: &mut Hub) {
        match fault.reason {
            Reason::QuotedCall => {
                self.quoted.get_or_insert(fault);
            }
            Reason::FabricatedResult => {
                self.cut_at = usize::try_from(fault.span.start).ok();
                let id = hub.next_id();
                self.refuse(&id, None, feedback::fault(&fault), hub);
                self.end = Some(End::Enough);
            }
            Reason::UnterminatedTool if self.finish == Some(Finish::Cut) => {}
            Reason::StrayClose => self.entry(fault, hub),
            Reason::UnknownTool
            | Reason::UnknownParam
            | Reason::InvalidArguments
            | Reason::DuplicateParam => {
                let end = usize::try_from(fault.span.end).unwrap_or(usize::MAX);
                self.entry(fault, hub);
                self.end_action(end, hub);
            }
            Reason::UnterminatedTool
            | Reason::MismatchedClose
            | Reason::MalformedTag
            | Reason::NestedTool
            | Reason::CdataUnclosed
            | Reason::Limit => {
                let end = usize::try_from(fault.span.end).unwrap_or(usize::MAX);
                self.is_doubtful = true;
                self.entry(fault, hub);
                self.end_action(end, hub);
            }
        }
    }

    /// The entry for damage that is no block.
    fn entry(&mut self, fault: Fault, hub: &mut Hub) {
        self.voice.end(&mut |event| hub.emit(event));
        let id = hub.next_id();
        let tool = Some(fault.tag.clone()).filter(|tag| !tag.is_empty());
        if let Some(tool) = &tool {
            hub.emit_of(&id, Wire::ToolOpening { tool: tool.clone() });
        }
        let refusal = feedback::fault(&fault);
        self.refuse(&id, tool, refusal, hub);
    }
}

impl Open {
    fn new(block: BlockId, name: &str, hub: &mut Hub) -> Self {
        let role = hub.tools.get(name).map(|spec| spec.role).unwrap_or_default();
        Self { block, call: hub.next_id(), tool: name.to_string(), role, tone: None }
    }
}
