//! Letters to who has a session.

use tagline_store::{Gone, Journal as _, StoreError};

use super::{Kind, show, with_session};

pub(crate) async fn letters_are_handed_out_once_in_order<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    for letter in ["stop", "go", ""] {
        kind.open().await.post("a", letter.to_owned()).await.unwrap();
    }
    assert_eq!(journal.collect("a").await.unwrap(), ["stop", "go", ""]);
    assert_eq!(journal.collect("a").await.unwrap(), [""; 0]);
    assert_eq!(show(&journal, "a").await, "");
    let absent = Err(StoreError::NoSession("x".to_owned()));
    assert_eq!(journal.post("x", "stop".to_owned()).await, absent);
    assert!(journal.of("other").post("a", "stop".to_owned()).await.is_err());
    assert!(journal.of("other").collect("a").await.is_err());
}

pub(crate) async fn who_watches_for_letters_is_woken<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    journal.post("a", "early".to_owned()).await.unwrap();
    let mut watch = journal.letters("a").await.unwrap();
    let mut letters = journal.collect("a").await.unwrap();
    let writer = journal.clone();
    tokio::spawn(async move { writer.post("a", "late".to_owned()).await.unwrap() });
    while letters.len() < 2 {
        watch.changed().await.unwrap();
        letters.extend(journal.collect("a").await.unwrap());
    }
    assert_eq!(letters, ["early", "late"]);
    journal.post("a", "unread".to_owned()).await.unwrap();
    watch.changed().await.unwrap();
    journal.delete("a").await.unwrap();
    while watch.changed().await != Err(Gone) {}
}
