//! Text in, text out.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use tagline_secret::{Redactor, Secret};

const KEYS: [(&str, &str); 6] = [
    ("A", "abc-defg"),
    ("B", "abc-defg-123"),
    ("C", "23-overlaps"),
    ("D", "p\"s/ w+ü?>"),
    ("DATE", "2026-11-28"),
    ("NAMED_SO", "NAMED_SO"),
];

fn redactor() -> Redactor {
    static MADE: LazyLock<Redactor> = LazyLock::new(|| {
        let redactor = Redactor::default();
        KEYS.iter().for_each(|(name, secret)| redactor.learn(name, &Secret::from(*secret)));
        redactor
    });
    MADE.clone()
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let redactor = redactor();
    let once = redactor.text(text).into_owned();
    assert_eq!(redactor.text(&once), once, "a marker was marked");
    expected.assert_eq(&once);
}

#[test]
fn of_secrets_in_each_other_nothing_is_left() {
    check("abc-defg abc-defg-123 abc-defg-12", expect!["[secret A] [secret B] [secret A]-12"]);
}

#[test]
fn secrets_over_each_other_are_covered_by_one_marker() {
    check("<abc-defg-123-overlaps>", expect!["<[secret B]>"]);
}

#[test]
fn what_is_nearly_a_secret_stays() {
    check("abc-def abc_defg ABC-DEFG", expect!["abc-def abc_defg ABC-DEFG"]);
}

