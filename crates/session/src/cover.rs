//! Markers over the secrets of this process: in what is written down, shown and sent to a model.

use serde_json::Value;
use tagline_agent::StopReason;
use tagline_protocol::{CallId, Event};
use tagline_secret::{Redactor, Stream};

use crate::{
    Denial, TurnEnd,
    merge::{join, piece},
};

/// Covers the events of a turn, in order. What may be the beginning of a secret is held until more
/// of its text comes, or until that is over.
#[derive(Debug)]
pub(crate) struct Cover {
    redactor: Redactor,
    held: Vec<Held>,
}

/// A text of which pieces come.
#[derive(Debug)]
struct Held {
    call: Option<CallId>,
    /// A piece of it, without text.
    kind: Event,
    stream: Stream,
}

/// An event of a call, or of none.
type Placed = (Option<CallId>, Event);

impl Cover {
    pub(crate) const fn new(redactor: Redactor) -> Self {
        Self { redactor, held: Vec::new() }
    }

    /// What may be written down now: what was held before this event, then the event.
    pub(crate) fn take(&mut self, call: Option<CallId>, event: Event) -> Vec<Placed> {
        if self.redactor.is_empty() {
            return vec![(call, event)];
        }
        let mut placed = self.release(call.as_ref(), &event);
        match piece(&event) {
            Some(text) => {
                let text = text.to_owned();
                placed.extend(self.piece(call, event, &text));
            }
            None => placed.push((call, covered(&self.redactor, event))),
        }
        placed
    }

    /// The ends of the texts that this event ends: of its call, and of what belongs to no call.
    fn release(&mut self, call: Option<&CallId>, event: &Event) -> Vec<Placed> {
        let is_last = matches!(event, Event::RunFinished { .. } | Event::RunFailed { .. });
        let goes = |held: &Held| {
            let is_same = held.call.as_ref() == call && is_joined(&held.kind, event);
            !is_same && (is_last || held.call.is_none() || held.call.as_ref() == call)
        };
        let (gone, kept) = std::mem::take(&mut self.held).into_iter().partition(goes);
        self.held = kept;
        gone.into_iter().filter_map(Held::end).collect()
    }

    fn piece(&mut self, call: Option<CallId>, event: Event, text: &str) -> Option<Placed> {
        let at = self.held.iter().position(|it| it.call == call && is_joined(&it.kind, &event));
        let kind = with_text(&event, String::new());
        let mut held = match at {
            Some(at) => self.held.remove(at),
            None => Held { call: call.clone(), kind, stream: self.redactor.stream() },
        };
        let shown = held.stream.feed(text);
        if held.stream.is_holding() {
            self.held.push(held);
        }
        (!shown.is_empty()).then(|| (call, with_text(&event, shown)))
    }
}

impl Held {
    fn end(mut self) -> Option<Placed> {
        let text = self.stream.finish();
        (!text.is_empty()).then(|| (self.call, with_text(&self.kind, text)))
    }
}

fn is_joined(kind: &Event, event: &Event) -> bool {
    join(&mut kind.clone(), event)
}

/// The piece with another text.
fn with_text(event: &Event, text: String) -> Event {
    let mut event = event.clone();
    if let Event::SayDelta { delta }
    | Event::ThinkDelta { delta }
    | Event::ToolBody { delta, .. }
    | Event::ToolOutput { delta, .. } = &mut event
    {
        *delta = text;
    }
    event
}

/// The event with markers over secrets. Its type, numbers and switches stay.
pub(crate) fn covered(redactor: &Redactor, event: Event) -> Event {
    let is_clean = serde_json::to_string(&event).is_ok_and(|text| !redactor.finds(&text));
    if is_clean {
        return event;
    }
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&event) else { return event };
    let kind = fields.shift_remove("type");
    let mut value = Value::Object(fields);
    redactor.json(&mut value);
    if let (Value::Object(fields), Some(kind)) = (&mut value, kind) {
        fields.insert("type".to_owned(), kind);
    }
    // Where a word of the protocol is itself a secret, the word stays: it tells nothing.
    serde_json::from_value(value).unwrap_or(event)
}

