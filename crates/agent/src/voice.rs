//! What the reply says and thinks, as events of the wire.

use alloc::string::String;

use tagline_protocol::Event;

/// The stretch of words that is open. Blank text opens none, and blanks at its ends are not sent.
#[derive(Debug, Default)]
pub(crate) struct Voice {
    kind: Option<Kind>,
    /// Blanks that count only if more words follow.
    held: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Saying,
    Thinking,
}

impl Voice {
    /// More words to the user; the tone counts only where they begin.
    pub(crate) fn say(&mut self, text: &str, tone: Option<&str>, emit: &mut impl FnMut(Event)) {
        self.add(Kind::Saying, text, Event::SayStart { tone: tone.map(Into::into) }, emit);
    }

    /// More reasoning.
    pub(crate) fn think(&mut self, text: &str, emit: &mut impl FnMut(Event)) {
        self.add(Kind::Thinking, text, Event::ThinkStart, emit);
    }

    /// The stretch is over.
    pub(crate) fn end(&mut self, emit: &mut impl FnMut(Event)) {
        self.held.clear();
        match self.kind.take() {
            None => {}
            Some(Kind::Saying) => emit(Event::SayEnd),
            Some(Kind::Thinking) => emit(Event::ThinkEnd),
        }
    }

    fn add(&mut self, kind: Kind, text: &str, start: Event, emit: &mut impl FnMut(Event)) {
        if self.kind != Some(kind) {
            if text.trim().is_empty() {
                return;
            }
            self.end(emit);
            self.kind = Some(kind);
            emit(start);
            return self.append(kind, text.trim_start(), emit);
        }
        self.append(kind, text, emit);
    }

    fn append(&mut self, kind: Kind, text: &str, emit: &mut impl FnMut(Event)) {
        let mut delta = core::mem::take(&mut self.held);
        delta.push_str(text);
        self.held = delta.split_off(delta.trim_end().len());
        if delta.is_empty() {
            return;
        }
        emit(match kind {
            Kind::Saying => Event::SayDelta { delta },
            Kind::Thinking => Event::ThinkDelta { delta },
        });
    }
}
