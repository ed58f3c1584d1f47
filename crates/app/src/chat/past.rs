//! What a conversation that goes on shows of its past: its last exchanges, on one screen.

use tagline_protocol::{Event, Frame};

use crate::{
    screen::{Cards, Printer, count},
    terminal::Style,
};

/// Lines that are left to what comes next.
const ROOM: usize = 6;
/// Fewest lines of the past, however small the screen is.
const LEAST: usize = 8;

/// The last exchanges as lines, no more than fit on a screen of so many rows.
pub(super) fn lines(frames: &[Frame], cards: &Cards, style: Style, rows: usize) -> Vec<String> {
    let room = rows.saturating_sub(ROOM).max(LEAST);
    let turns = turns(frames);
    let mut shown: Vec<String> = Vec::new();
    let mut n_shown = 0;
    for turn in turns.iter().rev() {
        let lines = turn_lines(turn, cards, style, room);
        if n_shown > 0 && shown.len() + lines.len() >= room {
            break;
        }
        shown.splice(0..0, lines);
        n_shown += 1;
    }
    let n_earlier = turns.len() - n_shown;
    if n_earlier > 0 {
        let turns = count(n_earlier as u64, "earlier turn", "earlier turns");
        let id = frames.first().map_or("", |frame| frame.session.as_str());
        shown.insert(0, format!("  ({turns}; `tagline replay {id}` shows all)"));
    }
    if !turns.last().is_none_or(|turn| is_over(turn)) {
        shown.push("the last turn was interrupted; /continue goes on with it".to_owned());
    }
    shown
}

/// The frames of each turn.
fn turns(frames: &[Frame]) -> Vec<&[Frame]> {
    let starts = |_: &Frame, next: &Frame| !matches!(next.event, Event::RunStarted { .. });
    frames.chunk_by(starts).collect()
}

fn is_over(turn: &[Frame]) -> bool {
    let last = turn.iter().rev().find(|frame| !matches!(frame.event, Event::SessionTitle { .. }));
    last.is_some_and(|frame| {
        matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. })
    })
}

/// One turn; of a long one its beginning and its end.
fn turn_lines(turn: &[Frame], cards: &Cards, style: Style, room: usize) -> Vec<String> {
    let mut printer = Printer::new(style, 0).with_cards(cards.clone()).with_past();
    let mut lines: Vec<String> = turn.iter().flat_map(|frame| printer.frame(frame)).collect();
    lines.extend(printer.pending());
    if lines.len() > room {
        let begin = room / 4;
        let end = lines.len() - (room - begin - 1);
        let left_out = count((end - begin) as u64, "line", "lines");
        let mark = if style.ascii { "..." } else { "…" };
        lines.splice(begin..end, [format!("            {mark} {left_out} {mark}")]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::*;

    fn turn(user: &str, events: Vec<Value>) -> Vec<Value> {
        let mut all = vec![
            json!({"type": "run.started", "model": "m", "mode": "ask", "policy": "free"}),
            json!({"type": "message.user", "text": user}),
            json!({"type": "pass.started"}),
        ];
        all.extend(events);
        all
    }

    fn said(words: &str) -> Vec<Value> {
        vec![
            json!({"type": "say.start"}),
            json!({"type": "say.delta", "delta": words}),
            json!({"type": "say.end"}),
            json!({"type": "run.finished", "outcome": "done", "reason": "completed", "result": words}),
        ]
    }

    #[track_caller]
    fn check(turns: &[Vec<Value>], rows: usize, expected: Expect) {
        let place = |(n, event): (usize, &Value)| {
            let mut frame =
                json!({"v": 1, "seq": n + 1, "session": "7f3c", "ts": "2026-11-27T10:00:00.000Z"});
            frame.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
            serde_json::from_value(frame).unwrap()
        };
        let frames: Vec<Frame> = turns.iter().flatten().enumerate().map(place).collect();
        let lines = lines(&frames, &Cards::default(), Style::PLAIN, rows);
        let shown: String = lines.iter().map(|line| format!("|{line}\n")).collect();
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_last_turns_that_fit_are_shown_without_heads_and_sums() {
        let call = vec![
            json!({"type": "think.start"}),
            json!({"type": "think.delta", "delta": "first the folder"}),
            json!({"type": "think.end"}),
            json!({"type": "tool.ready", "tool": "list", "arguments": {"path": "."}, "effect": "read", "call": "1"}),
            json!({"type": "tool.done", "event": "list", "payload": {"lines": 2}, "llmEcho": "", "ms": 1, "call": "1"}),
            json!({"type": "run.finished", "outcome": "done", "reason": "completed", "result": "Two files."}),
        ];
        let turns = [turn("one", said("One.")), turn("two", said("Two.")), turn("files", call)];
        check(
            &turns,
            24,
            expect![[r#"
            |  you       one
            |  say       One.
            |  you       two
            |  say       Two.
            |  you       files
            |  list      .                                            2 lines            1 ms
            |Two files.
        "#]],
        );
        check(
            &[turns.clone(), turns].concat(),
            12,
            expect![[r#"
            |  (3 earlier turns; `tagline replay 7f3c` shows all)
            |  you       one
            |  say       One.
            |  you       two
            |  say       Two.
            |  you       files
            |  list      .                                            2 lines            1 ms
            |Two files.
        "#]],
        );
        check(&[], 24, expect![[""]]);
    }

    #[test]
    fn a_turn_that_is_longer_than_the_screen_is_shown_by_its_ends() {
        let words: String = (1..=40).map(|n| format!("line {n}\n")).collect();
        check(
            &[turn("one", said("One.")), turn("count", said(&words))],
            18,
            expect![[r#"
            |  (1 earlier turn; `tagline replay 7f3c` shows all)
            |  you       count
            |  say       line 1
            |            line 2
            |            … 30 lines …
            |            line 33
            |            line 34
            |            line 35
            |            line 36
            |            line 37
            |            line 38
            |            line 39
            |            line 40
        "#]],
        );
    }

    #[test]
    fn a_turn_that_was_interrupted_says_so() {
        let begun =
            vec![json!({"type": "say.start"}), json!({"type": "say.delta", "delta": "I be"})];
        check(
            &[turn("go", begun)],
            24,
            expect![[r#"
            |  you       go
            |  say       I be
            |the last turn was interrupted; /continue goes on with it
        "#]],
        );
    }
}
