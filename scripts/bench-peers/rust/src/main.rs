//! Feeds Rust parsers the same calls, each in its own dialect, and says how long they took and what
//! they found.
//!
//! `bench-peers FOLDER WORKLOAD SECONDS SIZE,… SUBJECT…`: prints one line of JSON for each subject
//! and chunk size. A size of 0 is the whole text. A pass that takes longer than SECONDS is stopped.

mod subject;

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use subject::{Found, Subject};

/// The least time that a rate is taken from.
const SAMPLE: Duration = Duration::from_millis(200);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, workload, seconds, sizes, subjects @ ..] = args.as_slice() else {
        eprintln!("usage: bench-peers FOLDER WORKLOAD SECONDS SIZE,… SUBJECT…");
        std::process::exit(2);
    };
    let budget = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    let calls = read(&format!("{folder}/{workload}.calls.json"));
    let expected: Vec<Value> = serde_json::from_str(&calls).expect("calls");
    for name in subjects {
        let Some(subject) = Subject::named(name) else {
            eprintln!("unknown subject {name}");
            continue;
        };
        let text = read(&format!("{folder}/{workload}.{}.txt", subject.dialect()));
        for size in sizes.split(',') {
            let size = size.parse().ok().filter(|&size| size > 0).unwrap_or(text.len());
            println!("{}", measure(name, subject, &text, size, budget, &expected));
        }
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn measure(
    name: &str,
    subject: Subject,
    text: &str,
    size: usize,
    budget: Duration,
    expected: &[Value],
) -> Value {
    let start = Instant::now();
    let first = subject.read(text, size, start + budget);
    let (mut seconds, mut fed) = (start.elapsed().as_secs_f64(), first.fed);
    let right = expected.iter().zip(&first.calls).filter(|(a, b)| a == b).count();
    let found = first.calls.len();
    if fed == text.len() {
        let (start, mut n_passes) = (Instant::now(), 0);
        while n_passes == 0 || start.elapsed() < SAMPLE {
            black_box(subject.pass(text, size));
            n_passes += 1;
        }
        seconds = start.elapsed().as_secs_f64() / f64::from(n_passes);
        fed = text.len();
    }
    let size = if size == text.len() { 0 } else { size };
    let total = text.len();
    json!({"subject": name, "size": size, "seconds": seconds, "fed": fed, "total": total,
           "found": found, "right": right, "calls": expected.len()})
}

/// Pieces of a text, and how much of it they were.
fn chunks(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let cut = (size.min(rest.len())..=rest.len()).find(|&cut| rest.is_char_boundary(cut))?;
        let (chunk, behind) = rest.split_at(cut);
        rest = behind;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Feeds chunks until the time is over.
pub(crate) fn feed<'a>(
    text: &'a str,
    size: usize,
    until: Option<Instant>,
    mut take: impl FnMut(&'a str),
) -> usize {
    let mut fed = 0;
    for (n, chunk) in chunks(text, size).enumerate() {
        if n % 16 == 0 && until.is_some_and(|until| Instant::now() > until) {
            return fed;
        }
        take(chunk);
        fed += chunk.len();
    }
    fed
}

/// What a pass gave.
pub(crate) struct Pass {
    pub(crate) fed: usize,
    pub(crate) calls: Vec<Found>,
}
