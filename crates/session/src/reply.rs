//! From what a model sends to what the machine is told.

use tagline_agent::Input;
use tagline_model::{FinishReason, ModelEvent, ModelFault};
use tagline_parser::Finish;
use tagline_protocol::Event;

use crate::pump::Happened;

/// One item of a model's stream; `None` is its end.
pub(crate) type Item = Option<Result<ModelEvent, ModelFault>>;

/// Reads one item. `is_fresh` says that nothing of the reply came yet.
pub(crate) fn read(item: Item, is_fresh: &mut bool) -> Happened {
    match item {
        Some(Ok(event)) => read_event(event, is_fresh),
        Some(Err(fault)) if *is_fresh => {
            Happened::Input(Input::ReplyFailed { code: fault.code, message: fault.message })
        }
        // The stream is over behind a fault, so the next item is its end.
        Some(Err(fault)) => {
            Happened::Shown(Event::Notice { level: "warning".to_owned(), message: fault.message })
        }
        // Text that was shown stays; the machine decides how to go on.
        None => Happened::Input(Input::ReplyEnd(Finish::Cut)),
    }
}

fn read_event(event: ModelEvent, is_fresh: &mut bool) -> Happened {
    match event {
        ModelEvent::Text(text) => {
            *is_fresh = false;
            Happened::Input(Input::Delta(text))
        }
        ModelEvent::Reasoning(text) => {
            *is_fresh = false;
            Happened::Input(Input::Reasoning(text))
        }
        ModelEvent::State { state, detail } => Happened::Shown(Event::ModelState { state, detail }),
        ModelEvent::Notice(message) => {
            Happened::Shown(Event::Notice { level: "warning".to_owned(), message })
        }
        ModelEvent::Response(who) => Happened::Answering(who),
        ModelEvent::Usage(usage) => Happened::Input(Input::Usage(usage)),
        ModelEvent::Finish(reason) => Happened::Input(finish(reason)),
    }
}

fn finish(reason: FinishReason) -> Input {
    match reason {
        FinishReason::Stop => Input::ReplyEnd(Finish::Stop),
        FinishReason::Length => Input::ReplyEnd(Finish::Length),
        FinishReason::Refused(word) => Input::ReplyFailed {
            code: "refused".to_owned(),
            message: format!("the provider refused to answer (`{word}`); ask in other words"),
        },
    }
}
