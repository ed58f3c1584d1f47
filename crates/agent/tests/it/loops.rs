//! A table of what goes in circles and what does not.

use tagline_agent::{Input, Output, Policy, StopReason, Turn, TurnConfig};
use tagline_parser::Finish;
use tagline_protocol::{Call, CallId, ToolFailure, ToolOutcome, ToolOutput};

use crate::play::config;

const TABLE: &str = include_str!("loops.txt");

/// Calls after which a script has gone on long enough.
const ENOUGH: usize = 60;

/// One reply, or what the user says before it.
#[derive(Clone, Debug)]
enum Step {
    Said(String),
    Reply(Vec<Part>),
}

/// A part of a reply.
#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Call { kind: char, words: String, outcome: ToolOutcome },
}

/// The steps of a script, with the numbers filled in; a circle comes until there are enough calls.
fn steps(script: &str) -> Vec<Step> {
    let mut n = 0;
    let mut written = Vec::new();
    for (part, times) in parts(script) {
        for _ in 0..times {
            written.extend(part.split(" / ").map(|reply| {
                let pieces = reply.split('#').map(str::to_owned);
                pieces.reduce(|all, piece| {
                    n += 1;
                    format!("{all}{n}{piece}")
                })
            }));
        }
    }
    written.into_iter().flatten().map(|reply| step(reply.trim())).collect()
}

/// The parts of a script and how often each comes.
fn parts(script: &str) -> Vec<(&str, usize)> {
    let mut parts = Vec::new();
    let mut rest = script.trim();
    while !rest.is_empty() {
        rest = rest.trim_start_matches(" / ");
        let Some(inner) = rest.strip_prefix('(') else {
            let end = rest.find(" / (").unwrap_or(rest.len());
            parts.push((&rest[..end], 1));
            rest = &rest[end..];
            continue;
        };
        let (part, behind) = inner.split_once(')').unwrap();
        let len = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        parts.push((part, behind[..len].parse().unwrap_or(ENOUGH)));
        rest = &behind[len..];
    }
    parts
}

fn step(reply: &str) -> Step {
    match reply.strip_prefix('@') {
        Some(said) => Step::Said(said.to_owned()),
        None => Step::Reply(reply.split("; ").map(part).collect()),
    }
}

fn part(text: &str) -> Part {
    if let Some(text) = text.trim().strip_prefix('"') {
        return Part::Text(text.trim_end_matches('"').replace("\\n", "\n"));
    }
    let mark = |mark: &str| text.split_once(mark);
    let (head, outcome) = match (mark(" ="), mark(" ! "), mark(" ~ ")) {
        (Some((head, echo)), None, None) => {
            (head, Ok(ToolOutput::new(echo.trim(), serde_json::Value::Null)))
        }
        (None, Some((head, why)), None) => (head, Err(ToolFailure::Failed(why.to_owned()))),
        (None, None, Some((head, why))) => (head, Err(ToolFailure::Denied(why.to_owned()))),
        _ => panic!("`{text}` has no outcome or two"),
    };
    let (kind, words) = head.trim().split_at(1);
    let kind = kind.chars().next().unwrap();
    Part::Call { kind, words: words.trim().to_owned(), outcome }
}

/// As a model writes it; the spelling changes from call to call.
fn written(part: &Part, n: usize) -> String {
    let Part::Call { kind, words, .. } = part else {
        let Part::Text(text) = part else { return String::new() };
        return format!("{text}\n");
    };
    match kind {
        'r' | 't' if n.is_multiple_of(2) => format!("<read_file path=\"{words}\"/>\n"),
        'r' | 't' => format!("<read_file><path>{words}</path></read_file>\n"),
        'w' => {
            let (path, text) = words.split_once(' ').unwrap();
            format!("<write_file path=\"{path}\">{text}</write_file>\n")
        }
        _ => format!("<execute_command>{words}</execute_command>\n"),
    }
}

/// Plays a script: why the turn stopped, and how many calls had ended.
fn played(script: &str) -> String {
    let mut config: TurnConfig = config(Policy::Free);
    (config.limits.passes, config.limits.calls) = (1_000, 1_000);
    let mut turn = Turn::new(config, "go");
    let mut ended = 0;
    for step in steps(script) {
        let parts = match step {
            Step::Said(said) => {
                turn.handle_input(Input::Steer(said.into()));
                continue;
            }
            Step::Reply(parts) => parts,
        };
        let mut stop = outputs(&mut turn).1;
        let mut calls = parts.iter().filter(|part| matches!(part, Part::Call { .. }));
        for part in &parts {
            turn.handle_input(Input::Delta(written(part, ended)));
        }
        turn.handle_input(Input::ReplyEnd(Finish::Stop));
        loop {
            let (started, end) = outputs(&mut turn);
            stop = stop.or(end);
            if started.is_empty() {
                break;
            }
            for call in started {
                ended += 1;
                turn.handle_input(result(&call, calls.next().unwrap()));
            }
        }
        match stop {
            Some(StopReason::Limit { reason, .. }) => return format!("{reason} {ended}"),
            Some(StopReason::Protocol(_)) => return format!("protocol {ended}"),
            Some(other) => panic!("{script}: {other:?}"),
            None => {}
        }
    }
    "-".to_owned()
}

fn result(call: &Call, part: &Part) -> Input {
    let Part::Call { kind, outcome, .. } = part else { panic!("{call:?}") };
    let id: CallId = call.id.clone();
    match kind {
        't' | 'p' => Input::PollResult(id, outcome.clone()),
        _ => Input::Result(id, outcome.clone()),
    }
}

fn outputs(turn: &mut Turn) -> (Vec<Call>, Option<StopReason>) {
    let mut calls = Vec::new();
    loop {
        match turn.poll_output() {
            Output::Wait => return (calls, None),
            Output::Stop(reason) => return (calls, Some(reason)),
            Output::Run(batch) => calls.extend(batch),
            _ => {}
        }
    }
}

fn rows() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut fields = line.splitn(3, '|').map(str::trim);
        (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap())
    };
    lines.map(row).collect()
}

#[test]
fn circles_are_found_at_their_call_and_nothing_else_is_stopped() {
    let mut wrong = Vec::new();
    for (name, expected, script) in rows() {
        let found = played(script);
        if found != expected {
            wrong.push(format!("{name}: expected {expected}, but found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_is_long_enough() {
    let n_benign = rows().iter().filter(|row| row.1 == "-").count();
    let n_circles = rows().iter().filter(|row| row.1.starts_with("loop")).count();
    assert!(n_circles >= 30 && n_benign >= 30, "{n_circles} circles, {n_benign} others");
}
