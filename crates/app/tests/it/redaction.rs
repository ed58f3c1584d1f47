//! Secrets of the process, wherever a hostile model would have them: each is covered by its name.

use std::{fs, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    provider::{Provider, Wire},
    support::Bench,
};

const KEY: &str = "canary-0123456789/+ä";
const MARK: &str = "[secret OPENAI_API_KEY]";

/// What commands print of the key: whole, twice encoded, and in pieces with pauses.
fn leaks() -> String {
    let (one, two) = KEY.split_at(9);
    let json = serde_json::to_string(&format!("\"{KEY}\"")).unwrap();
    let lines = [
        KEY.to_owned(),
        STANDARD.encode(format!("Bearer {KEY}")),
        "canary-0123456789%2F%2B%C3%A4".to_owned(),
        json,
    ];
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("cat <<'END'\n{lines}END\nprintf '%s' '{one}'; sleep 0.2; echo '{two}'")
}

/// The log of the one command of the one session.
fn log(runs: &Path) -> String {
    let only = |folder: &Path| fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    fs::read_to_string(only(&only(runs).join("logs"))).unwrap()
}

#[test]
fn a_key_is_in_no_event_no_file_and_no_request() {
    // Plays the script of a model that knows the key, over the wire, so that requests are seen.
    let call = format!("<execute_command><![CDATA[{}]]></execute_command>", leaks());
    let done = format!("<attempt_completion>The key is {KEY}.</attempt_completion>");
    let read = "<read_file path=\"notes.txt\"/>";
    let provider = Provider::start(Wire::OpenAi, &[&call, read, &done]);
    let bench = provider.known_to(Bench::new(), KEY);
    let bench = bench.write("notes.txt", "").write("home/config.toml", "detail = \"compact\"\n");
    fs::write(bench.path("work/notes.txt"), format!("the key: {KEY}\n")).unwrap();
    let output = bench
        .command("run --mode full --model openai/m --jsonl --trace-file ../trace.jsonl")
        .arg(format!("my key is {KEY}"))
        .env("TAGLINE_LOG", "debug")
        .output()
        .unwrap();
    let shown = bench.show(&output);
    fs::remove_file(bench.path("work/notes.txt")).unwrap();
    assert!(shown.ends_with("exit 0\n"), "{shown}");
    for kind in ["message.user", "tool.ready", "tool.output", "tool.done", "run.finished"] {
        let type_of = format!("\"type\":\"{kind}\"");
        let mut events = shown.lines().filter(|line| line.contains(&type_of));
        assert!(events.any(|line| line.contains(MARK)), "{kind}: {shown}");
    }
    let log = log(&bench.path("home/state/runs"));
    let coded = "\\\"[secret OPENAI_API_KEY]\\\"";
    assert_eq!(log.matches(MARK).count(), 5, "{log}");
    assert!(log.contains(coded) && log.ends_with(&format!("\n{MARK}\n")), "{log}");
    let asked = provider.asked();
    assert_eq!(asked.len(), 3);
    for request in &asked {
        assert!(request.body().contains(MARK), "{}", request.body());
        assert!(!request.body().contains("canary-0123456789"), "{}", request.body());
    }
    let raw = String::from_utf8(output.stdout).unwrap();
    let id = raw.split("\"session\":\"").nth(1).unwrap().split('"').next().unwrap();
    let sessions =
        [format!("sessions export {id}"), format!("replay {id}"), "sessions search key".to_owned()];
    for verb in sessions {
        let told = bench.run(&verb);
        assert!(told.ends_with("exit 0\n"), "{verb}: {told}");
    }
}

#[test]
fn help_does_not_repeat_the_password_of_a_database() {
    let url = "postgres://me:canary-of-the-database@127.0.0.1:1/work";
    let bench = Bench::new().var("TAGLINE_DATABASE_URL", url);
    let help = bench.run("serve --help");
    assert!(help.contains("TAGLINE_DATABASE_URL") && !help.contains("canary"), "{help}");
    let refused = bench.run("serve --port 0");
    assert!(refused.ends_with("exit 3\n") && !refused.contains("canary"), "{refused}");
}
