//! What outlives a process.

use expect_test::expect;
use tagline_protocol::{Event, Mode};
use tagline_store::{
    Claim, Claimed, Content, Durability, Journal, StoreError, content_hash, import,
};

use super::{Shared, append, of_run, show, transfer::exported, with_session, words};
use crate::support::{START, message, session};

pub(crate) async fn the_session_of_a_dead_owner_is_taken_over_and_its_appends_are_refused<
    K: Shared,
>(
    kind: &K,
) {
    let old = with_session(kind).await;
    let new = kind.open().await;
    let lease = old.acquire("a").await.unwrap();
    append(&old, "a", "one").await;
    assert!(matches!(new.acquire("a").await, Err(StoreError::Busy { .. })));
    assert!(matches!(new.delete("a").await, Err(StoreError::Busy { .. })));
    kind.orphan("a").await;
    let taken = new.acquire("a").await.unwrap();
    assert!(lease.epoch() < taken.epoch());
    expect!["session `a`: expected to hold it, but another process has taken it over; nothing was written; open the session again"]
        .assert_eq(&words(old.append("a", vec![message("late")], Durability::Full).await));
    assert!(matches!(old.delete("a").await, Err(StoreError::LeaseLost { .. })));
    assert_eq!(append(&new, "a", "two").await, [2]);
    // Giving the old one back takes nothing from the new one.
    drop(lease);
    assert_eq!(append(&new, "a", "three").await, [3]);
    taken.renew().await.unwrap();
    assert_eq!(show(&new, "a").await, "1 one\n2 two\n3 three\n");
}

pub(crate) async fn a_lease_that_was_lost_says_so<K: Shared>(kind: &K) {
    let (old, new) = (with_session(kind).await, kind.open().await);
    let lease = old.acquire("a").await.unwrap();
    kind.orphan("a").await;
    let _taken = new.acquire("a").await.unwrap();
    assert_eq!(lease.renew().await, Err(StoreError::LeaseLost { session: "a".to_owned() }));
}

pub(crate) async fn a_key_whose_owner_died_is_worked_on_again<K: Shared>(kind: &K) {
    let journal = kind.open().await;
    let claim = || Claim::new("k", b"x", START);
    journal.claim(claim()).await.unwrap();
    assert_eq!(journal.claim(claim()).await, Ok(Claimed::Pending));
    kind.orphan_key("k").await;
    assert_eq!(journal.claim(claim()).await, Ok(Claimed::Mine));
    assert_eq!(journal.claim(claim()).await, Ok(Claimed::Pending));
}

pub(crate) async fn a_damaged_record_costs_itself<K: Shared>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two three four").await;
    let written = journal.records("a", 1, 2).await.unwrap();
    kind.overwrite("a", 2, &written[0].json[..20]).await;
    kind.overwrite("a", 3, &written[1].json.replace("\"seq\":3", "\"seq\":9")).await;
    expect![[r#"
        1 one
        2 error: record 2 of session `a` is damaged: EOF while parsing a value at line 1 column 20
        3 error: record 3 of session `a` is damaged: expected number 3, but its text says 9
        4 four
    "#]]
    .assert_eq(&show(&journal, "a").await);
    assert_eq!(append(&journal, "a", "five").await, [5]);
}

pub(crate) async fn a_missing_record_leaves_a_notice<K: Shared>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two three").await;
    kind.remove("a", 2).await;
    expect![[r"
        1 one
        2 error: record 2 of session `a` is damaged: it is missing
        3 three
    "]]
    .assert_eq(&show(&journal, "a").await);
}

pub(crate) async fn damage_survives_export_and_fork<K: Shared>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two three").await;
    kind.overwrite("a", 2, "{\"seq\":2, half").await;
    let hash = content_hash(&journal, "a").await.unwrap();
    let text = exported(&journal, "a").await;
    import(&journal, text.as_bytes(), Some("b"), None).await.unwrap();
    journal.fork("a", session("c"), None).await.unwrap();
    for copy in ["b", "c"] {
        assert_eq!(content_hash(&journal, copy).await.unwrap(), hash, "{copy}");
        let records = journal.records(copy, 1, 1).await.unwrap();
        assert!(matches!(records[0].content, Content::Damaged(_)), "{copy}");
    }
}

pub(crate) async fn what_follows_from_the_log_can_be_made_anew<K: Shared>(kind: &K) {
    let journal = with_session(kind).await;
    let begin =
        Event::RunStarted { model: "m".to_owned(), mode: Mode::Ask, policy: "free".to_owned() };
    for id in ["b", "c"] {
        journal.create(session(id)).await.unwrap();
    }
    append(&journal, "a", "one two").await;
    append(&journal, "b", "one three").await;
    journal.append("b", vec![of_run("r1", begin)], Durability::Full).await.unwrap();
    journal.rename("a", "Named", START).await.unwrap();
    let before = derived(&journal).await;
    kind.drop_derived().await;
    journal.rebuild().await.unwrap();
    assert_eq!(derived(&journal).await, before);
}

/// All that can be asked and follows from the log.
async fn derived(journal: &impl Journal) -> String {
    let sessions = journal.sessions().await.unwrap();
    let open = journal.open_runs().await.unwrap();
    let hits = journal.search("one", 9).await.unwrap();
    format!("{sessions:#?}\n{open:#?}\n{hits:#?}")
}
