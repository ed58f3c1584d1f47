//! Listed, found, named, copied, deleted.

use std::fmt::Write as _;

use expect_test::expect;
use tagline_protocol::{Event, Mode, Outcome};
use tagline_store::{Durability, Journal as _, OpenRun, StoreError};

use super::{Kind, append, of_run, show, with_session, words};
use crate::support::{START, at, message, session};

pub(crate) async fn the_list_is_newest_first_and_says_what_the_log_says<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    for id in ["old", "new"] {
        journal.create(session(id)).await.unwrap();
    }
    let event = Event::UserMessage { text: "y".to_owned(), media: Vec::new() };
    let later = vec![message(" \n x \nz"), at("2026-11-27T11:30:00.5Z", event)];
    journal.append("old", later, Durability::Full).await.unwrap();
    let mut list = String::new();
    for info in journal.sessions().await.unwrap() {
        let (workspace, profile) = (info.workspace.display(), &info.profile);
        let (id, created, updated) = (&info.id, &info.created, &info.updated);
        let (title, last) = (&info.title, info.last_seq);
        writeln!(list, "{id} {created} {updated} `{title}` {workspace} {profile} {last}").unwrap();
    }
    expect![[r"
        old 2026-11-27T10:00:00.000Z 2026-11-27T11:30:00.500Z `x` /srv/site default 2
        new 2026-11-27T10:00:00.000Z 2026-11-27T10:00:00.000Z `` /srv/site default 0
    "]]
    .assert_eq(&list);
}

pub(crate) async fn a_whole_id_is_found_though_others_begin_with_it<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    for id in ["7f3c", "7f3cab", "81_0", "81x0"] {
        journal.create(session(id)).await.unwrap();
    }
    assert!(matches!(journal.create(session("81x0")).await, Err(StoreError::Exists(_))));
    for (prefix, id) in [("7f3c", "7f3c"), ("7f3ca", "7f3cab"), ("81_", "81_0")] {
        assert_eq!(journal.find(prefix).await.unwrap().id, id, "{prefix}");
    }
    expect!["`7f` begins the id of several sessions: 7f3c, 7f3cab; write more of it"]
        .assert_eq(&words(journal.find("7f").await));
    for absent in ["", "9", "7f3cabc", "%"] {
        let expected = StoreError::NoSession(absent.to_owned());
        assert_eq!(journal.find(absent).await, Err(expected));
    }
}

pub(crate) async fn a_fork_goes_on_alone<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two").await;
    journal.fork("a", session("b"), None).await.unwrap();
    assert_eq!(append(&journal, "a", "three").await, [3]);
    assert_eq!(append(&journal, "b", "other more").await, [3, 4]);
    assert_eq!(show(&journal, "a").await, "1 one\n2 two\n3 three\n");
    assert_eq!(show(&journal, "b").await, "1 one\n2 two\n3 other\n4 more\n");
    assert_eq!(journal.find("b").await.unwrap().title, "one");
    let frames = journal.read("b", 0, 9).await.unwrap();
    assert!(frames.iter().all(|frame| frame.session == "b"));
    let absent = journal.fork("x", session("c"), None).await;
    assert_eq!(absent, Err(StoreError::NoSession("x".to_owned())));
    let taken = journal.fork("a", session("b"), None).await;
    assert_eq!(taken, Err(StoreError::Exists("b".to_owned())));
    assert_eq!(journal.sessions().await.unwrap().len(), 2);
}

pub(crate) async fn a_fork_may_end_early<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two").await;
    journal.rename("a", "Named late", START).await.unwrap();
    for (id, until, shown, title) in [
        ("none", Some(0), "", ""),
        ("some", Some(2), "1 one\n2 two\n", "one"),
        ("all", Some(3), "1 one\n2 two\n3 SessionTitle { title: \"Named late\" }\n", "Named late"),
        (
            "more",
            Some(u64::MAX),
            "1 one\n2 two\n3 SessionTitle { title: \"Named late\" }\n",
            "Named late",
        ),
    ] {
        journal.fork("a", session(id), until).await.unwrap();
        assert_eq!(show(&journal, id).await, shown, "{id}");
        let info = journal.find(id).await.unwrap();
        assert_eq!((info.title.as_str(), info.last_seq), (title, until.unwrap().min(3)), "{id}");
    }
    assert_eq!(append(&journal, "none", "new").await, [1]);
    assert_eq!(append(&journal, "some", "new").await, [3]);
    assert_eq!(journal.find("none").await.unwrap().title, "new");
    journal.rebuild().await.unwrap();
    assert_eq!(journal.find("some").await.unwrap().title, "one");
}

pub(crate) async fn a_name_replaces_the_title<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "first").await;
    journal.rename("a", "The site\nin red", START).await.unwrap();
    append(&journal, "a", "second").await;
    assert_eq!(journal.find("a").await.unwrap().title, "The site");
    let long = "ä".repeat(81);
    journal.rename("a", &long, START).await.unwrap();
    assert_eq!(journal.find("a").await.unwrap().title, format!("{}…", "ä".repeat(79)));
}

pub(crate) async fn what_is_deleted_is_gone<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    journal.create(session("b")).await.unwrap();
    append(&journal, "a", "one").await;
    append(&journal, "b", "two").await;
    journal.delete("a").await.unwrap();
    let absent = StoreError::NoSession("a".to_owned());
    assert_eq!(journal.delete("a").await, Err(absent.clone()));
    assert_eq!(journal.read("a", 0, 9).await, Err(absent.clone()));
    assert_eq!(journal.find("a").await, Err(absent));
    assert_eq!(show(&journal, "b").await, "1 two\n");
    journal.create(session("a")).await.unwrap();
    assert_eq!(append(&journal, "a", "new").await, [1]);
}

pub(crate) async fn a_turn_without_an_end_is_open<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    let begin =
        || Event::RunStarted { model: "m".to_owned(), mode: Mode::Ask, policy: "free".to_owned() };
    let end =
        Event::RunFinished { outcome: Outcome::Done, reason: "completed".to_owned(), result: None };
    let failure = Event::RunFailed { reason: "r".to_owned(), message: "m".to_owned() };
    let events = vec![
        of_run("r1", begin()),
        of_run("r1", end),
        of_run("r2", begin()),
        of_run("r2", failure),
        of_run("r3", begin()),
    ];
    journal.append("a", events, Durability::Full).await.unwrap();
    let open =
        |session: &str| OpenRun { session: session.to_owned(), run: "r3".to_owned(), since: 5 };
    assert_eq!(journal.open_runs().await.unwrap(), [open("a")]);
    journal.fork("a", session("b"), None).await.unwrap();
    assert_eq!(journal.open_runs().await.unwrap(), [open("a"), open("b")]);
    journal.rebuild().await.unwrap();
    assert_eq!(journal.open_runs().await.unwrap(), [open("a"), open("b")]);
    journal.delete("a").await.unwrap();
    assert_eq!(journal.open_runs().await.unwrap(), [open("b")]);
}
