//! Found by words.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_protocol::{Effect, Event};
use tagline_store::{Durability, Journal};

use super::{Kind, append, with_session};
use crate::support::{at, session};

/// Each hit in a line.
async fn check(journal: &impl Journal, query: &str, expected: Expect) {
    let mut found = String::new();
    for hit in journal.search(query, 4).await.unwrap() {
        let (session, seq, ts, place) = (&hit.session, hit.seq, &hit.ts, hit.place.name());
        writeln!(found, "{session} {seq} {ts} {place}: {}", hit.excerpt).unwrap();
    }
    expected.assert_eq(&found);
}

async fn filled<K: Kind>(kind: &K) -> K::Journal {
    let journal = with_session(kind).await;
    journal.create(session("b")).await.unwrap();
    let user = |text: &str| Event::UserMessage { text: text.to_owned(), media: Vec::new() };
    let ready =
        |arguments| Event::ToolReady { tool: "t".to_owned(), arguments, effect: Effect::Read };
    let a = vec![
        at("2026-11-27T10:00:01Z", user("Make the café's\nsite red")),
        at("2026-11-27T10:00:02Z", Event::AssistantMessage { text: "A red site.".to_owned() }),
        at("2026-11-27T10:00:03Z", ready(json!({"command": "grep -r red site/"}))),
        at("2026-11-27T10:00:04Z", ready(json!({"path": "site/red.css", "content": "blue"}))),
        at("2026-11-27T10:00:05Z", Event::SayDelta { delta: "red site".to_owned() }),
    ];
    journal.append("a", a, Durability::Full).await.unwrap();
    let b = vec![at("2026-11-27T10:00:09Z", user("Another reddish SITE"))];
    journal.append("b", b, Durability::Full).await.unwrap();
    journal
}

pub(crate) async fn all_words_are_found_newest_first<K: Kind>(kind: &K) {
    let journal = filled(kind).await;
    check(
        &journal,
        "site red",
        expect![[r"
            b 1 2026-11-27T10:00:09.000Z user: Another reddish SITE
            a 4 2026-11-27T10:00:04.000Z file: site/red.css
            a 3 2026-11-27T10:00:03.000Z command: grep -r red site/
            a 2 2026-11-27T10:00:02.000Z assistant: A red site.
        "]],
    )
    .await;
    check(
        &journal,
        "CAFE",
        expect![[r"
            a 1 2026-11-27T10:00:01.000Z user: Make the café's site red
        "]],
    )
    .await;
    for nothing in ["blue", "ed", "red nowhere", "", "\" OR *", "'"] {
        check(&journal, nothing, expect![""]).await;
    }
}

pub(crate) async fn what_was_written_since_the_last_search_is_found<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    assert_eq!(journal.search("late", 9).await.unwrap(), []);
    append(&journal, "a", "early late").await;
    assert_eq!(journal.search("late", 9).await.unwrap().len(), 1);
    append(&journal, "a", "later").await;
    assert_eq!(journal.search("late", 9).await.unwrap().len(), 2);
    journal.rebuild().await.unwrap();
    assert_eq!(journal.search("late", 9).await.unwrap().len(), 2);
}

pub(crate) async fn what_is_deleted_is_not_found<K: Kind>(kind: &K) {
    let journal = filled(kind).await;
    assert_eq!(journal.search("reddish", 9).await.unwrap().len(), 1);
    journal.delete("b").await.unwrap();
    assert_eq!(journal.search("reddish", 9).await.unwrap(), []);
    journal.create(session("b")).await.unwrap();
    append(&journal, "b", "reddish").await;
    assert_eq!(journal.search("reddish", 9).await.unwrap().len(), 1);
}
