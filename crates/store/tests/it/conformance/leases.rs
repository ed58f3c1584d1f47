//! One owner per session.

use expect_test::expect;
use tagline_store::{Journal as _, StoreError};

use super::{Kind, append, with_session, words};

pub(crate) async fn a_session_has_one_owner_and_is_given_back<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let lease = journal.acquire("a").await.unwrap();
    assert_eq!(lease.session(), "a");
    lease.renew().await.unwrap();
    let told = words(journal.acquire("a").await);
    assert!(told.starts_with("session `a` is in use by process [pid]"), "{told}");
    assert!(told.ends_with("; wait for it or stop it"), "{told}");
    assert_eq!(append(&journal, "a", "one").await, [1]);
    drop(lease);
    until_free(&journal).await;
    let absent = journal.acquire("x").await.map(|_| ()).unwrap_err();
    expect!["there is no session `x`; list them with `tagline sessions list`"]
        .assert_eq(&absent.to_string());
}

pub(crate) async fn each_lease_has_a_higher_epoch<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let mut last = 0;
    for _ in 0..3 {
        let epoch = until_free(&journal).await;
        assert!(last < epoch);
        last = epoch;
    }
}

pub(crate) async fn a_session_in_use_is_not_deleted_by_others<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let lease = journal.acquire("a").await.unwrap();
    append(&journal, "a", "one").await;
    // Who holds it may.
    journal.delete("a").await.unwrap();
    assert!(matches!(lease.renew().await, Err(StoreError::LeaseLost { .. })));
}

/// A lease is given back without waiting, so it may be a moment until it is free. Its epoch.
async fn until_free(journal: &impl tagline_store::Journal) -> u64 {
    loop {
        match journal.acquire("a").await {
            Ok(lease) => return lease.epoch(),
            Err(StoreError::Busy { .. }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}
