//! Sessions that are found, moved, copied and removed, with a server and without.

use std::fs;

use expect_test::expect;

use crate::support::Bench;

const WORK: &str = "=== reply\nThe needle is here.\n<write_file path=\"site/index.html\">one</write_file>\n<execute_command>echo haystack</execute_command>\n\n=== reply\nDone.\n";

/// A bench with one session; its id.
fn bench() -> (Bench, String) {
    let bench = Bench::new().write("work/s.txt", WORK);
    bench.run("run -q --mode full --model script/s.txt make_a_page");
    let id = ids(&bench).pop().unwrap();
    (bench, id)
}

fn ids(bench: &Bench) -> Vec<String> {
    let output = bench.command("sessions list").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// Days and minutes, which differ from run to run, and numbers: a call that begins while the reply
/// still comes stands before or after the next one.
fn steady(text: &str) -> String {
    let when = regex::Regex::new(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:[0-9.]+Z)?( +\d+)?").unwrap();
    when.replace_all(text, "TIME").into_owned()
}

#[test]
fn words_are_found_in_messages_commands_and_names_of_files() {
    let (bench, _) = bench();
    expect![[r#"
        --- stdout
        [id]  TIME  assistant  The needle is here. <write_file path="site/index.html">one</write_file>
        exit 0
    "#]].assert_eq(&steady(&bench.run("sessions search needle")));
    expect![[r#"
        --- stdout
        [id]  TIME  command    echo haystack
        [id]  TIME  assistant  <execute_command>echo haystack</execute_command>
        exit 0
    "#]]
    .assert_eq(&steady(&bench.run("sessions search hayst")));
    expect![[r#"
        --- stdout
        {"session":"[id]","seq":11,"ts":"TIME","place":"file","excerpt":"site/index.html"}
        {"session":"[id]","seq":10,"ts":"TIME","place":"assistant","excerpt":"…here. <write_file path=\"site/index.html\">one</write_file>"}
        exit 0
    "#]].assert_eq(&steady(&bench.run("sessions search index html --json")));
    expect![[r#"
        --- stderr
        nothing holds all of `nothing like it`
        exit 0
    "#]]
    .assert_eq(&bench.run("sessions search nothing like it"));
}

#[test]
fn an_export_is_taken_in_elsewhere_with_the_same_hash() {
    let (bench, id) = bench();
    let output =
        bench.command(&format!("sessions export {id} --to ../out.jsonl")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let hash = said.trim().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(hash.len(), 64, "{said}");
    let lines = fs::read_to_string(bench.path("out.jsonl")).unwrap();
    assert_eq!(
        bench.command(&format!("sessions export {id}")).output().unwrap().stdout,
        lines.as_bytes()
    );
    let other = Bench::new().write("work/in.jsonl", &lines);
    let taken = other.command("sessions import in.jsonl").output().unwrap();
    assert_eq!(String::from_utf8(taken.stdout).unwrap().trim(), id);
    assert!(String::from_utf8(taken.stderr).unwrap().trim().ends_with(&hash));
    assert_eq!(other.run(&format!("replay {id}")), bench.run(&format!("replay {id}")));
    expect![[r#"
        --- stderr
        error: import: session `[id]` exists already; take it in under another id with `--as ID`
        exit 2
    "#]]
    .assert_eq(&other.run("sessions import in.jsonl"));
    let again = other.run("sessions import in.jsonl --as fresh01");
    assert!(again.contains("fresh01\n") && again.contains(&hash), "{again}");
    expect![[r#"
        --- stderr
        error: nowhere.jsonl: no such file or directory
        exit 2
    "#]]
    .assert_eq(&other.run("sessions import nowhere.jsonl"));
    let broken = Bench::new().write("work/in.jsonl", &lines[..lines.len() / 2]);
    assert!(broken.run("sessions import in.jsonl").ends_with("exit 1\n"));
    assert!(broken.run("sessions list").ends_with("exit 0\n"), "nothing of it was taken in");
    assert!(ids(&broken).is_empty());
}

#[test]
fn sessions_are_copied_and_removed() {
    let (bench, id) = bench();
    let copy = bench.command(&format!("sessions fork {id} -q")).output().unwrap().stdout;
    let copy = String::from_utf8(copy).unwrap().trim().to_owned();
    let of_the_copy = bench.run(&format!("replay {copy}"));
    let note = "  note      up to here a copy of session [id], 1 turn; its changes are\n            undone there\n";
    assert!(of_the_copy.contains(note), "{of_the_copy}");
    assert_eq!(of_the_copy.replace(note, ""), bench.run(&format!("replay {id}")));
    expect![[r#"
        --- stderr
          [id]  make_a_page
        error: delete: nobody is there to confirm the removal of 1 session; add `--yes`
        exit 9
    "#]]
    .assert_eq(&bench.run(&format!("sessions delete {id}")));
    expect![[r#"
        --- stderr
        removed [id]
        exit 0
    "#]]
    .assert_eq(&bench.run(&format!("sessions delete {id} --yes")));
    assert_eq!(ids(&bench), [copy]);
    assert!(bench.run(&format!("sessions show {id}")).ends_with("exit 2\n"));
    assert!(!bench.run("sessions search needle").contains(&id));
}

#[test]
fn a_server_copies_and_removes_its_sessions_itself() {
    let (bench, id) = bench();
    let served = bench.serve("--model script/s.txt");
    let copy = bench.command(&format!("sessions fork {id} -q")).output().unwrap().stdout;
    let copy = String::from_utf8(copy).unwrap().trim().to_owned();
    assert_eq!(ids(&bench).len(), 2);
    let far = Bench::new().var("TAGLINE_SERVER_TOKEN", &bench.token(""));
    let at = format!("sessions --server {}", served.url);
    for args in ["list", "search needle", &format!("show {id}"), &format!("show {id} --json")] {
        let near = bench.command(&format!("sessions {args}")).output().unwrap();
        let away = far.command(&format!("{at} {args}")).output().unwrap();
        assert_eq!(away.stdout, near.stdout, "{args}");
    }
    let exported = far.command(&format!("{at} export {id}")).output().unwrap().stdout;
    let near = bench.command(&format!("sessions export {id}")).output().unwrap().stdout;
    assert_eq!(String::from_utf8(exported).unwrap(), String::from_utf8(near).unwrap());
    assert!(far.run(&format!("{at} delete {copy} --yes")).ends_with("exit 0\n"));
    assert_eq!(ids(&bench), [id]);
}

#[test]
fn profiles_see_their_own_sessions_alone() {
    let (bench, id) = bench();
    expect![[r#"
        --- stderr
        its settings go below `[profiles.work]` in [test]/home/config.toml
        use it with `--profile work`
        exit 0
    "#]]
    .assert_eq(&bench.run("profiles create work"));
    expect![[r#"
        --- stderr
        error: profile `work` exists already
        exit 2
    "#]]
    .assert_eq(&bench.run("profiles create work"));
    expect![[r#"
        --- stderr
        error: profile `no/name`: expected letters, digits, `-` and `_` alone
        exit 3
    "#]]
    .assert_eq(&bench.run("profiles create no/name"));
    bench.run("run -q --profile work --model script/s.txt second");
    expect![[r#"
        --- stdout
        * default          1 session
          work             1 session
        exit 0
    "#]]
    .assert_eq(&bench.run("profiles list"));
    assert_eq!(ids(&bench).len(), 1);
    let work = bench.run("sessions list --profile work");
    assert!(work.contains("second") && !work.contains("make_a_page"), "{work}");
    assert!(bench.run(&format!("replay {id} --profile work")).ends_with("exit 2\n"));
    assert!(!bench.run("sessions search needle --profile work").contains("make_a_page"));
}

#[test]
fn a_profile_is_removed_with_its_sessions_and_no_other() {
    let (bench, id) = bench();
    bench.run("profiles create work");
    bench.run("run -q --profile work --model script/s.txt second");
    expect![[r#"
        --- stderr
        error: profile `work` has 1 session; `--yes` removes them, its token and its settings
        exit 9
    "#]]
    .assert_eq(&bench.run("profiles delete work"));
    expect![[r#"
        --- stderr
        removed profile `work` with 1 session
        exit 0
    "#]]
    .assert_eq(&bench.run("profiles delete work --yes"));
    expect![[r#"
        --- stdout
        * default          1 session
        exit 0
    "#]]
    .assert_eq(&bench.run("profiles list"));
    expect![[r#"
        --- stderr
        error: the profile `default` always exists; delete its sessions with `tagline sessions delete`
        exit 2
    "#]].assert_eq(&bench.run("profiles delete default --yes"));
    assert_eq!(ids(&bench), [id]);
}
