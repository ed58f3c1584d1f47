//! What the journal says about tokens, money and calls.

use expect_test::expect;

use crate::support::Bench;

/// Days, which differ from run to run.
fn steady(text: &str) -> String {
    let day = regex::Regex::new(r"\d{4}-\d\d-\d\d").unwrap();
    day.replace_all(text, "2026-11-27").into_owned()
}

const SCRIPT: &str = "=== reply\n<write_file path=\"a.txt\">one</write_file>\n<read_file path=\"b.txt\"/>\n=== usage in=1000 cached=600 out=50\n\n=== reply\nDone.\n=== usage in=1200 cached=1000 out=20\n";

#[test]
fn tokens_money_and_calls_are_counted_by_day_and_model() {
    let bench = Bench::new()
        .write("work/s.txt", SCRIPT)
        .write("home/config.toml", "prices = [\"script/* in=1 cached=0.1 out=10\"]\n");
    bench.run("run -q --mode full --model script/s.txt count");
    bench.run("run -q --mode full --model script/s.txt count");
    expect![[r#"
        --- stdout
        day         model         turns  passes    in  cached  out  calls ok     cost
        2026-11-27  script/s.txt      2       4  4.4k     72%  140    2 of 4  $0.0030
        total                         2       4  4.4k     72%  140    2 of 4  $0.0030
        exit 0
    "#]]
    .assert_eq(&steady(&bench.run("stats")));
    expect![[r#"
        --- stdout
        {"day":"2026-11-27","model":"script/s.txt","turns":2,"passes":4,"input_tokens":4400,"cached_tokens":3200,"output_tokens":140,"tools":{"read_file":{"ok":0,"failed":2},"write_file":{"ok":2,"failed":0}},"cost_nanos":2920000}
        exit 0
    "#]].assert_eq(&steady(&bench.run("stats --days 1 --json")));
}

#[test]
fn a_fork_counts_only_what_it_did_itself() {
    let bench = Bench::new().write("work/s.txt", SCRIPT).write("work/t.txt", "=== reply\nYes.\n");
    bench.run("run -q --mode full --model script/s.txt count");
    let list = bench.command("sessions list").output().unwrap().stdout;
    let id = String::from_utf8(list).unwrap().split_whitespace().next().unwrap().to_owned();
    bench.run(&format!("run -q --model script/t.txt --fork {id} again"));
    expect![[r#"
        --- stdout
        day         model         turns  passes    in  cached  out  calls ok  cost
        2026-11-27  script/s.txt      1       2  2.2k     72%   70    1 of 2     -
        2026-11-27  script/t.txt      1       1     -       -    -    0 of 0     -
        total                         2       3  2.2k     72%   70    1 of 2     -
        exit 0
    "#]]
    .assert_eq(&steady(&bench.run("stats")));
}

#[test]
fn without_a_session_there_is_nothing_to_count() {
    expect![[r#"
        --- stderr
        nothing to count yet; begin with `tagline run`
        exit 0
    "#]]
    .assert_eq(&Bench::new().run("stats"));
    assert_eq!(Bench::new().run("stats --json"), "exit 0\n");
}
