//! Profiles are apart.

use expect_test::expect;
use tagline_store::{
    Claim, Claimed, Durability, Journal as _, SessionInfo, Settled, StoreError, content_hash,
};

use super::{Kind, append, words};
use crate::support::{START, message, session};

fn of(id: &str, profile: &str) -> SessionInfo {
    SessionInfo { profile: profile.to_owned(), ..session(id) }
}

/// Asks everything that can be asked of a session.
pub(crate) async fn none_sees_anything_of_another<K: Kind>(kind: &K) {
    let all = kind.open().await;
    let (work, home) = (all.of("work"), all.of("home"));
    work.create(of("w", "work")).await.unwrap();
    home.create(of("h", "home")).await.unwrap();
    append(&work, "w", "shared secret").await;
    append(&home, "h", "shared letter").await;
    let hidden = || Some(StoreError::NoSession("w".to_owned()));
    assert_eq!(home.read("w", 0, 9).await.err(), hidden());
    assert_eq!(home.records("w", 0, 9).await.err(), hidden());
    assert_eq!(home.append("w", vec![message("x")], Durability::Full).await.err(), hidden());
    assert_eq!(home.rename("w", "mine", START).await.err(), hidden());
    assert_eq!(home.watch("w").await.err(), hidden());
    assert_eq!(home.find("w").await.err(), hidden());
    assert_eq!(home.acquire("w").await.err(), hidden());
    assert_eq!(home.fork("w", of("f", "home"), None).await.err(), hidden());
    assert_eq!(home.delete("w").await.err(), hidden());
    assert_eq!(content_hash(&home, "w").await.err(), hidden());
    assert_eq!(ids(&home).await, ["h"]);
    assert_eq!(found(&home, "shared").await, ["h"]);
    assert_eq!(found(&work, "shared").await, ["w"]);
    assert_eq!(found(&all, "shared").await.len(), 2);
    assert_eq!(found(&home, "secret").await, [""; 0]);
    assert_eq!(ids(&all).await.len(), 2);
    keys_are_apart(&work, &home).await;
}

async fn ids(journal: &impl tagline_store::Journal) -> Vec<String> {
    journal.sessions().await.unwrap().into_iter().map(|info| info.id).collect()
}

async fn found(journal: &impl tagline_store::Journal, query: &str) -> Vec<String> {
    journal.search(query, 9).await.unwrap().into_iter().map(|hit| hit.session).collect()
}

async fn keys_are_apart(work: &impl tagline_store::Journal, home: &impl tagline_store::Journal) {
    let claim = |body: &str| Claim::new("k", body.as_bytes(), START);
    assert_eq!(work.claim(claim("x")).await, Ok(Claimed::Mine));
    assert_eq!(home.claim(claim("y")).await, Ok(Claimed::Mine));
    work.settle(Settled { key: "k".to_owned(), answer: "w".to_owned() }).await.unwrap();
    assert_eq!(home.claim(claim("y")).await, Ok(Claimed::Pending));
    assert_eq!(work.claim(claim("x")).await, Ok(Claimed::Answered("w".to_owned())));
}

pub(crate) async fn a_session_is_made_in_the_own_profile_alone<K: Kind>(kind: &K) {
    let all = kind.open().await;
    let home = all.of("home");
    expect!["session `w`: expected profile `home`, but found `work`; name that one"]
        .assert_eq(&words(home.create(of("w", "work")).await));
    let other = home.restore(of("w", "work"), Vec::new()).await;
    assert!(matches!(other, Err(StoreError::OtherProfile { .. })));
    home.create(of("h", "home")).await.unwrap();
    let other = home.fork("h", of("w", "work"), None).await;
    assert!(matches!(other, Err(StoreError::OtherProfile { .. })));
    assert_eq!(ids(&all).await, ["h"]);
}
