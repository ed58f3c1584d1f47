//! Events as the journal keeps them and as every door sends them.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tagline_protocol::{AnyFrame, EVENT_TYPES, Event, Frame};

/// A frame for every type, as it is written.
const SAMPLES: &str = include_str!("events/samples.jsonl");

fn with(line: &str, key: &str, value: Value) -> String {
    let mut frame: Value = serde_json::from_str(line).unwrap();
    frame[key] = value;
    frame.to_string()
}

#[track_caller]
fn check_error(json: &str, expected: Expect) {
    expected.assert_eq(&serde_json::from_str::<AnyFrame>(json).unwrap_err().to_string());
}

#[test]
fn every_type_has_a_sample_and_its_name() {
    let frames = SAMPLES.lines().map(|line| serde_json::from_str::<Frame>(line).unwrap());
    let kinds: BTreeSet<&str> = frames.map(|it| it.event.kind()).collect();
    assert_eq!(kinds, EVENT_TYPES.iter().copied().collect());
}

#[test]
fn the_list_of_types_is_that_of_the_reader() {
    let error = serde_json::from_str::<Event>(r#"{"type":"?"}"#).unwrap_err().to_string();
    let (_, names) = error.split_once("expected one of ").unwrap();
    let names = names.split('`').skip(1).step_by(2).collect::<Vec<_>>();
    assert_eq!(names, EVENT_TYPES);
}

#[test]
fn samples_read_and_write_back_byte_by_byte() {
    for line in SAMPLES.lines() {
        let frame: Frame = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&frame).unwrap(), line);
        let kind = frame.event.kind();
        assert!(line.contains(&format!("\"type\":\"{kind}\"")), "{line}");
    }
}

#[test]
fn unknown_fields_are_ignored_by_readers_and_kept_by_rewriters() {
    for line in SAMPLES.lines() {
        let extended = with(line, "from_the_future", json!({ "a": [1] }));
        let frame: AnyFrame = serde_json::from_str(&extended).unwrap();
        assert_eq!(frame.frame(), Some(&serde_json::from_str(line).unwrap()));
        assert_eq!(serde_json::to_string(&frame).unwrap(), extended);
    }
}

#[test]
fn frames_of_unknown_types_and_versions_are_kept_whole() {
    for line in SAMPLES.lines() {
        let unknown = with(line, "type", json!("tool.hummed"));
        let frame: AnyFrame = serde_json::from_str(&unknown).unwrap();
        assert!(frame.frame().is_none());
        assert_eq!(frame.kind(), "tool.hummed");
        assert_eq!(serde_json::to_string(&frame).unwrap(), unknown);
    }
    let newer = r#"{"v":2,"seq":1,"type":"usage","input_tokens":"many"}"#;
    assert!(serde_json::from_str::<AnyFrame>(newer).unwrap().frame().is_none());
}

#[test]
fn damage_is_told_and_not_taken_for_the_unknown() {
    check_error(
        r#"{"v":1,"type":"usage"}"#,
        expect!["frame: expected `seq` and `type`, but one is missing"],
    );
    check_error(
        r#"{"v":1,"seq":3,"ts":"t","session":"s","type":"tool.opening"}"#,
        expect!["frame 3 of type `tool.opening`: missing field `tool`"],
    );
}
