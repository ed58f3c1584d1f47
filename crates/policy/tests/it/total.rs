//! Any text gets an answer, and quoting cannot hide a crime.

use proptest::prelude::*;
use tagline_policy::{Mode, Verdict};

use crate::situation::{judge, shown};

/// Text made of what means something to a shell.
fn shellish() -> impl Strategy<Value = String> {
    let pieces = vec![
        "ls", "rm", "-rf", "/", "~", "cat", "bash", "-c", "sudo", "env", "find", "-exec", "xargs",
        "cd", "..", "*", "{", "}", "(", ")", "$(", "`", "$", "${", "$'", "'", "\"", "\\", ";", "&",
        "&&", "||", "|", ">", "<", "<<EOF", "EOF", "\n", " ", " ", " ", "=", "if", "then", "fi",
        "for", "do", "done", "case", "esac", "[[", "]]", "#", "!", "\u{0}", "\r", "\u{200b}", "é",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

/// One word in one of its spellings.
fn spelled(word: &'static str) -> impl Strategy<Value = String> {
    let way = 0..6_u8;
    prop::collection::vec(way, word.len()).prop_map(move |ways| {
        let letter = |(it, way): (char, u8)| match way {
            0 => format!("'{it}'"),
            1 => format!("\"{it}\""),
            2 => format!("\\{it}"),
            3 => format!("$'\\x{:02x}'", u32::from(it)),
            4 => format!("$'\\{:03o}'", u32::from(it)),
            _ => it.to_string(),
        };
        word.chars().zip(ways).map(letter).collect()
    })
}

fn joined() -> impl Strategy<Value = String> {
    let blank = prop::sample::select(vec![" ", "  ", "\t", "${IFS}", " \\\n", "$IFS "]);
    let before = prop::sample::select(vec![
        "",
        "ls; ",
        "ls && ",
        "sudo ",
        "env A=b ",
        "if true; then ",
        "( ",
        "echo $(",
        "timeout 5 ",
        "nice -n 5 ",
        "true | ",
        "! ",
        "{ ",
        "x=1; ",
        "\n\n",
    ]);
    let target = prop_oneof![
        spelled("/"),
        spelled("/home/u"),
        spelled("/home/u/work"),
        Just("~".to_owned()),
        Just("\"$HOME\"".to_owned()),
        Just("/*".to_owned()),
    ];
    (before, spelled("rm"), blank, spelled("-rf"), target).prop_map(
        |(before, program, blank, option, target)| {
            let end = match before.trim() {
                "if true; then" => "; fi",
                "(" | "echo $(" => ")",
                "{" => "; }",
                _ => "",
            };
            format!("{before}{program}{blank}{option}{blank}{target}{end}")
        },
    )
}

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,80}") {
        judge(&text, Mode::Auto, Vec::new());
    }

    #[test]
    fn any_shellish_text_gets_an_answer(text in shellish()) {
        judge(&text, Mode::Auto, Vec::new());
    }

    #[test]
    fn no_spelling_hides_a_removal(text in joined()) {
        let verdict = shown(&judge(&text, Mode::Full, Vec::new()));
        prop_assert!(verdict.starts_with("deny (floor: removes"), "{text:?}: {verdict}");
    }

    #[test]
    fn no_spelling_of_a_writing_program_runs_without_a_question(
        program in spelled("touch"), blank in prop::sample::select(vec![" ", "\t", "  "]),
    ) {
        let verdict = judge(&format!("{program}{blank}x"), Mode::Auto, Vec::new());
        let is_allowed = matches!(verdict, Verdict::Allow { .. });
        prop_assert!(!is_allowed);
    }
}

#[test]
fn deep_nesting_gets_an_answer() {
    for piece in ["(", "$(", "{ ", "`", "\"$(", "if ", "bash -c '"] {
        judge(&piece.repeat(5000), Mode::Auto, Vec::new());
    }
}
