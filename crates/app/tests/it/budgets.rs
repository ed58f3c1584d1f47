//! `--max-tokens-total` and `--max-cost`.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::{
    provider::{Provider, WIRES, Wire},
    support::Bench,
};

/// Makes a file, and then another one, for 4,000 tokens each.
const SCRIPT: &str = "=== reply\n<write_file path=\"a.txt\">hi</write_file>\n\
                      === usage in=3900 cached=0 out=100\n\
                      === reply\n<write_file path=\"b.txt\">hi</write_file>\n\
                      === usage in=3950 cached=3900 out=50\n\
                      === reply\nBoth are there.\n=== usage in=4000 out=5\n";

/// Runs the flags with a model that plays the script, in mode `full`.
#[track_caller]
fn check(flags: &[&str], expected: Expect) -> Bench {
    let bench = Bench::new().write("work/m.txt", SCRIPT);
    let mut command = bench.command("run --model script/m.txt --mode full");
    let output = command.args(flags).arg("make files").output().unwrap();
    expected.assert_eq(&bench.show(&output));
    bench
}

#[test]
fn the_budget_of_tokens_ends_the_turn_and_keeps_what_was_done() {
    let bench = check(
        &["--max-tokens-total", "7900"],
        expect![[r#"
            --- stderr
            tagline 0.1.0  script/m.txt  mode full  session [id]
              you       make files
              write     a.txt                                        +1 -0 [time]
              warning   the turn reached its limit of tokens: 4000 of 7900 are used, and the
                        next request with its reply takes 3961 or more; raise
                        `--max-tokens-total`, or ask for less at once
            limit  max_tokens_total  1 pass  3.9k in  100 out [time]
              undo: tagline undo [id]
            changed: a.txt
            go on with: tagline run -r [id] "…"
            exit 6
        "#]],
    );
    assert!(bench.path("work/a.txt").exists() && !bench.path("work/b.txt").exists());
}

#[test]
fn the_budget_of_money_ends_the_turn_and_keeps_what_was_done() {
    let price = "script/m.txt in=1 cached=0.1 out=10";
    let bench = check(
        &["--max-cost", "0.007", "--price", price, "--json"],
        expect![[r#"
            --- stdout
            {"status":"limit","code":6,"result":null,"denials":[],"session":"[id]","usage":{"input_tokens":3900,"cached_tokens":0,"output_tokens":100},"cost":0.0049,"passes":1,"tools":{"write_file":{"ok":1,"failed":0}},"changed_files":["a.txt"],"reason":"max_cost"}
            --- stderr
            tagline 0.1.0  script/m.txt  mode full  session [id]
              you       make files
              write     a.txt                                        +1 -0 [time]
              warning   the turn reached its limit of cost: $0.0049 of $0.0070 is spent, and
                        the next request with its reply takes $0.0042 or more; raise
                        `--max-cost`, or ask for less at once
            limit  max_cost  1 pass  3.9k in  100 out  $0.0049 [time]
              undo: tagline undo [id]
            exit 6
        "#]],
    );
    assert!(bench.path("work/a.txt").exists() && !bench.path("work/b.txt").exists());
}

#[test]
fn what_a_turn_costs_is_said_where_the_price_is_known() {
    check(
        &["--price", "script/* in=1 cached=0.1 out=10", "--json"],
        expect![[r#"
            --- stdout
            {"status":"done","code":0,"result":"Both are there.","denials":[],"session":"[id]","usage":{"input_tokens":11850,"cached_tokens":3900,"output_tokens":155},"cost":0.00989,"passes":3,"tools":{"write_file":{"ok":2,"failed":0}},"changed_files":["a.txt","b.txt"],"reason":"completed"}
            --- stderr
            tagline 0.1.0  script/m.txt  mode full  session [id]
              you       make files
              write     a.txt                                        +1 -0 [time]
              write     b.txt                                        +1 -0 [time]
              say       Both are there.
            done  3 passes  11.8k in (32% cached)  155 out  $0.0099 [time]
              undo: tagline undo [id]
            exit 0
        "#]],
    );
}

#[test]
fn a_budget_that_no_request_fits_into_asks_nobody() {
    let bench = Bench::new().write("work/m.txt", SCRIPT);
    let shown = bench.run("run --model script/m.txt --max-tokens-total 100 make");
    assert!(shown.contains("0 of 100 are used"), "{shown}");
    assert!(
        shown.contains("limit  max_tokens_total [time]") && shown.ends_with("exit 6\n"),
        "{shown}"
    );
}

#[test]
fn without_a_price_the_cost_cannot_be_bounded() {
    let bench = check(
        &["--max-cost", "1"],
        expect![[r#"
        --- stderr
        error: --max-cost: the price of `script/m.txt` is not known, so its cost cannot be bounded; name it in dollars for a million tokens, such as `--price "script/m.txt in=1.25 out=10"`, or in `prices` of the configuration; `--max-tokens-total` needs no price
        exit 2
    "#]],
    );
    assert!(!bench.path("home/data/journal.db").exists(), "no session was begun");
    check(
        &["--max-cost", "1", "--price", "script/other in=1 out=1"],
        expect![[r#"
        --- stderr
        error: --max-cost: the price of `script/m.txt` is not known, so its cost cannot be bounded; name it in dollars for a million tokens, such as `--price "script/m.txt in=1.25 out=10"`, or in `prices` of the configuration; `--max-tokens-total` needs no price
        exit 2
    "#]],
    );
    check(
        &["--price", "script/m.txt 5"],
        expect![[r#"
        --- stderr
        error: prices: expected a model, `in=` and `out=`, and `cached=` if that differs, each in dollars for a million tokens, such as `openai/gpt-5 in=1.25 cached=0.125 out=10`, but found `script/m.txt 5`
        exit 3
    "#]],
    );
    check(
        &["--max-cost", "much"],
        expect![[r#"
        --- stderr
        error: --max-cost: expected a number from 0 to 1000000, but found `much`
        exit 2
    "#]],
    );
}

#[test]
fn prices_can_stand_in_the_configuration() {
    let config = "prices = [\"script/m.txt in=1 out=10\"]\n[limits]\nmax_cost = 0.02\n";
    let bench = Bench::new().write("work/m.txt", SCRIPT).write("home/config.toml", config);
    let shown = bench.run("run --model script/m.txt --mode full make");
    assert!(shown.contains("11.8k in (32% cached)  155 out  $0.0134"), "{shown}");
}

#[test]
fn each_provider_is_counted_once_a_pass_and_told_how_little_is_left() {
    for wire in WIRES {
        let most = |budget: u32| {
            let provider = Provider::start(wire, &["Fine."]);
            let bench = provider.known_to(Bench::new(), "canary-0123456789");
            let flags = format!("--max-tokens-total {budget} --json");
            let shown = bench.run(&format!("run --model {} {flags} task", wire.model()));
            let usage = r#""usage":{"input_tokens":1000,"output_tokens":50}"#;
            assert!(shown.contains(usage), "{wire:?}: {shown}");
            most(wire, &provider.body())
        };
        let little = most(4_500).unwrap();
        assert!((500..1_500).contains(&little), "{wire:?}: {little}");
        // More than a model may write is refused by its provider, so it is not asked for.
        assert!(most(100_000).is_none_or(|most| most <= 8_192), "{wire:?}");
    }
}

/// Most tokens of the reply that a request asks for.
fn most(wire: Wire, body: &Value) -> Option<u64> {
    let most = match wire {
        Wire::OpenAi => "/max_completion_tokens",
        Wire::Anthropic => "/max_tokens",
        Wire::Gemini => "/generationConfig/maxOutputTokens",
    };
    body.pointer(most).and_then(Value::as_u64)
}
