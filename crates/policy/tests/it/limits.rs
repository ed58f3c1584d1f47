//! How much of a command is looked at, to the last that still is.

use tagline_policy::{Mode, Verdict};

use crate::situation::judge;

/// Whether so much is too long or too deep to be checked.
fn is_refused(text: &str) -> bool {
    matches!(judge(text, Mode::Full, Vec::new()), Verdict::Deny { rule, .. }
            if rule == "floor: is too long or too deep to be checked")
}

/// `text` of so many is looked at, of one more it is not.
#[track_caller]
fn check(n: usize, text: impl Fn(usize) -> String) {
    assert_eq!((is_refused(&text(n)), is_refused(&text(n + 1))), (false, true), "{n}");
}

#[test]
fn texts_have_a_length() {
    check(1024 * 1024, |n| "#".repeat(n));
}

#[test]
fn scripts_in_scripts_have_a_depth() {
    check(7, |n| "nohup ".repeat(n) + "eval ''");
}

#[test]
fn programs_that_run_programs_have_a_depth() {
    check(8, |n| "nohup ".repeat(n) + "ls");
}

#[test]
fn scripts_have_a_number() {
    // Each is found twice, by the grammar and where the text is cut; the last only there.
    check(99, |n| "eval ls;".repeat(n) + "echo $((eval ls))");
}

#[test]
fn words_have_a_number() {
    check(299_998, |n| "a ".repeat(n));
}

#[test]
fn folders_have_a_number() {
    check(63, |n| (0..n).map(|it| format!("cd {it};")).collect());
}

#[test]
fn words_that_are_fed_to_a_program_count_for_its_depth() {
    check(7, |n| format!("echo a | {}xargs ls", "nohup ".repeat(n)));
}

/// Beyond this a list in braces is left as it is.
#[test]
fn a_list_in_braces_has_a_length() {
    let text = |n: usize| format!("rm -rf /{{usr,{}}}", "x".repeat(n - 4));
    let is_written_out = |n| {
        matches!(judge(&text(n), Mode::Full, Vec::new()), Verdict::Deny { rule, .. }
            if rule == "floor: removes a folder of the system")
    };
    assert_eq!((is_written_out(32_767), is_written_out(32_768)), (true, false));
}

fn is_run(text: &str) -> bool {
    matches!(judge(text, Mode::Auto, Vec::new()), Verdict::Allow { .. })
}

#[test]
fn a_text_that_is_understood_has_a_length() {
    let text = |n: usize| format!("ls {}", "a".repeat(n - 3));
    assert_eq!((is_run(&text(8192)), is_run(&text(8193))), (true, false));
}

#[test]
fn each_new_folder_may_be_the_one_or_not_and_six_are_followed() {
    let text = |n: usize| (0..n).map(|it| format!("cd {it}; ")).collect::<String>() + "ls";
    assert_eq!((is_run(&text(6)), is_run(&text(7))), (true, false));
}

#[test]
fn empty_lines_and_an_end_are_no_commands() {
    assert!(is_run("ls\n\nls\n") && is_run("\nls\n"));
}

/// The grammar is given steps by the length of a text: the densest lines stay below.
#[test]
fn dense_lines_of_the_greatest_length_are_read() {
    for piece in ["ls;", "ls|", "ls&&", "ls ", "ls\n", "ls ''", "ls a'b'c'd'e;", "ls a=1 b=2|"] {
        let text = piece.repeat(8190 / piece.len()) + "ls";
        assert!(is_run(&text), "{piece:?}");
    }
}
