//! Appended, read, watched.

use expect_test::expect;
use tagline_protocol::Event;
use tagline_store::{Durability, Gone, Journal as _, StoreError};
use tokio::task::JoinSet;

use super::{Kind, append, numbers, show, with_session, words};
use crate::support::{at, message};

pub(crate) async fn numbers_are_dense_whoever_appends<K: Kind>(kind: &K) {
    with_session(kind).await;
    let mut appenders = JoinSet::new();
    for appender in 0..4 {
        let journal = kind.open().await;
        appenders.spawn(async move {
            for round in 0..25 {
                let events = vec![message(&format!("{appender}")); 1 + round % 3];
                let durability =
                    if round % 2 == 0 { Durability::Full } else { Durability::Streamed };
                journal.append("a", events, durability).await.unwrap();
            }
        });
    }
    appenders.join_all().await;
    let frames = kind.open().await.read("a", 0, usize::MAX).await.unwrap();
    assert_eq!(numbers(&frames), (1..=4 * 49).collect::<Vec<_>>());
}

pub(crate) async fn a_page_holds_the_frames_behind_a_number<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two three four").await;
    for (after, limit, expected) in
        [(1, 2, &[2, 3][..]), (0, 0, &[]), (3, 9, &[4]), (4, 9, &[]), (u64::MAX, 9, &[])]
    {
        let page = journal.read("a", after, limit).await.unwrap();
        assert_eq!(numbers(&page), expected, "{after} {limit}");
    }
}

pub(crate) async fn an_append_that_fails_keeps_nothing_and_takes_no_number<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let event = Event::UserMessage { text: "late".to_owned(), media: Vec::new() };
    let events = vec![message("good"), at("yesterday", event)];
    expect!["event for session `a`: expected an RFC 3339 time, but found `yesterday`"]
        .assert_eq(&words(journal.append("a", events, Durability::Full).await));
    assert_eq!(append(&journal, "a", "one").await, [1]);
    let unknown = journal.append("x", vec![message("hello")], Durability::Full).await;
    assert_eq!(unknown, Err(StoreError::NoSession("x".to_owned())));
    assert_eq!(show(&journal, "a").await, "1 one\n");
}

pub(crate) async fn a_watch_that_was_taken_first_misses_nothing<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two").await;
    let mut watch = journal.watch("a").await.unwrap();
    assert_eq!(watch.last_seq(), 2);
    let writer = journal.clone();
    let writing = tokio::spawn(async move {
        for _ in 0..100 {
            append(&writer, "a", "more").await;
        }
    });
    let mut seen = 2;
    while seen < 102 {
        let last = watch.changed().await.unwrap();
        let new = numbers(&journal.read("a", seen, usize::MAX).await.unwrap());
        assert!(new.last().is_none_or(|newest| last <= *newest));
        assert_eq!(new, (seen + 1..=seen + new.len() as u64).collect::<Vec<_>>());
        seen += new.len() as u64;
    }
    writing.await.unwrap();
    assert!(matches!(journal.watch("x").await, Err(StoreError::NoSession(_))));
}

pub(crate) async fn a_watch_ends_with_its_session<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let mut watch = journal.watch("a").await.unwrap();
    journal.delete("a").await.unwrap();
    assert_eq!(watch.changed().await, Err(Gone));
}
