//! Whole turns, and what the journal has of them.

use std::sync::atomic::Ordering;

use expect_test::{Expect, expect};
use tagline_agent::{AtLimit, StopReason, TurnLimits};
use tagline_protocol::BudgetAnswer;
use tagline_session::Task;
use tempfile::tempdir;
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, until};

async fn check(script: &str, expected: Expect) -> Bench {
    let folder = tempdir().unwrap();
    let bench = Bench::new(folder.path(), script).await;
    let task = Task::Say("count".into());
    bench.session.run(task, CancellationToken::new()).await.unwrap();
    expected.assert_eq(&bench.kinds());
    let frames = bench.session.frames().await.unwrap();
    let numbers: Vec<u64> = frames.iter().map(|frame| frame.seq).collect();
    assert_eq!(numbers, (1..=frames.len() as u64).collect::<Vec<_>>());
    bench
}

#[tokio::test]
async fn a_turn_runs_its_calls_and_ends_with_the_answer() {
    let bench = check(
        "=== reply\nI count.\n<add why=\"first\"/>\n=== reply\n=== expect contains 1: first\nDone.\n",
        expect![[r#"
            1 run.started
            2 message.user count
            3 pass.started
            4 say.start
            5 say.delta
            6 say.end
            7 tool.opening t1.1
            8 tool.attr t1.1
            9 message.assistant
            10 tool.ready t1.1
            11 pass.finished
            12 tool.running t1.1
            13 tool.done t1.1
            14 audit t1.1
            15 message.results <tool_results>↵<tool_result tool_name="add" call="1" status="ok">↵1: first↵</tool_result>↵</tool_results>
            16 pass.started
            17 say.start
            18 say.delta
            19 say.end
            20 message.assistant
            21 pass.finished
            22 run.finished completed
        "#]],
    )
    .await;
    assert_eq!(bench.counter.0.load(Ordering::SeqCst), 1);
    assert_eq!(bench.model.replies_left(), 0);
}

#[tokio::test]
async fn a_cancelled_turn_ends_its_calls_and_has_one_end() {
    let folder = tempdir().unwrap();
    let bench = Bench::new(folder.path(), "=== reply\n<sleep/>\n=== hang\n").await;
    let cancel = CancellationToken::new();
    let turn = bench.session.run(Task::Say("sleep".into()), cancel.clone());
    let stop = async {
        until(|| bench.kinds().contains("tool.running")).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(turn, stop);
    assert_eq!(ended.unwrap().stop, StopReason::Cancelled);
    expect![[r#"
        1 run.started
        2 message.user sleep
        3 pass.started
        4 tool.opening t1.1
        5 message.assistant
        6 tool.ready t1.1
        7 tool.running t1.1
        8 tool.cancelled t1.1 the turn was stopped: woken
        9 audit t1.1
        10 message.assistant
        11 pass.finished
        12 message.results <tool_results>↵<tool_result tool_name="sleep" call="1" status="error">↵Error: execution failed: the turn was stopped: woken↵</tool_result>↵</tool_results>
        13 run.finished cancelled
    "#]].assert_eq(&bench.kinds());
}

#[tokio::test]
async fn a_turn_at_its_bound_waits_for_whoever_is_asked() {
    let folder = tempdir().unwrap();
    let script = "=== reply\n<add why=\"first\"/>\n=== reply\nDone.\n";
    let bounds = TurnLimits { passes: 1, at_limit: AtLimit::Ask, ..TurnLimits::default() };
    let bench = Bench::bounded(folder.path(), script, bounds).await;
    let (sender, told) = std::sync::mpsc::channel();
    let begin = move |decider| sender.send(decider).unwrap();
    let turn = bench.session.run_asking(Task::Say("go".into()), CancellationToken::new(), begin);
    let answer = async {
        until(|| bench.kinds().contains("budget.asked")).await;
        told.recv().unwrap().decide(BudgetAnswer::Add);
    };
    let (ended, ()) = tokio::join!(turn, answer);
    assert_eq!(ended.unwrap().stop, StopReason::Completed("Done.".to_owned()));
    // Without anybody to ask it ends there.
    let folder = tempdir().unwrap();
    let bench = Bench::bounded(folder.path(), script, bounds).await;
    let ended = bench.session.run(Task::Say("go".into()), CancellationToken::new()).await.unwrap();
    assert!(matches!(ended.stop, StopReason::Limit { .. }), "{:?}", ended.stop);
}

#[tokio::test]
async fn a_resumed_turn_repeats_no_finished_call() {
    let folder = tempdir().unwrap();
    let script = "=== reply\n<add why=\"first\"/>\n=== hang\n";
    let bench = Bench::new(folder.path(), script).await;
    {
        let turn = bench.session.run(Task::Say("count".into()), CancellationToken::new());
        // Dropped in the middle of the reply, after the call has ended: as a crash would.
        tokio::select! {
            _ = turn => {}
            () = until(|| bench.kinds().contains("tool.done")) => {}
        }
    }
    let again = "=== reply\n=== expect contains 1: first\nDone.\n";
    let resumed = Bench::reopen(folder.path(), again);
    let ended = resumed.session.run(Task::GoOn, CancellationToken::new()).await.unwrap();
    assert_eq!(ended.stop, StopReason::Completed("Done.".to_owned()));
    assert_eq!(resumed.counter.0.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_result_can_be_read_again_by_its_call() {
    let folder = tempdir().unwrap();
    let script = "=== reply\n<write_file path=\"a\">alpha</write_file>\n<read_result call=\"t1.1\"/>\n\
                  === reply\n=== expect contains t1.1: bytes 0 to\nDone.\n";
    let bench = Bench::with_files(folder.path(), script).await;
    let task = Task::Say("go".into());
    let end = bench.session.run(task, CancellationToken::new()).await.unwrap();
    assert_eq!(end.stop, StopReason::Completed("Done.".to_owned()));
    assert_eq!(bench.model.replies_left(), 0);
}

#[tokio::test]
async fn a_request_that_is_too_long_is_made_smaller_by_the_model_itself() {
    let why = "word ".repeat(600);
    let adds: String = (1..=4).map(|n| format!("=== reply\n<add why=\"{n} {why}\"/>\n")).collect();
    let script = format!(
        "{adds}=== reply\n=== fault too_long compact the prompt is too long\n\
         === reply\n=== expect system contains You write notes\nFour were added.\n\
         === reply\n=== expect contains 4: 4 word\nDone.\n"
    );
    let folder = tempdir().unwrap();
    let bench = Bench::new(folder.path(), &script).await;
    let task = Task::Say("count".into());
    let end = bench.session.run(task, CancellationToken::new()).await.unwrap();
    assert_eq!(end.stop, StopReason::Completed("Done.".to_owned()), "{}", bench.kinds());
    let frames = bench.session.frames().await.unwrap();
    let made_room = frames.iter().filter(|it| it.event.kind() == "context.compacted").count();
    assert!((1..=2).contains(&made_room), "{made_room}");
    let again = tagline_agent::transcript_from(&frames);
    let first = again.first().map(|first| first.text.as_str()).unwrap_or_default();
    assert!(first.contains("\n\ncount\n\n") && first.contains("Four were added."), "{first}");
}

#[tokio::test]
async fn a_call_whose_start_cannot_be_kept_does_not_run_and_the_session_goes_on_later() {
    let folder = tempdir().unwrap();
    let script = "=== reply\n<add why=\"first\"/>\n=== reply\nDone.\n";
    let bench = Bench::new(folder.path(), script).await;
    let sql = |sql: &str| {
        let db = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        db.execute_batch(sql).unwrap();
    };
    sql("CREATE TRIGGER no_room BEFORE INSERT ON events WHEN new.json LIKE '%\"tool.running\"%' \
         BEGIN SELECT RAISE(ABORT, 'no room'); END");
    let end = bench.session.run(Task::Say("count".into()), CancellationToken::new()).await;
    let error = end.unwrap_err().to_string();
    assert!(error.contains("no room"), "{error}");
    assert_eq!(bench.counter.0.load(Ordering::SeqCst), 0);
    drop(bench);
    sql("DROP TRIGGER no_room");
    let again = Bench::reopen(folder.path(), "=== reply\nStill here.\n");
    let end = again.session.run(Task::GoOn, CancellationToken::new()).await.unwrap();
    assert_eq!(end.stop, StopReason::Completed("Still here.".to_owned()));
}
