//! Commands behind so much else that the grammar does not read them: they are cut at every operator.

use tagline_policy::{Mode, Rule, Verdict};

use crate::situation::judge;

fn is_denied(text: &str) -> bool {
    let rule = Rule::deny("command touch".parse().unwrap());
    matches!(judge(text, Mode::Full, vec![rule]), Verdict::Deny { .. })
}

#[track_caller]
fn check(texts: &[&str], expected: bool) {
    for text in texts {
        assert_eq!(is_denied(&format!("{}{text}", "true;".repeat(2000))), expected, "{text}");
    }
}

#[test]
fn a_denied_command_is_found_behind_every_operator() {
    check(
        &[
            "touch x",
            "echo \\\"; touch x",
            "echo '\\'; touch x",
            "function f { touch x; }; f",
            "function f${X} { touch x; }; f",
            "if { ls; } then touch x; fi",
            "echo \"$(touch x)\"",
            "echo \"`touch x`\"",
            "echo \"a `touch x` b\"",
            "echo ${ touch x; }",
            "$\"touch\" x",
            "touch>x",
        ],
        true,
    );
}

#[test]
fn what_stands_in_quotes_and_parameters_is_no_command() {
    check(
        &[
            "echo 'a; touch x'",
            "echo \"a; touch x\"",
            "echo ${X:- { touch x }",
            "echo a\\; touch x",
        ],
        false,
    );
}

/// What the grammar reads is taken for what it is; what it does not read, for the worst.
#[test]
fn words_that_look_like_a_removal_are_one_where_nothing_else_is_known() {
    let text = "echo rm -rf /";
    let is_refused =
        |text: &str| matches!(judge(text, Mode::Full, Vec::new()), Verdict::Deny { .. });
    assert!(!is_refused(text));
    assert!(is_refused(&format!("{}{text}", "true;".repeat(2000))));
    for quoted in ["echo -n reboot", "echo A=1 reboot"] {
        assert!(is_refused(&format!("{}{quoted}", "true;".repeat(2000))), "{quoted}");
    }
    let documents = "cat <<A\nA\n".repeat(17);
    assert!(is_refused(&format!("{documents}{text}")));
    assert!(!is_refused(&format!("{}{text}", "cat <<A\nA\n".repeat(16))));
}
