//! A model behind a wire format: tries, faults, counts.

use std::time::Duration;

use futures_util::StreamExt as _;
use tagline_protocol::Usage;

use crate::{
    Model, ModelEvent, ModelFault, ModelInfo, ModelLimits, ModelStream, Request, Responder,
    attempt::Attempt,
    fault::{Asked, Signal, explain, not_asked},
    host::{Gate, Hold, Pass},
    retry::{Next, Tries},
    transport::{Call, SharedTransport, masked},
    wire::{Target, Wire},
};

/// A wait that is not worth a word.
const MOMENT: Duration = Duration::from_secs(1);

/// A model behind a wire format.
#[derive(Clone, Debug)]
pub(crate) struct RemoteModel {
    pub(crate) info: ModelInfo,
    pub(crate) wire: Wire,
    /// The provider's own name of the model.
    pub(crate) model: String,
    pub(crate) transport: SharedTransport,
    pub(crate) asked: Asked,
    pub(crate) limits: ModelLimits,
    /// Shared with all models of the host.
    pub(crate) gate: Gate,
}

impl Model for RemoteModel {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, request: Request) -> ModelStream {
        let target = Target { model: &self.model, takes_images: self.info.takes_images };
        match self.wire.call(target, &request) {
            Ok(call) => self.clone().play(call),
            Err(fault) => Box::pin(futures_util::stream::iter([Err(fault)])),
        }
    }
}

impl RemoteModel {
    fn play(self, call: Call) -> ModelStream {
        Box::pin(async_stream::try_stream! {
            let mut tries = Tries::new(self.limits.attempts);
            let mut seen = Seen::default();
            'asked: loop {
                let mut place = None;
                let mut pass = loop {
                    let hold = match self.gate.enter(place) {
                        Ok(pass) => break pass,
                        Err(hold) => hold,
                    };
                    if let Some(event) = self.held(&tries, &mut seen, &hold)? {
                        yield event;
                    }
                    place = tries.wait(&hold, self.gate.changed(&hold)).await;
                };
                let made = tries.begin();
                let mut events = Box::pin(self.attempt().events(call.clone()));
                let mut ended = Err(Signal::NoFinish);
                while let Some(event) = events.next().await {
                    match event {
                        Ok(event @ ModelEvent::Finish(_)) => ended = Ok(event),
                        Ok(ModelEvent::Response(who)) => yield self.answering(who),
                        Ok(event) => yield seen.note(event, &mut pass),
                        Err(signal) => ended = Err(signal),
                    }
                }
                // The recording of an exchange is written when it is dropped.
                drop(events);
                if let Some(words) = self.transport.trouble() {
                    yield ModelEvent::Notice(words);
                }
                let signal = match ended {
                    Ok(finish) => {
                        pass.worked();
                        yield finish;
                        break 'asked;
                    }
                    Err(signal) => signal,
                };
                let fault = self.explain(&signal, made);
                pass.failed(&fault);
                match tries.after(fault, seen.has_output) {
                    Next::End(fault) => Err(fault)?,
                    Next::Wait(wait) => {
                        yield retrying(&self.explain(&signal, 1), wait, made);
                        tokio::time::sleep(wait).await;
                        seen.next_try();
                    }
                }
            }
        })
    }

    fn answering(&self, who: Responder) -> ModelEvent {
        let (asked, address) = (self.info.name.clone(), self.info.address.clone());
        ModelEvent::Response(Responder { asked, address, ..who })
    }

    /// What to show of a hold; a fault where it leaves no time for a try.
    fn held(
        &self,
        tries: &Tries,
        seen: &mut Seen,
        hold: &Hold,
    ) -> Result<Option<ModelEvent>, ModelFault> {
        if tries.allow(hold) {
            Ok(seen.waiting(hold))
        } else {
            Err(not_asked(&self.asked, hold.code(), hold.wait()))
        }
    }

    fn attempt(&self) -> Attempt {
        Attempt {
            transport: self.transport.clone(),
            wire: self.wire,
            first_byte: self.limits.first_byte(self.info.is_local),
            idle: self.limits.idle,
        }
    }

    fn explain(&self, signal: &Signal, tries: u32) -> ModelFault {
        let fault = explain(&self.asked, signal, tries);
        let message = masked(self.transport.as_ref(), fault.message);
        ModelFault { message, ..fault }
    }
}

/// What was passed on.
#[derive(Debug, Default)]
struct Seen {
    has_output: bool,
    /// Whether it was said that this try waits for its turn.
    is_waiting: bool,
    /// Counts of the tries that failed: they are paid for, too.
    spent: Usage,
    usage: Usage,
}

impl Seen {
    fn note(&mut self, event: ModelEvent, pass: &mut Pass) -> ModelEvent {
        self.has_output |= event.is_output();
        if self.has_output {
            pass.worked();
        }
        match event {
            ModelEvent::Usage(usage) => {
                self.usage = add(self.spent, usage);
                ModelEvent::Usage(self.usage)
            }
            ModelEvent::Text(_)
            | ModelEvent::Reasoning(_)
            | ModelEvent::State { .. }
            | ModelEvent::Notice(_)
            | ModelEvent::Response(_)
            | ModelEvent::Finish(_) => event,
        }
    }

    fn next_try(&mut self) {
        self.spent = self.usage;
        self.is_waiting = false;
    }

    /// What to show of a wait for one's turn; said once, and not of a moment.
    fn waiting(&mut self, hold: &Hold) -> Option<ModelEvent> {
        let is_moment = hold.wait().is_some_and(|wait| wait <= MOMENT);
        if is_moment || std::mem::replace(&mut self.is_waiting, true) {
            return None;
        }
        let detail = match (hold.code(), hold.wait()) {
            ("", _) => "as many requests as the host may have are under way".to_owned(),
            (code, Some(wait)) => {
                format!("the host failed (`{code}`); not before {:.0} s", wait.as_secs_f64().ceil())
            }
            (code, None) => format!("the host failed (`{code}`); another request finds out"),
        };
        Some(ModelEvent::State { state: "waiting".to_owned(), detail: Some(detail) })
    }
}

/// Sums what is known.
fn add(one: Usage, other: Usage) -> Usage {
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    };
    Usage {
        input_tokens: sum(one.input_tokens, other.input_tokens),
        cached_tokens: sum(one.cached_tokens, other.cached_tokens),
        output_tokens: sum(one.output_tokens, other.output_tokens),
    }
}

fn retrying(fault: &ModelFault, wait: Duration, made: u32) -> ModelEvent {
    ModelEvent::State {
        state: if fault.code == "loading" { "loading" } else { "retrying" }.to_owned(),
        detail: Some(format!(
            "try {} in {:.1} s: {}",
            made.saturating_add(1),
            wait.as_secs_f64(),
            fault.code
        )),
    }
}
