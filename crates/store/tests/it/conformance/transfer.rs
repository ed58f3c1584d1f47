//! Out of a journal and into one.

use expect_test::expect;
use tagline_store::{Content, Journal, MemoryJournal, Stored, content_hash, export, import};

use super::{Kind, append, show, with_session, words};
use crate::support::session;

pub(crate) async fn exported(journal: &impl Journal, session: &str) -> String {
    let mut out = Vec::new();
    export(journal, session, &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

pub(crate) async fn an_export_comes_back_with_an_equal_hash<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one two").await;
    let text = exported(&journal, "a").await;
    let hash = content_hash(&journal, "a").await.unwrap();
    let info = import(&journal, text.as_bytes(), Some("b"), None).await.unwrap();
    assert_eq!((info.title.as_str(), info.last_seq), ("one", 2));
    assert_eq!(content_hash(&journal, "b").await.unwrap(), hash);
    let elsewhere = MemoryJournal::default();
    import(&elsewhere, text.as_bytes(), None, None).await.unwrap();
    assert_eq!(content_hash(&elsewhere, "a").await.unwrap(), hash);
    assert_eq!(exported(&elsewhere, "a").await, text);
    append(&journal, "b", "three").await;
    assert_ne!(content_hash(&journal, "b").await.unwrap(), hash);
    assert_eq!(show(&journal, "b").await, "1 one\n2 two\n3 three\n");
}

pub(crate) async fn unknown_types_and_fields_come_back_as_they_were<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one").await;
    let mut text = exported(&journal, "a").await;
    text += r#"{"v":1,"seq":2,"ts":"2030-01-01T00:00:00Z","session":"a","type":"hologram.shown","depth":[1,2.50],"tune":"\u00fc ü\u0000"}"#;
    text += "\n";
    text += r#"{"v":1,"seq":3,"ts":"2030-01-01T00:00:01Z","session":"a","type":"say.delta","delta":"x","color":"red"}"#;
    text += "\n";
    let info = import(&journal, text.as_bytes(), Some("b"), None).await.unwrap();
    assert_eq!(info.updated, "2030-01-01T00:00:01.000Z");
    let records = journal.records("b", 1, 9).await.unwrap();
    assert_eq!(records[0].content, Content::Unknown("hologram.shown".to_owned()));
    let expected = text.lines().nth(2).unwrap().replace(r#""session":"a""#, r#""session":"b""#);
    assert_eq!(records[0].json, expected);
    assert!(records[1].json.ends_with(r#""color":"red"}"#), "{}", records[1].json);
    let frames = journal.read("b", 0, 2).await.unwrap();
    assert_eq!(super::numbers(&frames), [1, 3]);
    let again = exported(&journal, "b").await;
    assert_eq!(again.replace(r#""session":"b""#, r#""session":"a""#), text);
    journal.fork("b", session("c"), None).await.unwrap();
    let of = |hash: Result<String, _>| hash.unwrap();
    let hashes = (content_hash(&journal, "b").await, content_hash(&journal, "c").await);
    assert_eq!(of(hashes.0), of(hashes.1));
}

pub(crate) async fn what_is_no_export_is_refused_and_leaves_nothing<K: Kind>(kind: &K) {
    let journal = with_session(kind).await;
    append(&journal, "a", "one").await;
    let text = exported(&journal, "a").await;
    let mut told = String::new();
    for wrong in [
        String::new(),
        text.replace("\"session\",\"v\":1", "\"session\",\"v\":9"),
        text.replace("\"tagline\":\"session\"", "\"tagline\":\"recipe\""),
        format!("{text}nonsense\n"),
        text.clone(),
    ] {
        told += &words(import(&journal, wrong.as_bytes(), None, None).await);
        told.push('\n');
    }
    expect![[r#"
        line 1: expected the first line of an exported session, but found EOF while parsing a value at line 1 column 0; give a file that `tagline sessions export` wrote
        line 1: expected version 1 or older, but found 9; use the newer tagline that wrote it
        line 1: expected the first line of an exported session, but found a `recipe`; give a file that `tagline sessions export` wrote
        line 3: expected a record of the session, but found expected ident at line 1 column 2
        session `a` exists already; resume it with `-r a`
    "#]].assert_eq(&told);
    assert_eq!(journal.sessions().await.unwrap().len(), 1);
}

pub(crate) async fn records_with_a_gap_are_refused<K: Kind>(kind: &K) {
    let journal = kind.open().await;
    let records = [1, 3].map(|seq| Stored { seq, json: "{}".to_owned() }).to_vec();
    expect!["session `a`: expected record 2, but found 3; nothing was taken in"]
        .assert_eq(&words(journal.restore(session("a"), records).await));
    assert_eq!(journal.sessions().await.unwrap(), []);
}
