//! The options of programs that only read, in every spelling.

use tagline_policy::{Mode, Verdict};

use crate::situation::{judge, lines, shown};

#[track_caller]
fn asks(text: &str) {
    let verdict = judge(text, Mode::Auto, Vec::new());
    assert!(matches!(verdict, Verdict::Ask { .. }), "{text}: {}", shown(&verdict));
}

/// Each way to write a short option, alone, with a value, and joined with others.
fn short(program: &str, letter: char) -> Vec<String> {
    ["-@", "-@ v a", "-@v a", "-@@ a", "a -@", "-@=v a", "-'@' v a", "\"-@\" v a"]
        .map(|way| format!("{program} {}", way.replace('@', &letter.to_string())))
        .to_vec()
}

/// Each way to write a long option, cut short too.
fn long(program: &str, name: &str) -> Vec<String> {
    let names = (1..=name.len()).map(|n| &name[..n]);
    let ways = |name: &str| {
        [
            format!("--{name}"),
            format!("--{name}=v a"),
            format!("--{name} v a"),
            format!("a --{name}=v"),
        ]
    };
    names.flat_map(ways).map(|words| format!("{program} {words}")).collect()
}

#[test]
fn dangerous_options_ask_in_every_spelling() {
    let mut n = 0;
    for line in lines(include_str!("cases/dangerous-options.txt")) {
        let (program, options) = line.split_once(": ").unwrap();
        let (letters, names) = options.split_once(' ').unwrap_or((options, ""));
        let shorts = letters.chars().filter(|it| *it != '-').flat_map(|it| short(program, it));
        let longs = names.split_whitespace().flat_map(|it| long(program, it));
        // What is cut to the name of a harmless option is that option.
        let is_other = |text: &String| text.split(['=', ' ']).any(|it| it == "--exclude");
        for text in shorts.chain(longs).filter(|text| !is_other(text)) {
            asks(&text);
            n += 1;
        }
    }
    assert!(n >= 1_000, "{n}");
}

#[test]
fn behind_two_dashes_words_are_names_of_files() {
    for text in
        ["sort -- --output=x", "cat -- -n", "head -- -n", "grep -- -f a", "wc -- --files0-from=x"]
    {
        let verdict = judge(text, Mode::Auto, Vec::new());
        assert!(matches!(verdict, Verdict::Allow { .. }), "{text}: {}", shown(&verdict));
    }
    ["cat -- .env", "cat -- ../x", "sort -- /etc/passwd"].iter().for_each(|text| asks(text));
}
