//! What holds for every text also holds for calls of other syntaxes, whole and damaged.

use proptest::prelude::*;
use serde_json::Value;
use tagline_parser::{Event, Finish, Limits, Reason, TagSet, TagSpec, ValueKind, parse};
use tagline_testkit::{Mix, damage, holds};

use crate::{
    dialects,
    support::{finish, limits, made, tags},
};

/// A reply of the case files with its tools, damaged in up to three places.
fn case() -> impl Strategy<Value = (TagSet, String)> {
    let cases: Vec<Value> = dialects::all();
    made(move |choices| {
        let n = choices.below(256) * 256 + choices.below(256);
        let case = &cases[n % cases.len()];
        let mut text = case["input"].as_str().unwrap().to_owned();
        text.truncate(text.floor_char_boundary(2000));
        for _ in 0..choices.below(4) {
            text = damage(choices, &text);
        }
        (dialects::tag_set(case), text)
    })
}

proptest! {
    #![proptest_config(crate::support::config())]

    /// P1 to P5 for the replies of the case files.
    #[test]
    fn whatever_a_case_turns_into(
        (set, text) in case(),
        sizes in proptest::collection::vec(1usize..9, 1..6),
        limits in limits(),
        finish in finish(),
    ) {
        let held = holds::everything(&set, limits, &text, &sizes, finish);
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }

    /// P1 to P5 for marks of all syntaxes in any order.
    #[test]
    fn whatever_the_syntax(
        text in made(|choices| {
            let text = tagline_testkit::reply(choices, &tags(), Mix::Every);
            damage(choices, &text)
        }),
        sizes in proptest::collection::vec(1usize..9, 1..6),
        limits in limits(),
        finish in finish(),
    ) {
        let held = holds::everything(&tags(), limits, &text, &sizes, finish);
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }
}

/// A body streams, so a second one cannot take its place.
#[test]
fn a_body_given_twice_is_refused() {
    let reply = concat!(
        r#"<tool_call>{"name": "write_file", "arguments": {"path": "a", "#,
        r#""content": "one", "content": "two"}}</tool_call>"#
    );
    let set = TagSet::new([TagSpec {
        name: "write_file".into(),
        attributes: vec!["path".into()],
        body: Some(ValueKind::Raw),
        ..TagSpec::default()
    }]);
    let events = parse(&set, Limits::default(), reply, Finish::Stop);
    let Some(Event::Fault(fault)) = events.last() else { panic!("{events:?}") };
    assert_eq!(fault.reason, Reason::DuplicateParam);
}
