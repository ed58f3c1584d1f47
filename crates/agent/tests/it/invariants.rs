//! What always holds, over inputs of every kind in every order.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*};
use tagline_agent::{AtLimit, Input, Policy, TurnConfig, transcript_from};
use tagline_parser::Finish;
use tagline_protocol::{
    BudgetAnswer, CallId, Event, Frame, Message, Role, ToolFailure, ToolOutput, Usage,
};

use crate::play::{Player, config};

/// What models write, also in pieces.
const PIECES: &[&str] = &[
    "<read_file path=\"a\"/>\n",
    "<read_file path=\"b\"/>\n",
    "<write_file path=\"a\"><![CDATA[",
    "text\n",
    "]]></write_file>\n",
    "<write_file path=\"c\">x</write_file>\n",
    "<execute_command>ls</execute_command>\n",
    "<read_fi",
    "le path='é'/>",
    "<read_fil path=\"a\"/>\n",
    "<read_file/>\n",
    "<say tone=\"warm\">hi ",
    "</say>\n",
    "<thinking>hm",
    "</thinking>\n",
    "<tool_result>ok</tool_result>\n",
    "`<read_file path=\"q\"/>`",
    "<update_plan><step>one</step></update_plan>\n",
    "<attempt_completion><result>done</result></attempt_completion>\n",
    "<wait_for_human_input>which?</wait_for_human_input>\n",
    "Some prose. ",
    "\n",
    "</write_file>\n",
];

fn delta() -> impl Strategy<Value = Input> {
    prop::sample::select(PIECES).prop_map(|piece| Input::Delta(piece.to_owned()))
}

pub(crate) fn input() -> impl Strategy<Value = Input> {
    let id = (1_usize..9).prop_map(|n| CallId(format!("c{n}")));
    let ok = id.clone().prop_map(|id| {
        let output = ToolOutput::new(format!("echo of {id}."), serde_json::Value::Null);
        Input::Result(id, Ok(output))
    });
    let failed = (id, Just("it broke"))
        .prop_map(|(id, why)| Input::PollResult(id, Err(ToolFailure::Failed(why.to_owned()))));
    prop_oneof![
        12 => delta(),
        1 => Just(Input::Reasoning("hm".to_owned())),
        1 => Just(Input::Usage(Usage::default())),
        3 => Just(Input::ReplyEnd(Finish::Stop)),
        1 => Just(Input::ReplyEnd(Finish::Length)),
        1 => Just(Input::ReplyEnd(Finish::Cut)),
        6 => ok,
        1 => failed,
        1 => Just(Input::Steer("and this".into())),
        1 => Just(Input::TimeIsUp { limit_s: 60 }),
        2 => prop::sample::select(vec![BudgetAnswer::Add, BudgetAnswer::Finish, BudgetAnswer::Stop])
            .prop_map(Input::Budget),
        1 => Just(Input::Cancel),
        1 => Just(Input::Checked(Ok("{}".to_owned()))),
        1 => Just(Input::Checked(Err("no JSON".to_owned()))),
        1 => Just(Input::ReplyFailed { code: "too_long".to_owned(), message: "4k".to_owned() }),
        1 => Just(Input::ReplyFailed { code: "auth".to_owned(), message: "no key".to_owned() }),
    ]
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        3 => Just(Policy::Free),
        1 => Just(Policy::Guided { requires_thinking: false }),
        1 => Just(Policy::Guided { requires_thinking: true }),
    ]
}

pub(crate) fn configs() -> impl Strategy<Value = TurnConfig> {
    let window = prop::sample::select(vec![None, None, Some(150), Some(400)]);
    let parts = (policy(), any::<bool>(), any::<bool>(), window);
    parts.prop_map(|(policy, checks_answer, asks, window)| {
        let mut config = TurnConfig { checks_answer, ..config(policy) };
        if asks {
            (config.limits.passes, config.limits.calls) = (2, 2);
            config.limits.at_limit = AtLimit::Ask;
        }
        config.window.tokens = window;
        config
    })
}

/// A turn that took these inputs and then a cancel.
pub(crate) fn played(config: TurnConfig, inputs: Vec<Input>) -> Player {
    let mut player = Player::new(config);
    player.step("user", "go");
    for input in inputs {
        player.feed(input);
    }
    player.feed(Input::Cancel);
    player.feed(Input::Cancel);
    player
}

pub(crate) fn assert_valid(messages: &[Message]) {
    for (n, message) in messages.iter().enumerate() {
        let expected = if n % 2 == 0 { Role::User } else { Role::Assistant };
        assert_eq!(message.role, expected, "user and assistant take turns: {messages:?}");
        assert!(!message.text.trim().is_empty(), "no message is empty: {messages:?}");
    }
}

fn is_terminal(frame: &&Frame) -> bool {
    matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. })
}

/// The number of the call that a result ends, if the call runs, and whether it worked.
fn ends(player: &Player, input: &Input) -> Option<(u32, bool)> {
    let (Input::Result(id, outcome) | Input::PollResult(id, outcome)) = input else { return None };
    let is_running =
        |it: &Frame| it.call.as_ref() == Some(id) && matches!(it.event, Event::ToolRunning { .. });
    let is_wanted = player.n_stops == 0 && player.frames.iter().any(is_running);
    is_wanted.then(|| (id.0.trim_start_matches('c').parse().unwrap(), outcome.is_ok()))
}

