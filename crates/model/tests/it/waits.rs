//! Watchdogs and waits, on a virtual clock.

use std::time::Duration;

use serde_json::json;
use tagline_model::{FinishReason, ModelEvent, ModelLimits};

use tagline_fake_provider::{WIRES, Wire};

use crate::played::{Exchange, Played, play, tries};

fn ok(wire: Wire) -> Exchange {
    Exchange::stream(wire.reply("ok").as_bytes(), 100)
}

fn limited(headers: &[(&str, &str)]) -> Exchange {
    Exchange::answer(429, headers, b"", 1)
}

#[track_caller]
fn finished(played: &Played) {
    assert_eq!(played.end, Ok(ModelEvent::Finish(FinishReason::Stop)));
}

#[test]
fn a_named_wait_is_kept() {
    let seconds =
        play(Wire::OpenAi, &[limited(&[("retry-after", "7")]), ok(Wire::OpenAi)], tries(3));
    finished(&seconds);
    assert!((7.0..8.0).contains(&seconds.seconds), "{}", seconds.seconds);
    let dated = limited(&[
        ("retry-after", "Fri, 27 Nov 2026 23:00:30 GMT"),
        ("date", "Fri, 27 Nov 2026 23:00:00 GMT"),
    ]);
    let dated = play(Wire::OpenAi, &[dated, ok(Wire::OpenAi)], tries(3));
    finished(&dated);
    assert!((30.0..33.0).contains(&dated.seconds), "{}", dated.seconds);
}

#[test]
fn a_wait_over_the_limit_ends_at_once_and_names_the_time() {
    let played =
        play(Wire::OpenAi, &[limited(&[("retry-after", "100000")]), ok(Wire::OpenAi)], tries(3));
    assert!(played.seconds < 1.0);
    let fault = played.end.unwrap_err();
    assert!(fault.message.contains("100000 s"), "{fault}");
}

#[test]
fn waits_that_do_not_fit_into_two_minutes_are_not_begun() {
    let slow = limited(&[("retry-after", "50")]);
    let played = play(Wire::OpenAi, &vec![slow; 6], tries(6));
    assert_eq!(played.states, ["retrying", "retrying"]);
    assert!(played.seconds <= 120.0, "{}", played.seconds);
    assert_eq!(played.end.unwrap_err().code, "rate_limit");
}

#[test]
fn a_provider_in_the_cloud_has_60_seconds_to_begin() {
    for wire in WIRES {
        let played = play(wire, &[Exchange::none(json!("open"))], tries(1));
        assert_eq!(played.end.unwrap_err().code, "first_byte");
        assert_eq!(played.states, ["stalled"]);
        assert!((60.0..61.0).contains(&played.seconds), "{}", played.seconds);
    }
}

#[test]
fn comments_and_pings_are_no_content() {
    for wire in WIRES {
        let beat = if wire == Wire::Anthropic {
            "event: ping\ndata: {\"type\":\"ping\"}\n\n"
        } else {
            ": ping\n\n"
        };
        let mut exchange = Exchange::stream((wire.head() + &wire.delta("half")).as_bytes(), 1000);
        for _ in 0..100 {
            exchange = exchange.then(10_000, beat);
        }
        let played = play(wire, &[exchange.open()], tries(1));
        assert_eq!((played.text.as_str(), played.states), ("half", vec!["stalled".to_owned()]));
        assert!((120.0..121.0).contains(&played.seconds), "{wire:?} {}", played.seconds);
        assert!(played.end.unwrap_err().is_cut());
    }
}

#[test]
fn slow_content_is_waited_for() {
    for wire in WIRES {
        let mut exchange = Exchange::stream(wire.head().as_bytes(), 1000);
        for _ in 0..20 {
            exchange = exchange.then(110_000, &wire.delta("x"));
        }
        let played = play(wire, &[exchange.then(110_000, &wire.tail())], tries(1));
        finished(&played);
        assert_eq!(played.text, "x".repeat(20));
        assert_eq!(played.states, vec!["stalled"; 21]);
    }
}

#[test]
fn the_watchdogs_are_configurable() {
    let limits = ModelLimits {
        first_byte: Some(Duration::from_secs(2)),
        idle: Duration::from_secs(3),
        attempts: 1,
        ..ModelLimits::default()
    };
    let played = play(Wire::OpenAi, &[Exchange::none(json!("open"))], limits);
    assert!((2.0..2.1).contains(&played.seconds), "{}", played.seconds);
    let half = Exchange::stream(Wire::OpenAi.delta("half").as_bytes(), 1000).open();
    let played = play(Wire::OpenAi, &[half], limits);
    assert!((3.0..3.1).contains(&played.seconds), "{}", played.seconds);
}

#[test]
fn a_refused_connection_ends_within_seconds() {
    let refused = Exchange::none(json!({"fault": "refused"}));
    let played = play(Wire::OpenAi, &vec![refused; 6], tries(6));
    assert!(played.seconds < 4.0, "{}", played.seconds);
    assert_eq!(played.end.unwrap_err().code, "connect");
}

#[test]
fn a_loading_server_is_waited_for_longer_than_a_failing_one() {
    let body = Wire::OpenAi.error("unavailable_error", "Loading model").to_string();
    let loading = Exchange::answer(503, &[], body.as_bytes(), 10);
    let mut exchanges = vec![loading; 5];
    exchanges.push(ok(Wire::OpenAi));
    let played = play(Wire::OpenAi, &exchanges, tries(1));
    finished(&played);
    assert_eq!(played.states, vec!["loading"; 5]);
}

#[test]
fn counts_of_failed_tries_are_counted_in() {
    let half = Exchange::stream(Wire::Anthropic.head().as_bytes(), 100).broken();
    let played = play(Wire::Anthropic, &[half, ok(Wire::Anthropic)], tries(2));
    let usage = played.usage.unwrap();
    assert_eq!(usage.input_tokens, Some(24));
    assert_eq!(usage.cached_tokens, Some(8));
    assert_eq!(usage.output_tokens, Some(10));
}
