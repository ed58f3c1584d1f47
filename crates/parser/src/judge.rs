//! What a part of the reply holds, read on trial.

use crate::sink::{EventRef, Sink};

/// Judges the events of a part of the reply.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    pub(crate) n_calls: usize,
    /// A call began.
    pub(crate) is_begun: bool,
    pub(crate) has_thinking: bool,
    /// Something stands there beside calls, reasoning and markup, or a call is not whole.
    pub(crate) is_unclean: bool,
}

impl Judge {
    /// Whether nothing but whole calls and reasoning was seen.
    pub(crate) const fn holds_only_calls(&self) -> bool {
        self.n_calls > 0 && !self.is_unclean
    }
}

impl Sink for Judge {
    fn take(&mut self, event: EventRef<'_>) {
        match event {
            EventRef::Text(text, _) => self.is_unclean |= !text.trim().is_empty(),
            EventRef::End(block) => {
                self.n_calls += 1;
                self.is_unclean |= block.is_partial;
            }
            EventRef::Abort(_) | EventRef::Fault(_) => self.is_unclean = true,
            EventRef::Thinking(..) => self.has_thinking = true,
            EventRef::Start { .. } => self.is_begun = true,
            EventRef::Attribute { .. }
            | EventRef::Delta { .. }
            | EventRef::Dropped(_)
            | EventRef::Relabel(_) => {}
        }
    }
}
