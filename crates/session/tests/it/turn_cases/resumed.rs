//! Turns that go on from a journal.

use std::sync::atomic::Ordering;

use tagline_agent::StopReason;
use tagline_session::Task;
use tempfile::tempdir;
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, until};

pub(super) async fn a_call_without_a_result() -> String {
    let folder = tempdir().unwrap();
    let bench = Bench::new(folder.path(), "=== reply\n<sleep/>\n=== hang\n").await;
    {
        let turn = bench.session.run(Task::Say("wait".into()), CancellationToken::new());
        // Dropped while the call runs, as a crash would.
        tokio::select! {
            _ = turn => {}
            () = until(|| bench.kinds().contains("tool.running")) => {}
        }
    }
    let script = "=== reply\n=== expect contains it was interrupted while it ran\nDone.\n";
    let resumed = Bench::reopen(folder.path(), script);
    let end = resumed.session.run(Task::GoOn, CancellationToken::new()).await.unwrap();
    assert_eq!(end.stop, StopReason::Completed("Done.".to_owned()));
    let messages = tagline_agent::transcript_from(&resumed.session.frames().await.unwrap());
    let n = messages.iter().map(|it| it.text.matches("<tool_result ").count()).sum::<usize>();
    assert_eq!(n, 1);
    "1 call, 1 result; every prefix of every log is held by \
     `every_prefix_of_every_log_gives_a_request_that_every_provider_takes`"
        .to_owned()
}

pub(super) async fn a_call_in_the_history() -> String {
    let folder = tempdir().unwrap();
    let script = "=== reply\n<add why=\"first\"/>\n=== reply\nDone.\n";
    let bench = Bench::new(folder.path(), script).await;
    bench.session.run(Task::Say("count".into()), CancellationToken::new()).await.unwrap();
    assert_eq!(bench.counter.0.load(Ordering::SeqCst), 1);
    let again = Bench::reopen(folder.path(), "=== reply\nStill one.\n");
    let end =
        again.session.run(Task::Say("and now?".into()), CancellationToken::new()).await.unwrap();
    assert_eq!(end.stop, StopReason::Completed("Still one.".to_owned()));
    let messages = tagline_agent::transcript_from(&again.session.frames().await.unwrap());
    assert!(messages.iter().any(|message| message.text.contains("<add why=\"first\"/>")));
    assert_eq!(again.counter.0.load(Ordering::SeqCst), 0);
    "the history holds the tag; 0 calls ran behind it".to_owned()
}
