//! `--fallback`: another model answers where the first cannot.

use crate::support::Bench;

const BUSY: &str = "=== reply\n=== fault overloaded retry busy\n=== repeat forever\n";
const OK: &str = "=== reply\nDone by the other.\n";

#[test]
fn the_model_behind_answers_and_the_switch_is_in_the_events() {
    let bench = Bench::new().write("work/busy.script", BUSY).write("work/ok.script", OK);
    let shown = bench.run("run --model script/busy.script --fallback script/ok.script --jsonl hi");
    assert!(shown.contains("\"state\":\"switched\""), "{shown}");
    assert!(shown.contains("Done by the other."), "{shown}");
    assert!(shown.contains("\"type\":\"run.finished\""), "{shown}");
}

#[test]
fn a_fallback_that_has_to_be_set_right_ends_the_run_before_it_begins() {
    let bench = Bench::new().write("work/ok.script", OK);
    let shown = bench.run("run --model script/ok.script --fallback nobody/x hi");
    assert!(shown.contains("model provider `nobody`: expected one of"), "{shown}");
    assert!(shown.ends_with("exit 3\n"), "{shown}");
}

#[test]
fn a_server_that_is_not_there_is_left_out_with_a_warning() {
    let bench = Bench::new().write("work/ok.script", OK);
    let shown = bench.run("run --model http://127.0.0.1:9 --fallback script/ok.script hi");
    assert!(shown.contains("warning: ") && shown.contains("Done by the other."), "{shown}");
}
