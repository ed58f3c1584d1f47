//! Turns without an end of their own.

use tagline_agent::StopReason;
use tagline_protocol::Event;
use tagline_session::Task;
use tempfile::tempdir;
use tokio_util::sync::CancellationToken;

use crate::bench::Bench;

/// Plays a script with the real tools: why it stopped, and how many calls ran.
async fn play(script: &str) -> (StopReason, usize) {
    let folder = tempdir().unwrap();
    let bench = Bench::with_files(folder.path(), script).await;
    let end = bench.session.run(Task::Say("go".into()), CancellationToken::new()).await.unwrap();
    (end.stop, n_of(&bench, "tool.running").await)
}

async fn n_of(bench: &Bench, kind: &str) -> usize {
    let frames = bench.session.frames().await.unwrap();
    frames.iter().filter(|frame| frame.event.kind() == kind).count()
}

#[track_caller]
fn limit(stop: StopReason, reason: &str) -> String {
    let StopReason::Limit { reason: found, message } = stop else { panic!("{stop:?}") };
    assert_eq!(found, reason);
    message
}

pub(super) async fn the_same_call() -> String {
    let one = play("=== reply\n<list_files path=\".\"/>\n=== repeat forever\n").await;
    let many = "<list_files path=\".\"/>\n".repeat(20);
    let many = play(&format!("=== reply\n{many}=== repeat forever\n")).await;
    assert_eq!((one.1, many.1), (5, 5));
    limit(many.0, "loop");
    format!("5 calls ran, one in a reply or twenty; `loop`: {}", limit(one.0, "loop"))
}

pub(super) async fn rounds() -> String {
    let mut seen = Vec::new();
    for round in ["ab", "abc", "abcde"] {
        let calls: String = round.chars().map(|c| format!("<search query=\"{c}\"/>\n")).collect();
        let (stop, n) = play(&format!("=== reply\n{calls}=== repeat forever\n")).await;
        limit(stop, "loop");
        assert_eq!(n, 5 * round.len());
        seen.push(n.to_string());
    }
    let write = |n: usize| format!("<write_file path=\"{n}\">x</write_file>\n");
    let replies: String = (0..20).map(|n| format!("=== reply\n{}", write(n))).collect();
    let (stop, n) = play(&format!("{replies}=== reply\nDone.\n")).await;
    assert_eq!((stop, n), (StopReason::Completed("Done.".to_owned()), 20));
    format!("stopped after {} calls; 20 calls that vary came to their answer", seen.join(", "))
}

pub(super) async fn no_room() -> String {
    let folder = tempdir().unwrap();
    let system = "Be exact. ".repeat(2_000);
    let script = "=== reply\nNever asked.\n";
    let bench = Bench::narrow(folder.path(), script, 1_000, &system).await;
    let end = bench.session.run(Task::Say("go".into()), CancellationToken::new()).await.unwrap();
    let message = limit(end.stop, "context");
    assert!(message.contains("the system prompt alone has about"), "{message}");
    let frames = bench.session.frames().await.unwrap();
    assert!(!frames.iter().any(|frame| frame.event == Event::PassStarted));
    let n = n_of(&bench, "context.compacted").await;
    assert!(n <= 3);
    format!("{n} steps, 0 requests; `context`: {message}")
}