/// The calls of whose echo a text speaks, in the order of the text.
fn told(text: &str) -> Vec<u32> {
    let told = text.split("echo of c").skip(1);
    told.map(|rest| rest.split('.').next().unwrap().parse().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Invariants 1 and 2; the player holds 2's "nothing after it" and that replay equals live.
    #[test]
    fn any_inputs_give_one_end(config in configs(), inputs in vec(input(), 0..40)) {
        let player = played(config, inputs);
        prop_assert_eq!(player.n_stops, 1);
        prop_assert_eq!(player.frames.iter().filter(is_terminal).count(), 1);
        prop_assert!(is_terminal(&player.frames.last().unwrap()));
    }

    /// What the user says meanwhile is on record once, whatever else happens.
    #[test]
    fn nothing_the_user_says_meanwhile_is_lost(config in configs(), inputs in vec(input(), 0..40)) {
        let mut player = Player::new(config);
        player.step("user", "go");
        let mut said = 0;
        for input in inputs {
            let is_heard = matches!(input, Input::Steer(_)) && player.n_stops == 0;
            said += usize::from(is_heard);
            player.feed(input);
        }
        player.feed(Input::Cancel);
        let heard = player.frames.iter().filter(|it| matches!(&it.event, Event::UserMessage { .. }));
        prop_assert_eq!(heard.count(), 1 + said);
        let messages = transcript_from(&player.frames);
        let read = messages.iter().map(|message| message.text.matches("and this").count());
        prop_assert_eq!(read.sum::<usize>(), said, "word for word, also where room was made");
    }

    /// Invariant 3: what ended is told once, in order, before the turn ends.
    #[test]
    fn results_are_complete_and_ordered(policy in policy(), inputs in vec(input(), 0..40)) {
        let mut player = Player::new(config(policy));
        player.step("user", "go");
        let mut ended = BTreeMap::new();
        for input in inputs {
            if let Some((n, has_worked)) = ends(&player, &input) {
                ended.entry(n).or_insert(has_worked);
            }
            player.feed(input);
        }
        player.feed(Input::Cancel);
        let worked: Vec<u32> = ended.into_iter().filter(|it| it.1).map(|it| it.0).collect();
        let told: Vec<u32> = player.frames.iter().flat_map(|frame| match &frame.event {
            Event::ResultsMessage { text, .. } => told(text),
            _ => Vec::new(),
        }).collect();
        prop_assert_eq!(told, worked);
    }

    /// Invariant 4, on every prefix, also of logs that lost events.
    #[test]
    fn every_prefix_of_a_log_gives_a_valid_transcript(
        config in configs(),
        inputs in vec(input(), 0..30),
        lost in vec(any::<bool>(), 0..60),
    ) {
        let player = played(config, inputs);
        for end in 0..=player.frames.len() {
            assert_valid(&transcript_from(player.frames.iter().take(end)));
        }
        let kept = player.frames.iter().enumerate();
        let kept = kept.filter(|(n, _)| !lost.get(*n).copied().unwrap_or_default());
        let kept: Vec<&Frame> = kept.map(|(_, frame)| frame).collect();
        for end in 0..=kept.len() {
            assert_valid(&transcript_from(kept.iter().copied().take(end)));
        }
    }

    /// Invariant 6: at most once, and never before it is on record.
    #[test]
    fn a_call_is_on_record_before_it_runs(config in configs(), inputs in vec(input(), 0..40)) {
        let player = played(config, inputs);
        let mut ready = Vec::new();
        for frame in &player.frames {
            match &frame.event {
                Event::ToolReady { .. } => ready.push(frame.call.clone()),
                Event::ToolRunning { .. } => {
                    let at = ready.iter().position(|call| *call == frame.call);
                    prop_assert!(at.is_some(), "ran without or twice: {:?}", frame.call);
                    ready.remove(at.unwrap());
                }
                _ => {}
            }
        }
    }

    /// How a reply is cut into chunks changes neither what runs nor what the model reads next.
    #[test]
    fn chunking_changes_nothing(
        policy in policy(),
        pieces in vec(prop::sample::select(PIECES), 0..16),
        sizes in vec(1_usize..9, 1..12),
    ) {
        let reply = pieces.concat();
        let whole = answered(policy, std::slice::from_ref(&reply));
        let mut chars = reply.chars();
        let mut chunks: Vec<String> = Vec::new();
        for size in sizes.iter().cycle() {
            let chunk: String = chars.by_ref().take(*size).collect();
            if chunk.is_empty() {
                break;
            }
            chunks.push(chunk);
        }
        prop_assert_eq!(answered(policy, &chunks), whole, "{}", reply);
    }
}

/// What ran, and what the model reads next, after a reply of these chunks whose calls all worked.
fn answered(policy: Policy, chunks: &[String]) -> (Vec<String>, Vec<Message>) {
    let mut player = Player::new(config(policy));
    player.step("user", "go");
    let inputs = chunks.iter().cloned().map(Input::Delta);
    for input in inputs.chain([Input::ReplyEnd(Finish::Stop)]) {
        // A stopped reply brings nothing more.
        if !player.frames.iter().any(|it| matches!(it.event, Event::PassFinished { .. })) {
            player.feed(input);
        }
    }
    for n in 1..60 {
        let output = ToolOutput::new(format!("echo of c{n}."), serde_json::Value::Null);
        player.feed(Input::Result(CallId(format!("c{n}")), Ok(output)));
    }
    let runs = player.log.lines().filter(|line| line.trim_start().starts_with("run "));
    (runs.map(ToOwned::to_owned).collect(), transcript_from(&player.frames))
}
