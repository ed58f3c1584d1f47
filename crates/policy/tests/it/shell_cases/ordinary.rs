//! The calls of an ordinary day, in the mode that is meant for them.

use std::fmt::Write as _;

use tagline_policy::{Effect, Mode, Request, Sandbox, Situation, Verdict, decide};

use crate::situation::{changing, command, reading, removing, request, situation};

/// Every call that the table stands for, in its order, each once.
fn calls() -> Vec<String> {
    let mut calls = Vec::new();
    for line in include_str!("../cases/benign.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        for call in expanded(line) {
            let words: Vec<_> = call.split(' ').filter(|it| !it.is_empty()).collect();
            let call =
                if call.contains(['"', '\'']) { call.trim().to_owned() } else { words.join(" ") };
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    calls
}

/// The line with each of its choices.
fn expanded(line: &str) -> Vec<String> {
    let Some((start, end)) = choice(line) else { return vec![line.to_owned()] };
    let (head, tail) = (&line[..start], &line[end + 1..]);
    let all = line[start + 1..end].split('|');
    all.flat_map(|it| expanded(&format!("{head}{it}{tail}"))).collect()
}

/// The first braces with a bar and no braces between them.
fn choice(line: &str) -> Option<(usize, usize)> {
    let starts = line.match_indices('{').map(|(at, _)| at);
    starts.filter_map(|start| Some((start, start + line[start..].find('}')?))).find(
        |(start, end)| {
            let inner = &line[start + 1..*end];
            inner.contains('|') && !inner.contains('{')
        },
    )
}

fn call(text: &str) -> Request {
    let path = |name: &str| format!("/home/u/work/{name}");
    match text.split_once(' ') {
        Some(("read", name)) => request(Effect::Read, reading(&path(name))),
        Some(("write", name)) => request(Effect::Write, changing(&path(name))),
        Some(("remove", name)) => request(Effect::Write, removing(&path(name))),
        _ => command(&text.replace("\\n", "\n")),
    }
}

/// Calls that ask, with the reasons.
fn asking(calls: &[String], situation: &Situation) -> Vec<String> {
    let mut asking = Vec::new();
    for text in calls {
        match decide(&call(text), situation) {
            Verdict::Allow { .. } => {}
            Verdict::Ask { why, .. } => asking.push(format!("* `{text}`: {why}\n")),
            Verdict::Deny { rule, .. } => asking.push(format!("* `{text}`: refused ({rule})\n")),
        }
    }
    asking
}

/// What became of all of them, in words.
pub(super) fn judged() -> String {
    let calls = calls();
    let proven = Situation { sandbox: Sandbox::Proven, ..situation(Mode::Auto) };
    let tainted = Situation { taint: Some("a web page".to_owned()), ..proven.clone() };
    let (held, open) = (asking(&calls, &proven), asking(&calls, &situation(Mode::Auto)));
    let n = calls.len();
    assert!(n >= 1_000, "{n}");
    assert!(held.len() * 100 <= n, "more than 1 % ask:\n{}", held.concat());
    // Without a proven sandbox nothing runs but what only reads, after untrusted content neither.
    assert_eq!(asking(&calls, &tainted).len(), open.len());
    let tenths = held.len() * 1_000 / n;
    let mut text = String::from("\n## Ordinary calls\n\n");
    writeln!(
        text,
        "{n} calls of `crates/policy/tests/it/cases/benign.txt`, in mode `auto`. In a proven sandbox, {} ask needlessly \
         ({}.{} %):\n\n{}\nWithout a sandbox, {} ask, because only what is known to read runs then.",
        held.len(),
        tenths / 10,
        tenths % 10,
        held.concat(),
        open.len()
    )
    .unwrap();
    text
}
