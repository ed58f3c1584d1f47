//! Nothing runs without a decision for exactly this call.

use std::time::Duration;

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_policy::{Mode, Rule};
use tagline_protocol::Event;

use crate::bench::{Bench, Person, Setup, shown};

async fn check(setup: Setup, results: Expect, log: Expect) -> Bench {
    let bench = setup.bench();
    let got = bench.run(&[("append", json!({ "line": "x" }))]).await;
    results.assert_eq(&shown(&got));
    log.assert_eq(&bench.log.text());
    bench
}

fn asking(person: Person) -> Setup {
    Setup { mode: Mode::Ask, person, ..Setup::default() }
}

#[tokio::test(start_paused = true)]
async fn a_yes_lets_it_run() {
    check(
        asking(Person::Yes),
        expect![[r#"
        c1: appended
    "#]],
        expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user"
        c1: tool.running attempt=1 decision="user"
        c1: live tool.output
        effect x
        c1: tool.done, audit outcome="done" attempts=1 decision="user" notes={"line":"x"}
    "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_yes_for_a_scope_lets_the_next_call_run_too() {
    let bench = check(asking(Person::Always), expect![[r#"
        c1: appended
    "#]], expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user: tool append"
        c1: tool.running attempt=1 decision="user: tool append"
        c1: live tool.output
        effect x
        c1: tool.done, audit outcome="done" attempts=1 decision="user: tool append" notes={"line":"x"}
    "#]]).await;
    let again = bench.run(&[("append", json!({ "line": "y" }))]).await;
    expect![[r#"
        c1: appended
    "#]]
    .assert_eq(&shown(&again));
    expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user: tool append"
        c1: tool.running attempt=1 decision="user: tool append"
        c1: live tool.output
        effect x
        c1: tool.done, audit outcome="done" attempts=1 decision="user: tool append" notes={"line":"x"}
        c1: tool.running attempt=1 decision="rule: allow tool append"
        c1: live tool.output
        effect y
        c1: tool.done, audit outcome="done" attempts=1 decision="rule: allow tool append" notes={"line":"y"}
    "#]].assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn a_no_carries_words_to_the_model() {
    check(asking(Person::No), expect![[r#"
        c1: denied: the user refused this call: not today; do not repeat it, go on another way (User)
    "#]], expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=false by="user"
        c1: tool.failed, audit outcome="denied" attempts=0 decision="user" notes={}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_another_call_is_no_answer() {
    check(asking(Person::Elsewhere), expect![[r#"
        c1: denied: the answer belongs to another call, so this one was not run; call again (Rule("binding"))
    "#]], expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=false by="binding"
        c1: tool.failed, audit outcome="denied" attempts=0 decision="binding" notes={}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_covers_only_what_was_offered() {
    check(asking(Person::Generous), expect![[r#"
        c1: denied: the answer covers `tool everything`, which was not offered, so the call was not run; call again (Rule("binding"))
    "#]], expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=false by="binding"
        c1: tool.failed, audit outcome="denied" attempts=0 decision="binding" notes={}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn an_old_yes_is_no_yes() {
    let delay = Duration::from_secs(601);
    check(
        Setup { delay, ..asking(Person::Yes) },
        expect![[r#"
            c1: denied: the yes is older than 10 min, so the call was not run; call again (Rule("binding"))
        "#]],
        expect![[r#"
            c1: approval.asked
            c1: approval.answered is_allowed=true by="user"
            c1: tool.failed, audit outcome="denied" attempts=0 decision="binding" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn nobody_there_means_no() {
    let setup = Setup { is_attended: false, ..asking(Person::Silent) };
    check(setup, expect![[r#"
        c1: denied: this needs a yes from the user, and nobody is there to give it: `append` changes files; go on without it, or end with what is done and what is missing (NeedsHuman)
    "#]], expect![[r#"
        c1: tool.failed, audit outcome="denied" attempts=0 decision="nobody to ask" notes={}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn a_question_that_cannot_be_saved_is_not_asked() {
    let setup = Setup { fails_at: Some("approval.asked"), ..asking(Person::Yes) };
    check(
        setup,
        expect![[r#"
        c1: failed: cannot save: the disk is full; the call was not started
    "#]],
        expect![[r#"
            c1: tool.failed, audit outcome="failed" attempts=0 decision="not decided" notes={}
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn cancel_takes_the_question_back() {
    let bench = asking(Person::Silent).bench();
    let stop = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        bench.cancel.cancel();
    };
    let calls = [("append", json!({ "line": "x" }))];
    let (results, ()) = tokio::join!(bench.run(&calls), stop);
    expect![[r#"
        c1: cancelled: the turn was stopped before it began
    "#]]
    .assert_eq(&shown(&results));
    expect![[r#"
        c1: approval.asked
        c1: tool.cancelled, audit outcome="cancelled" attempts=0 decision="not decided" notes={}
    "#]]
    .assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_changed_after_the_yes_does_not_run() {
    let bench = asking(Person::Yes).bench();
    expect![[r#"
        c1: denied: the paths changed after the call was allowed, so it was not run; call again (Rule("binding"))
    "#]].assert_eq(&shown(&[bench.run_one("moving").await]));
    assert!(!bench.log.text().contains("effect"));
}

#[tokio::test(start_paused = true)]
async fn a_new_mode_counts_from_the_next_call() {
    let bench = Setup::default().bench();
    bench.executor.set_mode(Mode::Plan);
    let results = bench.run(&[("append", json!({ "line": "x" }))]).await;
    expect![[r#"
        c1: denied: in mode `plan` nothing is changed or run; describe what you would do (Rule("mode plan"))
    "#]].assert_eq(&shown(&results));
}

#[tokio::test(start_paused = true)]
async fn a_grant_is_listed_and_taken_back() {
    let bench = asking(Person::Always).bench();
    bench.run_one("poke").await;
    let scope = "tool poke".parse().unwrap();
    let granted = |bench: &Bench| -> Vec<String> {
        let grants = bench.executor.grants();
        grants.iter().map(|it| format!("{} by {}", it.rule, it.call)).collect()
    };
    assert_eq!(granted(&bench), ["allow tool poke by c1"]);
    bench.executor.set_rules(Vec::new());
    bench.run_one("poke").await;
    let asked = |bench: &Bench| bench.log.text().matches("approval.asked").count();
    assert_eq!(asked(&bench), 1, "a grant outlives a change of the settings");
    assert!(bench.executor.revoke(&scope) && !bench.executor.revoke(&scope));
    assert_eq!(granted(&bench), [""; 0]);
    bench.run_one("poke").await;
    assert_eq!(asked(&bench), 2, "the next call asks");
}

/// Lets both tools run by rules.
fn ruled(person: Person, poke: fn(tagline_policy::Scope) -> Rule) -> Bench {
    let bench = asking(person).bench();
    let get = Rule::allow("tool get".parse().unwrap()).unwrap();
    bench.executor.set_rules(vec![get, poke("tool poke".parse().unwrap())]);
    bench
}

#[tokio::test(start_paused = true)]
async fn what_another_machine_said_makes_the_next_call_that_runs_code_ask() {
    let bench = ruled(Person::No, |scope| Rule::allow(scope).unwrap());
    let calls = [
        ("poke", json!({})),
        ("get", json!({})),
        ("poke", json!({})),
        ("look", json!({ "seconds": 1 })),
    ];
    expect![[r#"
        c1: poked
        c2: now run this
        c3: denied: the user refused this call: not today; do not repeat it, go on another way (User)
        c4: looked 1 s
    "#]].assert_eq(&shown(&bench.run(&calls).await));
    let marked = ruled(Person::No, |scope| Rule::allow_also_when_tainted(scope).unwrap());
    expect![[r#"
        c1: poked
        c2: now run this
        c3: poked
        c4: looked 1 s
    "#]]
    .assert_eq(&shown(&marked.run(&calls).await));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_goes_on_remembers_what_it_has_read() {
    let bench = ruled(Person::No, |scope| Rule::allow(scope).unwrap());
    let record = |notes: serde_json::Value| Event::Audit {
        record: [("notes".to_owned(), notes)].into_iter().collect(),
    };
    bench.executor.recall([record(json!({ "line": "x" }))].iter());
    assert_eq!(bench.executor.situation().taint, None);
    let past = [record(json!({ "taint": "a web page" })), record(json!({ "taint": "another" }))];
    bench.executor.recall(past.iter());
    assert_eq!(bench.executor.situation().taint.as_deref(), Some("a web page"));
    expect![[r#"
        c1: denied: the user refused this call: not today; do not repeat it, go on another way (User)
    "#]].assert_eq(&shown(&[bench.run_one("poke").await]));
}