#[test]
fn a_secret_is_found_in_every_form() {
    check(
        r#"p"s/ w+ü?> {"k":"p\"s/ w+ü?>"} p%22s%2F%20w%2B%C3%BC%3F%3E p%22s%2f%20w%2b%c3%bc%3f%3e p%22s%2F+w%2B%C3%BC%3F%3E"#,
        expect![[r#"[secret D] {"k":"[secret D]"} [secret D] [secret D] [secret D]"#]],
    );
}

#[test]
fn a_secret_is_found_in_base64_wherever_it_stands() {
    let coded = ["", "a", "ab", "abc", "Bearer "]
        .map(|before| STANDARD.encode(format!("{before}abc-defg-123 and more")));
    check(
        &coded.join("\n"),
        expect![[r#"
        [secret B]IGFuZCBtb3Jl
        YW[secret B]yBhbmQgbW9yZQ==
        YWJ[secret B]MgYW5kIG1vcmU=
        YWJj[secret B]IGFuZCBtb3Jl
        QmVhcmVyIG[secret B]yBhbmQgbW9yZQ=="#]],
    );
}

#[test]
fn a_name_that_is_its_own_secret_is_marked_once() {
    check("NAMED_SO", expect!["[secret NAMED_SO]"]);
}

#[test]
fn numbers_names_and_nesting_of_json_stay() {
    let mut value = serde_json::json!({
        "at": 20_261_128, "list": ["x 2026-11-28", true, null], "abc-defg": { "deep": "abc-defg-123" },
    });
    redactor().json(&mut value);
    expect![[
        r#"{"at":20261128,"list":["x [secret DATE]",true,null],"[secret A]":{"deep":"[secret B]"}}"#
    ]]
    .assert_eq(&value.to_string());
}

#[test]
fn a_word_is_no_secret() {
    let redactor = Redactor::default();
    redactor.learn("OLLAMA_API_KEY", &Secret::from("local"));
    assert!(redactor.is_empty());
    assert_eq!(redactor.text("a local server"), "a local server");
}

#[test]
fn a_secret_that_is_learned_later_is_known_to_clones() {
    let (redactor, clone) = {
        let it = Redactor::default();
        (it.clone(), it)
    };
    redactor.learn("TOKEN", &Secret::from("0123456789"));
    assert_eq!(clone.text("<0123456789>"), "<[secret TOKEN]>");
    assert!(!clone.is_empty());
    assert_eq!(format!("{clone:?}"), "Redactor { n: 1 }");
}

/// What is shown of these pieces, with a pause behind each.
#[track_caller]
fn check_paused(pieces: &[&str], expected: Expect) {
    let mut stream = redactor().stream();
    let mut shown: Vec<String> =
        pieces.iter().map(|piece| stream.feed(piece) + "|" + &stream.pause()).collect();
    shown.push(stream.finish());
    expected.assert_eq(&shown.join(" / "));
}

#[test]
fn a_prompt_that_ends_like_a_secret_begins_is_shown_in_a_pause() {
    check_paused(&["go on? a", "nswer"], expect!["go on? |a / nswer| / "]);
    check_paused(&["abc", "abc-defg"], expect!["|abc / | / [secret A]"]);
    check_paused(&["[", "y/n]"], expect!["|[ / y/n]| / "]);
}

#[test]
fn a_secret_behind_a_pause_is_covered_but_for_three_bytes() {
    check_paused(
        &["a", "b", "c", "-", "d", "efg"],
        expect!["|a / |b / |c / | / | / | / [secret A]"],
    );
    check_paused(&["abc-", "defg."], expect!["| / [secret A].| / "]);
    check_paused(&["<ab", "c-defg-123>"], expect!["<|ab / [secret B]>| / "]);
}

#[test]
fn a_text_is_asked_whether_a_secret_stands_in_it() {
    let found = ["x abc-defg", "x YWJjLWRlZmc=", "x abc-def", ""].map(|it| redactor().finds(it));
    assert_eq!(found, [true, true, false, false]);
}

/// What each piece of a text lets be shown, and what is shown at its end.
#[track_caller]
fn check_pieces(pieces: &[&str], expected: Expect) {
    let mut stream = redactor().stream();
    let mut out = String::new();
    for piece in pieces {
        out += &format!("{piece:?} shows {:?}", stream.feed(piece));
        out += if stream.is_holding() { ", holds more\n" } else { "\n" };
    }
    expected.assert_eq(&format!("{out}then {:?}\n", stream.finish()));
}

#[test]
fn only_what_may_begin_a_secret_is_held() {
    check_pieces(
        &["plain text", " abc", "-defg", " and", " 2026-11-28ab", "-"],
        expect![[r#"
            "plain text" shows "plain text"
            " abc" shows " ", holds more
            "-defg" shows "", holds more
            " and" shows "[secret A] and"
            " 2026-11-28ab" shows " [secret DATE]", holds more
            "-" shows "ab-"
            then ""
        "#]],
    );
}

#[test]
fn a_secret_at_the_end_of_a_piece_is_held_where_a_longer_one_may_follow() {
    check_pieces(
        &["2026-11-28", "abc-defg", "-12", "3-over", "lap!"],
        expect![[r#"
        "2026-11-28" shows "[secret DATE]"
        "abc-defg" shows "", holds more
        "-12" shows "", holds more
        "3-over" shows "", holds more
        "lap!" shows "[secret B]-overlap!"
        then ""
    "#]],
    );
}

#[test]
fn a_stream_tells_how_much_it_holds_and_not_what() {
    let mut stream = redactor().stream();
    assert_eq!(stream.feed("x abc"), "x ");
    assert_eq!(format!("{stream:?}"), "Stream { held: 3, .. }");
}

/// Texts made of secrets, pieces of them, and what stands between.
fn texts() -> impl Strategy<Value = String> {
    let secrets = KEYS.map(|(_, secret)| secret.to_owned());
    let coded = KEYS.map(|(_, secret)| STANDARD.encode(format!("x{secret}y")));
    let part = prop_oneof![
        prop::sample::select(secrets.to_vec()),
        prop::sample::select(coded.to_vec()),
        (prop::sample::select(secrets.to_vec()), any::<prop::sample::Index>()).prop_map(
            |(it, at)| {
                let chars: Vec<char> = it.chars().collect();
                chars.iter().take(at.index(chars.len())).collect()
            }
        ),
        "[ -~ä]{0,6}",
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_a_text_is_cut_the_same_is_shown(text in texts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let redactor = redactor();
        let whole = redactor.text(&text).into_owned();
        let chars: Vec<char> = text.chars().collect();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        at.extend([0, chars.len()]);
        at.sort_unstable();
        let mut stream = redactor.stream();
        let mut shown = String::new();
        for pair in at.windows(2) {
            let piece: String = chars[pair[0]..pair[1]].iter().collect();
            shown += &stream.feed(&piece);
        }
        shown += &stream.finish();
        prop_assert_eq!(shown, whole);
    }

    #[test]
    fn a_pause_shows_the_end_of_a_text_and_no_secret(text in texts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let redactor = redactor();
        let chars: Vec<char> = text.chars().collect();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        at.extend([0, chars.len()]);
        at.sort_unstable();
        let mut stream = redactor.stream();
        let mut shown = String::new();
        for pair in at.windows(2) {
            let piece: String = chars[pair[0]..pair[1]].iter().collect();
            shown += &stream.feed(&piece);
            shown += &stream.pause();
            prop_assert!(stream.pause().is_empty());
        }
        shown += &stream.finish();
        let markers: Vec<String> = KEYS.iter().map(|(name, _)| format!("[secret {name}]")).collect();
        let bare = |it: &str| markers.iter().fold(it.to_owned(), |it, marker| it.replace(marker, "\n"));
        for (_, secret) in KEYS {
            prop_assert!(!bare(&shown).contains(secret), "{} in {}", secret, shown);
        }
        // What no secret stands in is not changed by pauses.
        if !redactor.finds(&text) {
            prop_assert_eq!(shown, text);
        }
    }

    #[test]
    fn nothing_of_a_secret_is_left(text in texts()) {
        let redactor = redactor();
        let shown = redactor.text(&text).into_owned();
        let bare = KEYS.iter().fold(shown, |it, (name, _)| it.replace(&format!("[secret {name}]"), "\n"));
        for (_, secret) in KEYS {
            prop_assert!(!bare.contains(secret), "{} in {}", secret, bare);
        }
        let once = redactor.text(&text).into_owned();
        prop_assert_eq!(redactor.text(&once).into_owned(), once);
    }
}
