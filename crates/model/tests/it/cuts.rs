//! However a body is cut into pieces, the reply is the same; wherever it ends too early, it never
//! looks finished.

use futures_util::StreamExt as _;
use proptest::prelude::*;
use tagline_model::{FinishReason, Model as _, ModelEvent, ModelFault};
use tagline_protocol::Usage;

use tagline_fake_provider::{WIRES, Wire};

use crate::played::{Exchange, cassette, play, request, runtime, tries};

/// Short, since it is cut at every byte.
const SHORT: &str = "ü😀<a b=\"c\"/>\n";

const TEXT: &str = "Grüße 😀\r\n<write_file path=\"a\"><![CDATA[\"x\\n\"]]></write_file>";

#[test]
fn a_reply_survives_chunks_and_line_ends_of_every_kind() {
    for wire in WIRES {
        for line_end in ["\n", "\r\n", "\r"] {
            let body = wire.reply(TEXT).replace('\n', line_end);
            for size in [3, 64, 1400, usize::MAX] {
                let played = play(wire, &[Exchange::stream(body.as_bytes(), size)], tries(1));
                assert_eq!(played.text, TEXT, "{wire:?} {line_end:?} {size}");
                assert_eq!(played.end, Ok(ModelEvent::Finish(FinishReason::Stop)));
                let usage = Usage {
                    input_tokens: Some(12),
                    cached_tokens: Some(4),
                    output_tokens: Some(9),
                };
                assert_eq!(played.usage, Some(usage), "{wire:?}");
            }
        }
    }
}

#[test]
fn a_short_reply_survives_every_chunk_size() {
    for wire in WIRES {
        let body = wire.delta(SHORT) + &wire.tail();
        for size in 1..=body.len() {
            let played = play(wire, &[Exchange::stream(body.as_bytes(), size)], tries(1));
            assert_eq!(played.text, SHORT, "{wire:?} {size}");
            assert_eq!(played.end, Ok(ModelEvent::Finish(FinishReason::Stop)));
        }
    }
}

/// Where a reply may end and count as finished: behind its finish reason.
fn finished_from(wire: Wire, body: &str) -> usize {
    let mark = match wire {
        Wire::OpenAi => "\"finish_reason\":\"stop\"}]}",
        Wire::Anthropic => "\"usage\":{\"output_tokens\":9}}",
        Wire::Gemini => "\"thoughtsTokenCount\":2}}",
    };
    body.find(mark).unwrap() + mark.len()
}

#[track_caller]
fn check_cut(wire: Wire, body: &str, at: usize, exchange: Exchange) {
    let played = play(wire, &[exchange], tries(1));
    assert!(SHORT.starts_with(&played.text), "{wire:?} at {at}: {:?}", played.text);
    match played.end {
        Ok(end) => {
            assert!(finished_from(wire, body) <= at, "{wire:?} at {at} looks finished");
            assert_eq!(end, ModelEvent::Finish(FinishReason::Stop));
            assert_eq!(played.text, SHORT);
        }
        // Before any output it is a damaged stream, which is tried again.
        Err(fault) => {
            assert!(at <= finished_from(wire, body) + 1, "{wire:?} at {at}: {fault}");
            let is_known = fault.is_cut() || (played.text.is_empty() && fault.code == "bad_stream");
            assert!(is_known, "{wire:?} at {at}: {fault:?}");
        }
    }
}

#[test]
fn a_reply_cut_at_every_byte_gives_a_prefix_and_says_so() {
    for wire in WIRES {
        let body = wire.reply(SHORT);
        for at in 0..body.len() {
            let bytes = &body.as_bytes()[..at];
            check_cut(wire, &body, at, Exchange::stream(bytes, 512));
            check_cut(wire, &body, at, Exchange::stream(bytes, 512).broken());
        }
    }
}

#[test]
fn an_endless_line_is_a_damaged_stream() {
    let body = vec![b'x'; 5 << 20];
    let played = play(Wire::OpenAi, &[Exchange::stream(&body, 1 << 20).open()], tries(1));
    assert_eq!(played.end.unwrap_err().code, "bad_stream");
}

