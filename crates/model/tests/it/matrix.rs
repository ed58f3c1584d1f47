//! Every fault, over every wire format, in many cuts: the expected class, one end, and success
//! after it where trying again is right.

use std::{collections::BTreeSet, time::Duration};

use tagline_model::{FaultClass, FinishReason, ModelEvent, ModelFault, ModelLimits};

use crate::{
    matrix_cases::{Case, cases},
    played::{Exchange, play},
    wires::{WIRES, Wire},
};

fn class(word: &str) -> FaultClass {
    match word {
        "retry" => FaultClass::Retry,
        "compact" => FaultClass::Compact,
        "ask_user" => FaultClass::AskUser,
        "fail" => FaultClass::Fail,
        word => {
            let seconds = word.strip_prefix("retry after ").unwrap().parse().unwrap();
            FaultClass::RetryAfter(Duration::from_secs(seconds))
        }
    }
}

/// Watchdogs that leave time for a second try within the two minutes.
fn quick(attempts: u32) -> ModelLimits {
    ModelLimits {
        first_byte: Some(Duration::from_secs(5)),
        idle: Duration::from_secs(5),
        attempts,
        ..ModelLimits::default()
    }
}

fn is_retried(fault: &ModelFault) -> bool {
    matches!(fault.class, FaultClass::Retry | FaultClass::RetryAfter(_))
}

#[track_caller]
fn check(wire: Wire, case: &Case) {
    let name = format!("{wire:?}: {}", case.name);
    let played = play(wire, std::slice::from_ref(&case.exchange), quick(1));
    let Err(fault) = played.end else { panic!("{name}: looks finished") };
    // A loading server is asked again even so; the cassette has no more.
    if case.code != "loading" {
        assert_eq!(fault.code, case.code, "{name}: {fault}");
        assert_eq!(fault.class, class(case.class), "{name}: {fault}");
    }
    assert_eq!(played.text, "", "{name}");

    let whole = Exchange::stream(wire.reply("ok").as_bytes(), 100);
    let again = play(wire, &[case.exchange.clone(), whole], quick(2));
    let expected_retry = is_retried(&ModelFault { class: class(case.class), ..fault });
    match again.end {
        Ok(end) => {
            assert!(expected_retry, "{name}: was tried again");
            assert_eq!((end, again.text.as_str()), (ModelEvent::Finish(FinishReason::Stop), "ok"));
            let waits = again.states.iter().filter(|state| *state != "stalled").count();
            assert_eq!(waits, 1, "{name}: the wait was not shown");
        }
        Err(fault) => assert!(!expected_retry, "{name}: {fault}"),
    }
}

#[test]
fn every_fault_has_its_class_on_every_wire_in_every_cut() {
    let mut names = BTreeSet::new();
    for wire in WIRES {
        for size in [1, 3, 10, 64, 4096] {
            for case in cases(wire, size) {
                check(wire, &case);
                names.insert(case.name);
            }
        }
    }
    assert!(22 <= names.len(), "only {} faults", names.len());
}

#[test]
fn a_fault_that_stays_ends_after_the_tries_and_within_the_budget() {
    for wire in WIRES {
        for case in cases(wire, 64).iter().filter(|case| case.class == "retry") {
            let exchanges = vec![case.exchange.clone(); 10];
            let played = play(wire, &exchanges, quick(9));
            let fault = played.end.unwrap_err();
            assert_eq!(fault.code, case.code, "{wire:?}: {}", case.name);
            let waits = played.states.iter().filter(|state| *state != "stalled").count();
            assert!(waits <= 5, "{wire:?}: {}: {:?}", case.name, played.states);
        }
    }
}
