//! Histories of logs that were cut, lost records, or hold what no turn wrote.

use expect_test::{Expect, expect};
use proptest::{collection::vec, prelude::*};
use tagline_agent::transcript_from;
use tagline_protocol::{CallId, Effect, Event, Frame, Message, Role};

use crate::{
    invariants::{assert_valid, configs, input, played},
    play::Player,
};

/// What may happen to a record.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Lost,
    Doubled,
    /// It changed places with the next.
    Swapped,
    /// Its text is cut in the middle.
    Torn,
    /// Its text is blank.
    Blank,
    /// It names another call.
    Strayed,
}

fn damages() -> impl Strategy<Value = Vec<(usize, Damage)>> {
    let damage = prop::sample::select(vec![
        Damage::Lost,
        Damage::Doubled,
        Damage::Swapped,
        Damage::Torn,
        Damage::Blank,
        Damage::Strayed,
    ]);
    vec((0_usize..80, damage), 0..12)
}

fn damaged(mut frames: Vec<Frame>, damages: &[(usize, Damage)]) -> Vec<Frame> {
    for (at, damage) in damages {
        let n = frames.len();
        let Some(frame) = frames.get_mut(*at) else { continue };
        match damage {
            Damage::Lost => drop(frames.remove(*at)),
            Damage::Doubled => {
                let twin = frame.clone();
                frames.insert(*at, twin);
            }
            Damage::Swapped if at + 1 < n => frames.swap(*at, at + 1),
            Damage::Swapped => {}
            Damage::Torn => change(&mut frame.event, |text| {
                let half = text.floor_char_boundary(text.len() / 2);
                text.truncate(half);
            }),
            Damage::Blank => change(&mut frame.event, |text| *text = " \n".to_owned()),
            Damage::Strayed => frame.call = Some(CallId("c99".to_owned())),
        }
    }
    frames
}

fn change(event: &mut Event, change: impl Fn(&mut String)) {
    match event {
        Event::UserMessage { text, .. }
        | Event::AssistantMessage { text }
        | Event::ResultsMessage { text, .. }
        | Event::SayDelta { delta: text }
        | Event::ToolDone { echo: text, .. }
        | Event::ToolOpening { tool: text }
        | Event::ToolReady { tool: text, .. }
        | Event::ToolRejected { message: text, .. } => change(text),
        Event::ContextCompacted { kept, .. } => *kept = 1_000_000 - *kept,
        _ => {}
    }
}

fn asks_for_a_reply(messages: &[Message]) -> bool {
    messages.last().is_none_or(|last| last.role == Role::User)
}

