//! `tagline keys`, and where keys go from there: to their provider, and nowhere else.

use std::{fs, io::Write as _, os::unix::fs::PermissionsExt as _, process::Stdio};

use expect_test::{Expect, expect};

use crate::{
    provider::{Provider, Wire},
    support::Bench,
};

const KEY: &str = "canary-0123456789";

/// Runs the verb with this on its standard input.
fn told(bench: &Bench, args: &str, input: &str) -> String {
    let mut command = bench.command(args);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A verb that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let shown = bench.show(&child.wait_with_output().unwrap());
    assert!(!shown.contains(KEY), "{shown}");
    shown
}

#[track_caller]
fn check(bench: &Bench, steps: &[(&str, &str)], expected: Expect) {
    let shown = steps.iter().map(|(args, input)| format!("$ {args}\n{}", told(bench, args, input)));
    expected.assert_eq(&shown.collect::<String>());
}

/// What is done with keys, and typed.
const LIFE: [(&str, &str); 7] = [
    ("keys list", ""),
    ("keys set openai", "canary-0123456789\n"),
    ("keys set anthropic", KEY),
    ("keys list", ""),
    ("keys list --json", ""),
    ("keys remove openai", ""),
    ("keys remove openai", ""),
];

#[test]
fn a_key_is_kept_listed_and_forgotten_and_never_shown() {
    let bench = Bench::new().var("ANTHROPIC_API_KEY", "canary-9876543210");
    check(
        &bench,
        &LIFE,
        expect![[r#"
        $ keys list
        --- stdout
        anthropic    ANTHROPIC_API_KEY
        exit 0
        $ keys set openai
        --- stderr
        note: this build has no keyring of the system; it is built with `--features keyring`
        the key of `openai` is in `[test]/home/keys.json`, which you alone can read
        exit 0
        $ keys set anthropic
        --- stderr
        note: this build has no keyring of the system; it is built with `--features keyring`
        the key of `anthropic` is in `[test]/home/keys.json`, which you alone can read
        warning: ANTHROPIC_API_KEY is set, and goes before it
        exit 0
        $ keys list
        --- stdout
        anthropic    ANTHROPIC_API_KEY
        anthropic    file  behind the variable
        openai       file
        exit 0
        $ keys list --json
        --- stdout
        {"provider":"anthropic","from":"ANTHROPIC_API_KEY","is_used":true}
        {"provider":"anthropic","from":"file","is_used":false}
        {"provider":"openai","from":"file","is_used":true}
        exit 0
        $ keys remove openai
        --- stderr
        the key of `openai` is no longer in the file
        exit 0
        $ keys remove openai
        --- stderr
        error: no key of `openai` is kept; `tagline keys list` shows which are
        exit 2
    "#]],
    );
    let file = bench.path("home/keys.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(&file).unwrap().contains(KEY));
}

#[test]
fn what_is_no_key_is_refused() {
    let bench = Bench::new();
    let long = "k".repeat(9_000);
    let steps = [
        ("keys set openai", ""),
        ("keys set openai", "short\n"),
        ("keys set openai", "canary-0123456789\nsecond line\n"),
        ("keys set opanai", KEY),
        ("keys set", KEY),
        ("keys set openai", long.as_str()),
    ];
    check(
        &bench,
        &steps,
        expect![[r#"
        $ keys set openai
        --- stderr
        error: keys set: expected one line with a key of 8 bytes or more on standard input, but found nothing
        exit 2
        $ keys set openai
        --- stderr
        error: keys set: expected one line with a key of 8 bytes or more on standard input, but found 5 bytes
        exit 2
        $ keys set openai
        --- stderr
        error: keys set: expected one line with a key of 8 bytes or more on standard input, but found several lines, or control characters
        exit 2
        $ keys set opanai
        --- stderr
        error: keys: expected one of anthropic, openai, gemini, openrouter, groq, mistral, deepseek, xai, huggingface, azure, ollama, but found `opanai`; did you mean `openai`?
        exit 2
        $ keys set
        --- stderr
        error: the following required arguments were not provided:
          <PROVIDER>

        Usage: tagline keys set <PROVIDER>

        For more information, try '--help'.
        exit 2
        $ keys set openai
        --- stderr
        error: keys set: expected one line with a key of 8 bytes or more on standard input, but found more than 8192 bytes
        exit 2
    "#]],
    );
    assert!(!bench.path("home/keys.json").exists());
}

#[test]
fn a_file_that_others_can_read_is_refused_by_whoever_needs_a_key() {
    let bench = Bench::new();
    told(&bench, "keys set openai", KEY);
    let open = fs::Permissions::from_mode(0o644);
    fs::set_permissions(bench.path("home/keys.json"), open).unwrap();
    let steps = [("keys list", ""), ("models", ""), ("run --model openai/x task", "")];
    check(
        &bench,
        &steps,
        expect![[r#"
        $ keys list
        --- stderr
        error: the keys in `[test]/home/keys.json`: expected a file that you alone can read, mode 0600, but found mode 0644; `chmod 600` it, and replace the keys if somebody else uses this machine
        exit 3
        $ models
        --- stderr
        error: the keys in `[test]/home/keys.json`: expected a file that you alone can read, mode 0600, but found mode 0644; `chmod 600` it, and replace the keys if somebody else uses this machine
        exit 3
        $ run --model openai/x task
        --- stderr
        error: the keys in `[test]/home/keys.json`: expected a file that you alone can read, mode 0600, but found mode 0644; `chmod 600` it, and replace the keys if somebody else uses this machine
        exit 3
    "#]],
    );
}

#[test]
fn a_kept_key_goes_to_its_provider_behind_the_environment() {
    let provider = Provider::start(Wire::OpenAi, &["Done.", "Done."]);
    let (address, variable) = Wire::OpenAi.variables();
    let bench = Bench::new().var(address, provider.address());
    told(&bench, "keys set openai", KEY);
    let run = "run -q --model openai/m task";
    assert!(bench.run(run).ends_with("exit 0\n"));
    let bench = bench.var(variable, "canary-of-the-environment");
    assert!(bench.run(run).ends_with("exit 0\n"));
    let asked: Vec<_> = provider.asked().iter().map(|asked| asked.head.to_lowercase()).collect();
    let sent = |at: usize, key: &str| {
        asked.get(at).unwrap().contains(&format!("authorization: bearer {key}"))
    };
    assert!(sent(0, KEY) && sent(1, "canary-of-the-environment"), "{asked:?}");
}