#[test]
fn a_broken_connection_before_any_output_is_tried_again_in_silence() {
    for wire in WIRES {
        let broken = Exchange::stream(wire.head().as_bytes(), 9).broken();
        let whole = Exchange::stream(wire.reply(TEXT).as_bytes(), 100);
        let played = play(wire, &[broken, whole], tries(3));
        assert_eq!((played.text.as_str(), played.states.len()), (TEXT, 1), "{wire:?}");
    }
}

#[test]
fn nothing_is_asked_again_after_output() {
    for wire in WIRES {
        let half = wire.head() + &wire.delta("half");
        let whole = Exchange::stream(wire.reply(TEXT).as_bytes(), 100);
        for end in
            [Exchange::stream(half.as_bytes(), 9), Exchange::stream(half.as_bytes(), 9).broken()]
        {
            let played = play(wire, &[end, whole.clone()], tries(6));
            assert_eq!(played.text, "half");
            assert!(played.end.unwrap_err().is_cut());
        }
        let error = half + &wire.error_event("overloaded_error", "busy");
        let played = play(wire, &[Exchange::stream(error.as_bytes(), 9), whole], tries(6));
        assert_eq!(played.text, "half");
        assert!(played.end.unwrap_err().is_cut());
    }
}

#[test]
fn after_the_finish_reason_the_connection_may_break_or_hang() {
    for wire in WIRES {
        let tail = wire.tail();
        let tail = tail.split_inclusive("\n\n").take_while(|event| !event.contains("[DONE]"));
        let tail: String = tail.filter(|event| !event.contains("message_stop")).collect();
        let body = wire.head() + &wire.delta("done") + &tail;
        for exchange in [
            Exchange::stream(body.as_bytes(), 64).broken(),
            Exchange::stream(body.as_bytes(), 64).open(),
        ] {
            let played = play(wire, &[exchange], tries(1));
            assert_eq!(played.end, Ok(ModelEvent::Finish(FinishReason::Stop)), "{wire:?}");
            assert!(played.seconds < 6.0, "{wire:?} waited {} s", played.seconds);
        }
    }
}

/// Everything that a reply says, piece by piece as it came.
fn events(wire: Wire, exchange: Exchange) -> Vec<Result<ModelEvent, ModelFault>> {
    let model = cassette(wire, &[exchange]).with_limits(tries(1));
    runtime().block_on(model.ask(request("hello")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_events_are_the_same_wherever_the_network_cuts(
        wire in proptest::sample::select(&WIRES[..]),
        crlf in any::<bool>(),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..12),
    ) {
        let body = wire.reply(TEXT).replace('\n', if crlf { "\r\n" } else { "\n" });
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(body.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Exchange::stream(b"", 1);
        let mut from = 0;
        for cut in cuts.into_iter().chain([body.len()]) {
            pieces = pieces.then_bytes(0, &body.as_bytes()[from..cut]);
            from = cut;
        }
        let whole = Exchange::stream(body.as_bytes(), body.len());
        prop_assert_eq!(events(wire, pieces), events(wire, whole));
    }

    #[test]
    fn damage_never_panics_and_never_looks_finished_without_a_reason(
        wire in proptest::sample::select(&WIRES[..]),
        at in any::<proptest::sample::Index>(),
        byte in any::<u8>(),
        size in 1_usize..600,
    ) {
        let mut body = wire.reply(TEXT).into_bytes();
        let at = at.index(body.len());
        body[at] = byte;
        let played = play(wire, &[Exchange::stream(&body, size)], tries(1));
        // One byte can change what a delta says, but not make the reply longer than it was.
        prop_assert!(played.text.len() <= TEXT.len() + 4, "{}", played.text);
    }

    #[test]
    fn noise_ends_with_a_fault(
        wire in proptest::sample::select(&WIRES[..]),
        body in proptest::collection::vec(any::<u8>(), 0..400),
        size in 1_usize..50,
    ) {
        let played = play(wire, &[Exchange::stream(&body, size)], tries(1));
        prop_assert!(played.end.is_err());
    }
}
