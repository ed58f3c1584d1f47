//! Any log, whole, cut anywhere or damaged, gives a request that every provider takes.

mod damage;
mod recorded;

use fastrand::Rng;
use tagline_agent::{Output, Policy, Transcript, Turn, TurnConfig, TurnLimits, Window};
use tagline_fake_provider::{ADAPTERS, Adapter, check_body};
use tagline_model::{Request, request_body};
use tagline_protocol::{Event, Frame, Message, Toolset};

use damage::damaged;
use recorded::record;

/// Logs of the test command; `cargo xtask histories --logs N` makes more.
const LOGS: u64 = 10;

/// Damaged forms of each log.
const DAMAGED: u64 = 100;

#[expect(clippy::disallowed_methods, reason = "whoever runs the test says how often")]
fn n_logs() -> u64 {
    let asked = std::env::var_os("TAGLINE_TEST_LOGS");
    asked.map_or(LOGS, |logs| logs.to_str().unwrap().parse().unwrap())
}

fn config(frames: &[Frame], policy: Policy, window: Window) -> TurnConfig {
    TurnConfig {
        tools: Toolset::new([]),
        policy,
        limits: TurnLimits::default(),
        window,
        system: "You are a test.".to_owned(),
        history: Transcript::of(frames),
        checks_answer: false,
        may_begin_in_thinking: false,
        call_prefix: "t9.".to_owned(),
    }
}

/// What the model is asked with first; `None` where even the smallest request is too long for it.
fn asked(mut turn: Turn) -> Option<Vec<Message>> {
    loop {
        match turn.poll_output() {
            Output::AskModel(messages) | Output::Summarize(messages) => return Some(messages),
            Output::Wait | Output::Stop(_) => return None,
            Output::StopReply
            | Output::Run(_)
            | Output::CheckAnswer(_)
            | Output::AskBudget { .. }
            | Output::Emit(..) => {}
        }
    }
}

/// The requests that may follow upon these frames: the turn goes on, or the user says more; and the
/// same where the model has hardly any room.
fn requests(frames: &[Frame], policy: Policy) -> Vec<Request> {
    let turns = |window| {
        [
            Turn::resume(config(frames, policy, window)),
            Turn::new(config(frames, policy, window), "Go on.".to_owned()),
        ]
    };
    let wide = turns(Window::default()).map(|turn| asked(turn).unwrap());
    let narrow = turns(Window { tokens: Some(600), reply: None }).into_iter().filter_map(asked);
    let messages = wide.into_iter().chain(narrow);
    messages.map(|messages| Request { messages, ..Request::default() }).collect()
}

/// How many requests were read.
fn check(frames: &[Frame], what: &str) -> usize {
    let mut n = 0;
    for (policy, request) in
        [Policy::Free, Policy::Guided { requires_thinking: true }].into_iter().flat_map(|policy| {
            requests(frames, policy).into_iter().map(move |request| (policy, request))
        })
    {
        for (adapter, takes_images) in ADAPTERS.into_iter().flat_map(|it| [(it, true), (it, false)])
        {
            let verdict = verdict(adapter, takes_images, &request);
            assert_eq!(verdict, Ok(()), "{what}: {adapter:?}, {policy:?}\n{request:#?}");
            n += 1;
        }
    }
    n
}

fn verdict(adapter: Adapter, takes_images: bool, request: &Request) -> Result<(), String> {
    let body = request_body(adapter.name(), "test-model", takes_images, request).unwrap();
    check_body(adapter.wire(), &body.map_err(|fault| fault.message)?)
}

#[tokio::test]
async fn every_prefix_of_every_log_gives_a_request_that_every_provider_takes() {
    let (mut n_frames, mut n_requests) = (0, 0);
    for seed in 0..n_logs() {
        let frames = record(seed).await;
        n_frames += frames.len();
        for end in 0..=frames.len() {
            n_requests += check(&frames[..end], &format!("log {seed} up to {end}"));
        }
    }
    println!("{} logs, {n_frames} frames: {n_requests} of {n_requests} requests valid", n_logs());
}

#[tokio::test]
async fn a_damaged_log_gives_a_request_that_every_provider_takes() {
    let mut n_requests = 0;
    for seed in 0..n_logs() {
        let frames = record(seed).await;
        for n in 0..DAMAGED {
            let mut dice = Rng::with_seed(seed * DAMAGED + n);
            let damaged = damaged(&frames, &mut dice);
            n_requests += check(&damaged, &format!("log {seed}, damage {n}"));
        }
    }
    println!("{} damaged logs: {n_requests} of {n_requests} requests valid", n_logs() * DAMAGED);
}

#[tokio::test]
async fn the_recorded_sessions_hold_what_sessions_hold() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..LOGS {
        kinds.extend(record(seed).await.iter().map(|frame| frame.event.kind().to_owned()));
    }
    for kind in [
        "message.user",
        "message.assistant",
        "message.results",
        "run.failed",
        "run.finished",
        "think.delta",
        "tool.cancelled",
        "tool.done",
        "tool.rejected",
    ] {
        assert!(kinds.contains(kind), "no {kind} in {kinds:?}");
    }
}

#[test]
fn a_call_that_began_and_has_no_end_is_told_as_such() {
    let frames = damage::interrupted_call();
    assert!(matches!(frames.last().unwrap().event, Event::ToolRunning { .. }));
    let requests = requests(&frames, Policy::Free);
    let last = requests[0].messages.last().unwrap();
    assert!(last.text.contains("tool_name=\"add\""), "{}", last.text);
    assert!(last.text.contains("status=\"error\""), "{}", last.text);
}
