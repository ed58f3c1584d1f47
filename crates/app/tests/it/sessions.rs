//! `sessions` and `replay` from the journal alone.

use expect_test::expect;
use tagline_protocol::{CallId, Event, Mode, Outcome};
use tagline_store::{Durability, Journal as _, NewEvent, SessionInfo, SqliteJournal};

use crate::support::Bench;

fn at(second: u32, call: Option<&str>, event: Event) -> NewEvent {
    let ts = format!("2026-11-27T10:00:{second:02}.000Z");
    NewEvent { run: None, turn: None, call: call.map(|id| CallId(id.to_owned())), ts, event }
}

/// A session as a run would leave it.
fn bench() -> Bench {
    let bench = Bench::new();
    let journal = SqliteJournal::open(&bench.path("home/data/journal.db")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let info = SessionInfo {
        id: "7f3c12".to_owned(),
        created: "2026-11-27T10:00:00.000Z".to_owned(),
        updated: String::new(),
        title: String::new(),
        workspace: "/srv/site".into(),
        profile: "default".to_owned(),
        last_seq: 0,
    };
    runtime.block_on(journal.create(info)).unwrap();
    runtime.block_on(journal.append("7f3c12", events(), Durability::Full)).unwrap();
    bench
}

fn events() -> Vec<NewEvent> {
    let arguments = serde_json::json!({"path": "index.html"});
    let text = |text: &str| text.to_owned();
    vec![
        at(
            0,
            None,
            Event::RunStarted { model: text("script"), mode: Mode::Full, policy: text("free") },
        ),
        at(0, None, Event::UserMessage { text: text("make a page"), media: Vec::new() }),
        at(1, None, Event::PassStarted),
        at(
            2,
            Some("1"),
            Event::ToolReady {
                tool: text("write_file"),
                arguments,
                effect: tagline_protocol::Effect::Write,
            },
        ),
        at(
            3,
            Some("1"),
            Event::ToolDone {
                event: text("write_file"),
                payload: serde_json::json!({"lines": 12}),
                echo: text("written"),
                media: Vec::new(),
                ms: 8,
            },
        ),
        at(
            4,
            None,
            Event::RunFinished {
                outcome: Outcome::Done,
                reason: text("completed"),
                result: Some(text("The page is there.")),
            },
        ),
    ]
}

#[test]
fn sessions_are_listed() {
    let bench = bench();
    expect![[r#"
        --- stdout
        7f3c12  2026-11-27 10:00      6 events  make a page
        exit 0
    "#]]
    .assert_eq(&bench.run("sessions list"));
    expect![[r#"
        --- stdout
        {"id":"7f3c12","created":"2026-11-27T10:00:00.000Z","updated":"2026-11-27T10:00:04.000Z","title":"make a page","workspace":"/srv/site","profile":"default","last_seq":6}
        exit 0
    "#]].assert_eq(&bench.run("sessions list --json"));
}

#[test]
fn looking_for_sessions_makes_no_journal() {
    let bench = Bench::new();
    expect![[r#"
        --- stderr
        no sessions yet; begin one with `tagline run`
        exit 0
    "#]]
    .assert_eq(&bench.run("sessions list"));
    expect![[r#"
        --- stderr
        error: there is no session `7f`; list them with `tagline sessions list`
        exit 2
    "#]]
    .assert_eq(&bench.run("replay 7f"));
    assert!(!bench.path("home/data").exists());
}

#[test]
fn a_session_is_shown_by_the_beginning_of_its_id() {
    let bench = bench();
    expect![[r#"
        --- stdout
        session 7f3c12  2026-11-27T10:00:00.000Z  /srv/site
        tagline 0.1.0  script  mode full  session 7f3c12
          you       make a page
          write     index.html                                   12 lines [time]
        The page is there.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&bench.run("sessions show 7f"));
    expect![[r#"
        --- stderr
        error: there is no session `8`; list them with `tagline sessions list`
        exit 2
    "#]]
    .assert_eq(&bench.run("sessions show 8"));
}

#[test]
fn a_session_as_json_is_its_frames_and_can_be_replayed_from_a_file() {
    let bench = bench();
    let output = bench.command("sessions show 7f --json").output().unwrap();
    let frames = String::from_utf8(output.stdout).unwrap();
    assert_eq!(frames.lines().count(), 6);
    let bench = bench.write("work/frames.jsonl", &frames);
    let replayed = bench.run("replay frames.jsonl");
    expect![[r#"
        --- stdout
        tagline 0.1.0  script  mode full  session 7f3c12
          you       make a page
          write     index.html                                   12 lines [time]
        The page is there.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&replayed);
    assert_eq!(bench.run("replay 7f"), replayed);
}

#[test]
fn a_line_that_is_no_frame_costs_that_line() {
    let frame = r#"{"v":1,"seq":1,"ts":"2026-11-27T10:00:00Z","session":"a","type":"message.user","text":"hi"}"#;
    let bench = Bench::new().write("work/f.jsonl", &format!("nonsense\n{frame}\n"));
    expect![[r#"
        --- stdout
          you       hi
        --- stderr
        warning: [test]/work/f.jsonl:1: no frame: expected ident at line 1 column 2
        exit 0
    "#]]
    .assert_eq(&bench.run("replay f.jsonl"));
}

#[test]
fn a_journal_that_is_damaged_is_told_and_left_alone() {
    let bench = Bench::new().write("home/data/journal.db", &"no database ".repeat(100));
    expect![[r#"
        --- stderr
        error: the journal at `[test]/home/data/journal.db`: expected a SQLite database, but it is damaged (file is not a database); nothing was deleted; open it again so that what can be read is saved, or move it aside
        exit 3
    "#]].assert_eq(&bench.run("sessions list"));
}

/// Replays the session with these flags and this input.
fn replay_with(flags: &str, input: &str) -> String {
    use std::io::Write as _;
    let bench = bench();
    let mut command = bench.command(&format!("replay 7f {flags}"));
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    bench.show(&child.wait_with_output().unwrap())
}

#[test]
fn a_session_is_replayed_step_by_step_until_nobody_steps_on() {
    expect![[r#"
        --- stdout
        tagline 0.1.0  script  mode full  session 7f3c12
          you       make a page
        exit 0
    "#]]
    .assert_eq(&replay_with("--step", "\n\n"));
    assert_eq!(replay_with("--step", "\n\nq\n\n"), replay_with("--step", "\n\n"));
}

#[test]
fn a_session_is_replayed_as_fast_as_asked() {
    assert_eq!(replay_with("--speed 1000", ""), bench().run("replay 7f"));
    expect![[r#"
        --- stderr
        error: invalid value '0' for '--speed <N>': expected a number above 0, such as 10 for ten times as fast

        For more information, try '--help'.
        exit 2
    "#]].assert_eq(&replay_with("--speed 0", ""));
}
