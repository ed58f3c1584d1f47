//! Joins streamed pieces that stand next to each other, so that a burst costs one record.

use tagline_protocol::Event;
use tagline_store::NewEvent;

/// Appends `next`, or lets it flow into the last of `events` where both are pieces of one text.
pub(crate) fn push(events: &mut Vec<NewEvent>, next: NewEvent) {
    let joined = events
        .last_mut()
        .is_some_and(|last| last.call == next.call && join(&mut last.event, &next.event));
    if !joined {
        events.push(next);
    }
}

/// Lets `next` flow into `last` where both are pieces of one text.
pub(crate) fn join(last: &mut Event, next: &Event) -> bool {
    match (last, next) {
        (Event::SayDelta { delta }, Event::SayDelta { delta: more })
        | (Event::ThinkDelta { delta }, Event::ThinkDelta { delta: more }) => {
            delta.push_str(more);
            true
        }
        (Event::ToolBody { child, delta }, Event::ToolBody { child: other, delta: more })
            if child == other =>
        {
            delta.push_str(more);
            true
        }
        (Event::ToolOutput { stream, delta }, Event::ToolOutput { stream: other, delta: more })
            if stream == other =>
        {
            delta.push_str(more);
            true
        }
        _ => false,
    }
}

/// The text of a piece that others may flow into.
pub(crate) fn piece(event: &Event) -> Option<&str> {
    if let Event::SayDelta { delta }
    | Event::ThinkDelta { delta }
    | Event::ToolBody { delta, .. }
    | Event::ToolOutput { delta, .. } = event
    {
        return Some(delta);
    }
    None
}
