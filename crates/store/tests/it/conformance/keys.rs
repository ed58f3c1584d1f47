//! Requests that come twice.

use expect_test::expect;
use tagline_store::{Claim, Claimed, Durability, Journal as _, Settled, StoreError};

use super::{Kind, show, with_session, words};
use crate::support::message;

fn claim(key: &str, body: &str) -> Claim {
    Claim::new(key, body.as_bytes(), "2026-11-27T10:00:00Z")
}

fn settled(key: &str, answer: &str) -> Settled {
    Settled { key: key.to_owned(), answer: answer.to_owned() }
}

pub(crate) async fn a_key_is_worked_on_once<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    assert_eq!(journal.claim(claim("k", "x")).await, Ok(Claimed::Mine));
    assert_eq!(journal.claim(claim("k", "x")).await, Ok(Claimed::Pending));
    journal.settle(settled("k", "done")).await.unwrap();
    let again = kind.open().await.claim(claim("k", "x")).await;
    assert_eq!(again, Ok(Claimed::Answered("done".to_owned())));
    expect!["key `k`: expected it to be claimed first, but it is not, or is settled already"]
        .assert_eq(&words(journal.settle(settled("k", "other")).await));
}

pub(crate) async fn a_key_with_another_body_is_refused<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    journal.claim(claim("k", "x")).await.unwrap();
    expect!["key `k`: expected the request that it came with first, but found another; take a new key for a new request"]
        .assert_eq(&words(journal.claim(claim("k", "y")).await));
    journal.settle(settled("k", "done")).await.unwrap();
    assert!(matches!(journal.claim(claim("k", "y")).await, Err(StoreError::KeyReused { .. })));
}

pub(crate) async fn a_key_is_settled_with_its_events_or_not_at_all<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let send = |session: &'static str, key| {
        let journal = journal.clone();
        let (events, settled) = (vec![message("hello")], settled(key, "sent"));
        async move { journal.append_settling(session, events, Durability::Full, settled).await }
    };
    assert!(matches!(send("a", "k").await, Err(StoreError::NotClaimed { .. })));
    assert_eq!(show(&journal, "a").await, "");
    journal.claim(claim("k", "x")).await.unwrap();
    assert!(matches!(send("x", "k").await, Err(StoreError::NoSession(_))));
    assert_eq!(journal.claim(claim("k", "x")).await, Ok(Claimed::Pending));
    assert_eq!(send("a", "k").await.unwrap().len(), 1);
    assert_eq!(journal.claim(claim("k", "x")).await, Ok(Claimed::Answered("sent".to_owned())));
    assert!(matches!(send("a", "k").await, Err(StoreError::NotClaimed { .. })));
    assert_eq!(show(&journal, "a").await, "1 hello\n");
}

pub(crate) async fn a_key_that_was_given_back_is_free<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    journal.claim(claim("k", "x")).await.unwrap();
    journal.unclaim("k").await.unwrap();
    assert_eq!(journal.claim(claim("k", "y")).await, Ok(Claimed::Mine));
    journal.settle(settled("k", "done")).await.unwrap();
    // Too late: it was answered.
    journal.unclaim("k").await.unwrap();
    assert_eq!(journal.claim(claim("k", "y")).await, Ok(Claimed::Answered("done".to_owned())));
}

pub(crate) async fn a_key_is_forgotten_after_a_day<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    journal.claim(claim("k", "x")).await.unwrap();
    journal.settle(settled("k", "done")).await.unwrap();
    let at = |now: &str| Claim { now: now.to_owned(), ..claim("k", "y") };
    let kept = journal.claim(at("2026-11-28T10:00:00Z")).await;
    assert!(matches!(kept, Err(StoreError::KeyReused { .. })));
    assert_eq!(journal.claim(at("2026-11-28T10:00:01Z")).await, Ok(Claimed::Mine));
    assert!(matches!(journal.claim(at("noon")).await, Err(StoreError::BadTime { .. })));
}
