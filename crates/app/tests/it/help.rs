//! The words of `--help`, verb by verb; completions and manual pages say the same.

use expect_test::expect_file;

use crate::support::Bench;

#[track_caller]
fn check(args: &str, expected: expect_test::ExpectFile) {
    let output = Bench::new().command(args).output().unwrap();
    assert!(output.status.success(), "{args}");
    expected.assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_help_of_each_verb_is_as_reviewed() {
    check("--help", expect_file!["help/tagline.txt"]);
    check("run -h", expect_file!["help/run.txt"]);
    check("chat -h", expect_file!["help/chat.txt"]);
    check("config -h", expect_file!["help/config.txt"]);
    check("config show -h", expect_file!["help/config-show.txt"]);
    check("tools -h", expect_file!["help/tools.txt"]);
    check("rules -h", expect_file!["help/rules.txt"]);
    check("prompt -h", expect_file!["help/prompt.txt"]);
    check("models -h", expect_file!["help/models.txt"]);
    check("doctor -h", expect_file!["help/doctor.txt"]);
    check("sessions -h", expect_file!["help/sessions.txt"]);
    check("replay -h", expect_file!["help/replay.txt"]);
    check("stats -h", expect_file!["help/stats.txt"]);
    check("undo -h", expect_file!["help/undo.txt"]);
    check("diff -h", expect_file!["help/diff.txt"]);
    check("serve -h", expect_file!["help/serve.txt"]);
    check("init -h", expect_file!["help/init.txt"]);
    check("keys -h", expect_file!["help/keys.txt"]);
    check("audit -h", expect_file!["help/audit.txt"]);
    check("token -h", expect_file!["help/token.txt"]);
    check("profiles -h", expect_file!["help/profiles.txt"]);
    check("completion -h", expect_file!["help/completion.txt"]);
    check("man -h", expect_file!["help/man.txt"]);
}

#[test]
fn the_version_is_one_line() {
    check("--version", expect_file!["help/version.txt"]);
}

#[test]
fn manual_pages_and_completions_name_every_verb() {
    let bench = Bench::new();
    let help = bench.run("--help");
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let verbs: Vec<_> = verbs.map_while(|line| line.split_whitespace().next()).collect();
    assert!(verbs.contains(&"run") && verbs.contains(&"man"), "{verbs:?}");
    let page = bench.run("man");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = bench.run(&format!("completion {shell}"));
        assert!(verbs.iter().all(|verb| script.contains(verb)), "{shell}");
    }
    for verb in verbs {
        assert!(page.contains(&format!("tagline\\-{verb}(1)")), "{verb}");
        assert!(bench.run(&format!("man {verb}")).contains("exit 0"), "{verb}");
    }
}