/// Calls that may have taken effect and whose end is not in the log, unless the model was told.
fn n_unknown(frames: &[Frame]) -> usize {
    let told = frames.iter().rposition(|it| matches!(it.event, Event::ResultsMessage { .. }));
    let open = frames.get(told.map_or(0, |at| at + 1)..).unwrap_or_default();
    let ends = |frame: &Frame, of: &Frame| {
        frame.call == of.call
            && matches!(
                frame.event,
                Event::ToolDone { .. } | Event::ToolFailed { .. } | Event::ToolCancelled { .. }
            )
    };
    let is_open = |frame: &&Frame| match &frame.event {
        Event::ToolRunning { effect: Effect::Write | Effect::Exec, .. } => {
            !open.iter().any(|it| ends(it, frame))
        }
        _ => false,
    };
    open.iter().filter(is_open).count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any damage anywhere, and any cut behind it.
    #[test]
    fn damage_gives_valid_histories(
        config in configs(),
        inputs in vec(input(), 0..40),
        damages in damages(),
    ) {
        let frames = damaged(played(config, inputs).frames, &damages);
        for end in 0..=frames.len() {
            let messages = transcript_from(frames.iter().take(end));
            assert_valid(&messages);
            let first = messages.first().map(|first| first.text.as_str()).unwrap_or_default();
            prop_assert!(!first.starts_with("<tool_result"), "{first}");
        }
    }

    /// What nobody knows is told, wherever the log is cut.
    #[test]
    fn every_cut_tells_of_unknown_outcomes(config in configs(), inputs in vec(input(), 0..40)) {
        let player = played(config, inputs);
        for end in 0..=player.frames.len() {
            let frames = &player.frames[..end];
            let messages = transcript_from(frames);
            let last = messages.last().map(|last| last.text.as_str()).unwrap_or_default();
            prop_assert!(last.matches("outcome unknown").count() >= n_unknown(frames), "{last}");
        }
    }

    /// A turn that goes on behind any damage asks with what it has; the player holds that a replay
    /// of it is the same.
    #[test]
    fn a_turn_goes_on_behind_any_damage(
        config in configs(),
        inputs in vec(input(), 0..20),
        damages in damages(),
        cut in 0_usize..60,
        more in vec(input(), 0..20),
    ) {
        let mut player = Player::new(config.clone());
        player.frames = damaged(played(config, inputs).frames, &damages);
        player.frames.truncate(cut);
        player.step("resume", "");
        for input in more {
            player.feed(input);
        }
        prop_assert!(player.asked.is_empty() || asks_for_a_reply(&player.asked));
    }
}

fn told(events: Vec<(Option<&str>, Event)>) -> String {
    let mut player = Player::new(crate::play::config(tagline_agent::Policy::Free));
    for (call, event) in events {
        player.record(call.map(|id| CallId(id.to_owned())), event);
    }
    let messages = transcript_from(&player.frames);
    messages.iter().map(|it| format!("{:?}: {}\n", it.role, it.text)).collect()
}

#[track_caller]
fn check(events: Vec<(Option<&str>, Event)>, expected: Expect) {
    expected.assert_eq(&told(events));
}

fn results(text: &str) -> Event {
    Event::ResultsMessage { text: text.to_owned(), media: Vec::new() }
}

fn reply(text: &str) -> Event {
    Event::AssistantMessage { text: text.to_owned() }
}

#[test]
fn a_history_never_starts_with_results_and_says_what_is_missing() {
    check(
        vec![(None, results("<tool_result>\n1\n</tool_result>"))],
        expect![[r#"
        User: [the start of this conversation is not recorded]

        <tool_result>
        1
        </tool_result>
    "#]],
    );
    let twice = [Event::PassStarted, reply("a"), Event::PassFinished { finish: "stop".to_owned() }];
    let events = twice.iter().chain(&twice).cloned().map(|event| (None, event)).collect();
    check(
        events,
        expect![[r#"
        User: [the start of this conversation is not recorded]
        Assistant: a
        User: [what came next is not recorded]
        Assistant: a
    "#]],
    );
}

#[test]
fn a_call_that_waited_for_the_user_is_told_as_such() {
    let call = Some("c1");
    let ready = Event::ToolReady {
        tool: "execute_command".to_owned(),
        arguments: serde_json::json!({ "command": "make" }),
        effect: Effect::Exec,
    };
    let asked = Event::ApprovalAsked {
        hash: String::new(),
        why: String::new(),
        shown: String::new(),
        facts: Vec::new(),
        scopes: Vec::new(),
    };
    let events = vec![
        (None, Event::UserMessage { text: "build it".to_owned(), media: Vec::new() }),
        (None, Event::PassStarted),
        (None, reply("<execute_command>make</execute_command>")),
        (call, ready),
        (call, asked),
    ];
    check(
        events,
        expect![[r#"
        User: build it
        Assistant: <execute_command>make</execute_command>
        [interrupted]
        User: <tool_results>
        <tool_result tool_name="execute_command" call="1" status="not_run">
        Error: not run because the turn was interrupted while the user was asked whether it may run
        </tool_result>
        </tool_results>
    "#]],
    );
}
