//! `--record`: what a provider sent plays again, and holds no key.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::{
    provider::{Provider, WIRES, Wire},
    support::Bench,
};

const KEY: &str = "canary-0123456789";

/// A task of two passes.
const REPLIES: [&str; 2] = [
    "I write it.\n<write_file path=\"a.txt\"><![CDATA[Grüße\n]]></write_file>\n",
    "<attempt_completion>a.txt is written.</attempt_completion>",
];

/// The frames without what differs from run to run: places, times, and how far the network came
/// with each piece of text.
fn events(bench: &Bench, args: &str) -> Vec<Value> {
    let output = bench.command(args).output().unwrap();
    let shown = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{}", bench.show(&output));
    let mut events = Vec::new();
    for line in shown.lines() {
        let mut frame: Value = serde_json::from_str(line).unwrap();
        let fields = frame.as_object_mut().unwrap();
        for steady in ["seq", "ts", "session", "ms"] {
            fields.remove(steady);
        }
        if fields.get("type").unwrap() == "audit" {
            fields.get_mut("record").unwrap().as_object_mut().unwrap().remove("ms");
        }
        join(&mut events, frame);
    }
    events
}

/// Appends the event, or lets it flow into the last one where both are pieces of one text.
fn join(events: &mut Vec<Value>, next: Value) {
    let without_delta = |event: &Value| {
        let mut event = event.clone();
        event.as_object_mut().unwrap().remove("delta").map(|delta| (event, delta))
    };
    let last = events.last().and_then(without_delta);
    match (last, without_delta(&next)) {
        (Some((last, before)), Some((new, delta))) if last == new => {
            let joined = format!("{}{}", before.as_str().unwrap(), delta.as_str().unwrap());
            events.last_mut().unwrap()["delta"] = joined.into();
        }
        _ => events.push(next),
    }
}

#[test]
fn a_recorded_run_plays_again_with_the_same_events() {
    for wire in WIRES {
        let provider = Provider::start(wire, &REPLIES);
        let bench = provider.known_to(Bench::new(), KEY);
        let model = wire.model();
        let live = events(
            &bench,
            &format!("run --model {model} --mode full --jsonl --record tape.jsonl write"),
        );
        assert_eq!(provider.asked().len(), 2, "{wire:?}");
        fs::remove_file(bench.path("work/a.txt")).unwrap();
        let again = events(&bench, "run --model cassette/tape.jsonl --mode full --jsonl write");
        assert_eq!(again, live, "{wire:?}");
        assert_eq!(fs::read_to_string(bench.path("work/a.txt")).unwrap(), "Grüße");
    }
}

#[test]
fn no_key_of_the_environment_is_in_a_recording() {
    let others = ["canary-of-openrouter", "canary-of-mistral"];
    for wire in WIRES {
        let reply = format!("Your keys are {KEY}, {} and {}.", others[0], others[1]);
        let provider = Provider::start(wire, &[&reply]);
        let bench = provider.known_to(Bench::new(), KEY);
        let bench = bench.var("OPENROUTER_API_KEY", others[0]).var("MISTRAL_API_KEY", others[1]);
        let mut command =
            bench.command(&format!("run --model {} --record tape.jsonl", wire.model()));
        let output = command.arg(format!("what are {KEY} and {}?", others[0])).output().unwrap();
        assert!(output.status.success(), "{}", bench.show(&output));
        assert!(provider.asked()[0].head.contains(KEY), "{wire:?}: the key was sent");
        let tape = fs::read_to_string(bench.path("work/tape.jsonl")).unwrap();
        assert!(tape.contains("Your keys are ****"), "{tape}");
        for secret in ["canary", "authorization", "api-key", "Bearer"] {
            assert!(!tape.contains(secret), "{wire:?} `{secret}`: {tape}");
        }
    }
}

#[test]
fn it_says_how_to_play_the_recording_and_keeps_it_from_others() {
    use std::os::unix::fs::PermissionsExt as _;

    let provider = Provider::start(Wire::OpenAi, &["Fine."]);
    let bench = provider.known_to(Bench::new(), KEY).var("TAGLINE_RECORD", "tape.jsonl");
    expect![[r#"
        --- stdout
        Fine.
        --- stderr
        tagline 0.1.0  openai/m  mode ask  session [id]
          you       task
          say       Fine.
        done  1 pass  1.0k in  50 out [time]
        recorded; play it again with `--model cassette/tape.jsonl`
        exit 0
    "#]]
    .assert_eq(&bench.run("run --model openai/m task"));
    let mode = fs::metadata(bench.path("work/tape.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_recording_replaces_a_recording_and_nothing_else() {
    let provider = Provider::start(Wire::OpenAi, &["Kumquat.", "Papaya."]);
    let bench = provider.known_to(Bench::new(), KEY).write("work/notes.txt", "mine\n");
    let run = |file: &str| bench.run(&format!("run -q --model openai/m --record {file} task"));
    assert_eq!(run("tape.jsonl"), "--- stdout\nKumquat.\nexit 0\n");
    assert_eq!(run("tape.jsonl"), "--- stdout\nPapaya.\nexit 0\n");
    let tape = fs::read_to_string(bench.path("work/tape.jsonl")).unwrap();
    assert!(tape.contains("Pap") && !tape.contains("Kum"), "{tape}");
    expect![[r#"
        --- stderr
        error: cassette `[test]/work/notes.txt`: expected no file yet, or a cassette to replace, but found something else in it; name another file
        exit 3
    "#]]
    .assert_eq(&run("notes.txt"));
    expect![[r#"
        --- stderr
        error: cassette `[test]/work/no/tape.jsonl`: no such file or directory; name another file
        exit 3
    "#]]
    .assert_eq(&run("no/tape.jsonl"));
    assert_eq!(fs::read_to_string(bench.path("work/notes.txt")).unwrap(), "mine\n");
}

#[test]
fn what_plays_a_file_cannot_be_recorded() {
    let bench = Bench::new().write("work/script.txt", "=== reply\nFine.\n");
    expect![[r#"
        --- stderr
        error: model `script/[test]/work/script.txt`: expected a provider whose stream can be recorded, but it plays a file; name a provider or leave recording out
        exit 2
    "#]]
    .assert_eq(&bench.run("run --model script/script.txt --record tape.jsonl task"));
    assert!(!bench.path("work/tape.jsonl").exists());
}
