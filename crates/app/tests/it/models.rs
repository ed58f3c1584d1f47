//! `models` and `doctor`.

use expect_test::expect;
use serde_json::Value;

use crate::support::Bench;

/// The lines of a `--json` that has one object per line.
fn objects(output: &str) -> Vec<Value> {
    output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn the_model_that_was_named_comes_first_and_then_what_has_a_key() {
    let bench = Bench::new()
        .write("home/config.toml", "model = \"ollama/qwen3:8b\"\n")
        .var("ANTHROPIC_API_KEY", "sk-ant-secret");
    let found = bench.run("models --json --model http://127.0.0.1:9/v1");
    let found_by: Vec<_> = objects(&found).iter().map(|row| row["found_by"].clone()).collect();
    assert_eq!(found_by[..2], ["flag", "ANTHROPIC_API_KEY"]);
    let found = bench.run("models --json");
    assert_eq!(objects(&found)[0]["model"], "ollama/qwen3:8b");
    assert_eq!(objects(&found)[0]["found_by"], "configuration");
    assert!(!found.contains("secret"), "{found}");
}

#[test]
fn a_name_that_is_none_is_told() {
    expect![[r#"
        --- stderr
        error: model `/x`: expected `provider/model` or an address such as `http://127.0.0.1:8080`; `tagline models` lists what there is
        exit 3
    "#]].assert_eq(&Bench::new().run("models --model /x"));
}

#[test]
fn doctor_names_each_part_with_its_health() {
    let bench = Bench::new();
    let shown = bench.run("doctor --offline");
    let parts: Vec<_> = shown.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for part in ["config", "journal", "tools", "terminal", "sandbox", "summary"] {
        assert!(parts.contains(&part), "{shown}");
    }
    assert!(shown.contains("0 failed, ") && shown.ends_with("exit 0\n"), "{shown}");
    // Whatever the machine can do, it is said.
    let words = [
        "sandbox    ok   enforced, proven by 10 trials; network: its own",
        "sandbox    warn not enforced: ",
    ];
    assert!(words.iter().any(|words| shown.contains(words)), "{shown}");
}

#[test]
fn a_strict_doctor_counts_warnings() {
    let bench = Bench::new().var("TAGLINE_SANDBOX", "off");
    let strict = bench.run("doctor --offline --strict");
    assert!(strict.contains("sandbox    warn off: "), "{strict}");
    assert!(strict.contains("0 failed, 1 warning\nexit 8\n"), "{strict}");
    let bench = bench.write("home/config.toml", "x = 1\n");
    let strict = bench.run("doctor --offline --strict");
    assert!(strict.contains("0 failed, 2 warnings\nexit 8\n"), "{strict}");
    assert!(bench.run("doctor --offline").ends_with("exit 0\n"));
}

#[test]
fn doctor_goes_on_where_the_configuration_is_broken() {
    let bench = Bench::new()
        .write("home/config.toml", "mode = 3\n")
        .write("home/data/journal.db", &"no database ".repeat(100));
    let report = bench.run("doctor --json");
    let report = &objects(&report)[0];
    let failed: Vec<_> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["health"] == "fail")
        .map(|check| check["check"].clone())
        .collect();
    assert_eq!(failed, ["config", "journal"]);
    assert!(bench.run("doctor").ends_with("exit 8\n"));
}

#[test]
fn doctor_names_the_key_that_is_missing() {
    let shown = Bench::new().run("doctor --model openai/gpt-5");
    assert!(shown.contains("model      fail"), "{shown}");
    assert!(shown.contains("`OPENAI_API_KEY`") && shown.ends_with("exit 8\n"), "{shown}");
}
#[test]
fn doctor_asks_the_model_for_one_call() {
    let bench = Bench::new().write("work/m.script", "=== reply\n<say>ready</say>\n");
    let shown = bench.run("doctor --model script/m.script");
    assert!(shown.contains("calls      ok   the model wrote a well-formed call"), "{shown}");
    let bench = Bench::new().write("work/m.script", "=== reply\nI am ready!\n");
    let shown = bench.run("doctor --model script/m.script");
    assert!(shown.contains("calls      warn expected `<say>…</say>`"), "{shown}");
}