/// The end of a turn with markers over secrets.
pub(crate) fn covered_end(redactor: &Redactor, end: TurnEnd) -> TurnEnd {
    let text = |text: String| redactor.text(&text).into_owned();
    let stop = match end.stop {
        StopReason::Completed(answer) => StopReason::Completed(text(answer)),
        StopReason::NeedsHuman(question) => StopReason::NeedsHuman(text(question)),
        StopReason::Limit { reason, message } => {
            StopReason::Limit { reason, message: text(message) }
        }
        StopReason::Protocol(message) => StopReason::Protocol(text(message)),
        StopReason::BadAnswer(message) => StopReason::BadAnswer(text(message)),
        StopReason::ModelFailed { code, message } => {
            StopReason::ModelFailed { code, message: text(message) }
        }
        StopReason::Cancelled => StopReason::Cancelled,
    };
    let denials = end.denials.into_iter();
    let denials = denials.map(|denial| Denial { why: text(denial.why), ..denial }).collect();
    TurnEnd { stop, denials }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use tagline_protocol::Stream as From;
    use tagline_secret::Secret;

    use super::*;

    fn redactor() -> Redactor {
        let redactor = Redactor::default();
        redactor.learn("KEY", &Secret::from("sk-01234"));
        redactor
    }

    fn out(call: &str, text: &str) -> Placed {
        let event = Event::ToolOutput { stream: From::Stdout, delta: text.to_owned() };
        (Some(CallId(call.to_owned())), event)
    }

    fn say(text: &str) -> Placed {
        (None, Event::SayDelta { delta: text.to_owned() })
    }

    fn cancelled(call: &str) -> Placed {
        (Some(CallId(call.to_owned())), Event::ToolCancelled { reason: "sk-01234".to_owned() })
    }

    #[track_caller]
    fn check(events: Vec<Placed>, expected: Expect) {
        let mut cover = Cover::new(redactor());
        let lines = events.into_iter().flat_map(|(call, event)| cover.take(call, event)).map(
            |(call, event)| {
                let json = serde_json::to_string(&event).unwrap();
                format!("{} {json}\n", call.map_or("-".to_owned(), |call| call.to_string()))
            },
        );
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn a_secret_in_pieces_is_covered() {
        check(
            vec![say("it is sk-0"), say("12"), say("34."), (None, Event::SayEnd)],
            expect![[r#"
            - {"type":"say.delta","delta":"it is "}
            - {"type":"say.delta","delta":"[secret KEY]."}
            - {"type":"say.end"}
        "#]],
        );
    }

    #[test]
    fn what_is_held_comes_before_what_follows() {
        check(
            vec![say("it is sk-0"), (None, Event::SayEnd), say("1234")],
            expect![[r#"
            - {"type":"say.delta","delta":"it is "}
            - {"type":"say.delta","delta":"sk-0"}
            - {"type":"say.end"}
            - {"type":"say.delta","delta":"1234"}
        "#]],
        );
    }

    #[test]
    fn outputs_of_two_calls_side_by_side_are_two_texts() {
        let events = vec![
            out("a", "sk-"),
            out("b", "<sk-01"),
            out("a", "01234>"),
            out("b", "23"),
            cancelled("b"),
            out("b", "4"),
        ];
        check(
            events,
            expect![[r#"
            b {"type":"tool.output","stream":"stdout","delta":"<"}
            a {"type":"tool.output","stream":"stdout","delta":"[secret KEY]>"}
            b {"type":"tool.output","stream":"stdout","delta":"sk-0123"}
            b {"type":"tool.cancelled","reason":"[secret KEY]"}
            b {"type":"tool.output","stream":"stdout","delta":"4"}
        "#]],
        );
    }

    #[test]
    fn a_turn_that_ends_lets_go_of_everything() {
        let failed = Event::RunFailed { reason: "x".to_owned(), message: "sk-01234".to_owned() };
        check(
            vec![out("a", "sk-"), say("s"), (None, failed)],
            expect![[r#"
            a {"type":"tool.output","stream":"stdout","delta":"sk-"}
            - {"type":"say.delta","delta":"s"}
            - {"type":"run.failed","reason":"x","message":"[secret KEY]"}
        "#]],
        );
    }

    #[test]
    fn an_end_is_covered() {
        let denial = Denial {
            tool: "t".to_owned(),
            refusal: tagline_executor::Refusal::User,
            why: "no sk-01234".to_owned(),
        };
        let stop = StopReason::Completed("sk-01234".to_owned());
        let end = covered_end(&redactor(), TurnEnd { stop, denials: vec![denial] });
        expect![[r#"TurnEnd { stop: Completed("[secret KEY]"), denials: [Denial { tool: "t", refusal: User, why: "no [secret KEY]" }] }"#]].assert_eq(&format!("{end:?}"));
    }
}
