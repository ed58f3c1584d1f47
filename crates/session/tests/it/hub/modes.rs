//! How much runs without a question, session by session.

use expect_test::expect;
use tagline_protocol::Mode;

use super::bench::{Bench, S};

const SCRIPT: &str = "=== reply\n<add why=\"one\"/>\n=== reply\nDone.\n=== repeat forever\n";

#[tokio::test]
async fn a_mode_counts_from_the_next_call_on_and_after_a_restart() {
    let bench = Bench::new(SCRIPT).await;
    assert_eq!(bench.hub.mode(S).await.unwrap(), None, "what its settings say");
    bench.hub.set_mode(S, Mode::Plan).await.unwrap();
    assert_eq!(bench.hub.mode(S).await.unwrap(), Some(Mode::Plan));
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.hub.settled(S).await;
    let again = bench.restart("=== reply\n<add why=\"two\"/>\n=== reply\nDone.\n").await;
    assert_eq!(again.hub.mode(S).await.unwrap(), Some(Mode::Plan));
    again.hub.send(S, "again".into()).await.unwrap();
    again.hub.settled(S).await;
    again.hub.set_mode(S, Mode::Full).await.unwrap();
    assert_eq!(again.hub.mode(S).await.unwrap(), Some(Mode::Full));
    expect![[r#"
        - session.mode
        t1 tool.failed t1.1 in mode `plan` nothing is changed or run; describe what you would do
        t2 tool.failed t2.1 in mode `plan` nothing is changed or run; describe what you would do
        - session.mode
    "#]]
    .assert_eq(&again.story(&["session.mode", "tool.running", "tool.failed"]).await);
    assert_eq!(again.shop.counter.0.load(std::sync::atomic::Ordering::SeqCst), 0);
    again.close().await;
    bench.close().await;
}

#[tokio::test]
async fn a_mode_is_set_where_another_process_has_the_session() {
    let bench =
        Bench::asking("=== reply\n<sleep/>\n=== reply\n<add why=\"one\"/>\n=== reply\nDone.\n")
            .await;
    let other = bench.beside("=== reply\nDone.\n");
    bench.hub.send(S, "go".into()).await.unwrap();
    bench.until("tool.running").await;
    other.hub.set_mode(S, Mode::Full).await.unwrap();
    assert_eq!(bench.hub.mode(S).await.unwrap(), Some(Mode::Full));
    let call = tagline_session::Scope::Call(tagline_protocol::CallId("t1.1".to_owned()));
    bench.hub.stop(S, call).await.unwrap();
    bench.hub.settled(S).await;
    expect![[r#"
        t1 tool.running t1.1
        - session.mode
        t1 tool.running t1.2
    "#]]
    .assert_eq(&bench.story(&["session.mode", "tool.running", "approval."]).await);
    other.close().await;
    bench.close().await;
}
