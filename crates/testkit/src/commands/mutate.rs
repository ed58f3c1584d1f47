//! Other spellings of a command, which mean the same or nothing at all.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use crate::Choices;

type Operator = fn(&str, &mut Choices<'_>) -> String;

/// Ways to change a text, from the smallest to the largest.
const OPERATORS: &[Operator] = &[
    quoted,
    escaped,
    ansi,
    empty,
    cased,
    wide,
    blanks,
    invisible,
    joined,
    nested,
    nested,
    substituted,
    wrapped,
    encoded,
    flowed,
    padded,
    commented,
];

/// One to three changes, one after the other. Whoever changes a letter in a name may change what it
/// means; whatever comes of it must not run either.
#[must_use]
pub fn mutated(text: &str, choices: &mut Choices<'_>) -> String {
    let n = 1 + choices.below(3);
    (0..n).fold(text.to_owned(), |text, _| change(&text, choices))
}

fn change(text: &str, choices: &mut Choices<'_>) -> String {
    let operator = OPERATORS.get(choices.below(OPERATORS.len()));
    operator.map(|operator| operator(text, choices)).unwrap_or_default()
}

/// The place of a letter, if there is one.
fn letter(text: &str, choices: &mut Choices<'_>) -> Option<(String, char, String)> {
    let letters: Vec<_> = text.char_indices().filter(|(_, it)| it.is_ascii_alphabetic()).collect();
    let (at, it) = *letters.get(choices.below(letters.len()))?;
    let (head, tail) = text.split_at_checked(at)?;
    Some((head.to_owned(), it, tail.get(1..)?.to_owned()))
}

fn at_letter(text: &str, choices: &mut Choices<'_>, spell: impl Fn(char) -> String) -> String {
    match letter(text, choices) {
        Some((head, it, tail)) => head + &spell(it) + &tail,
        None => text.to_owned(),
    }
}

fn quoted(text: &str, choices: &mut Choices<'_>) -> String {
    let mark = choices.word(&["'", "\""]);
    at_letter(text, choices, |it| format!("{mark}{it}{mark}"))
}

fn escaped(text: &str, choices: &mut Choices<'_>) -> String {
    at_letter(text, choices, |it| format!("\\{it}"))
}

fn ansi(text: &str, choices: &mut Choices<'_>) -> String {
    let is_octal = choices.once_in(2);
    at_letter(text, choices, |it| match is_octal {
        true => format!("$'\\{:03o}'", u32::from(it)),
        false => format!("$'\\x{:02x}'", u32::from(it)),
    })
}

fn empty(text: &str, choices: &mut Choices<'_>) -> String {
    let nothing = choices.word(&["''", "\"\"", "${x}", "$@", "\\\n", "${x:-}"]);
    at_letter(text, choices, |it| format!("{it}{nothing}"))
}

fn cased(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.once_in(3) {
        true => text.to_uppercase(),
        false => at_letter(text, choices, |it| it.to_uppercase().to_string()),
    }
}

fn wide(text: &str, choices: &mut Choices<'_>) -> String {
    let widened = |it: char| char::from_u32(u32::from(it) + 0xfee0).unwrap_or(it);
    at_letter(text, choices, |it| widened(it).to_string())
}

fn blanks(text: &str, choices: &mut Choices<'_>) -> String {
    let blank = choices.word(&[
        "  ", "\t", " \\\n", "${IFS}", "$IFS", "\u{a0}", "\u{3000}", "\u{2003}", "\u{b}", "\u{c}",
        " \t ",
    ]);
    match choices.once_in(2) {
        true => text.replace(' ', blank),
        false => text.replacen(' ', blank, 1),
    }
}

fn invisible(text: &str, choices: &mut Choices<'_>) -> String {
    let mark =
        choices.word(&["\u{200b}", "\u{ad}", "\u{202e}", "\u{feff}", "\u{2060}", "\u{e0041}"]);
    at_letter(text, choices, |it| format!("{it}{mark}"))
}

/// Another way to put one command behind another.
fn joined(text: &str, choices: &mut Choices<'_>) -> String {
    let join = choices
        .word(&["; ", "\n", " && ", " || ", " | ", " |& ", " & ", "\r\n", ";\n", "\r", "\u{b}"]);
    let before =
        choices.word(&["ls", "true", "echo a", "cat f", "printf x", "ls src", ":", "cd src"]);
    format!("{before}{join}{text}")
}

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The text as code of something else.
fn nested(text: &str, choices: &mut Choices<'_>) -> String {
    let code = single(text);
    let double = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    match choices.below(12) {
        0 => format!("bash -c {code}"),
        1 => format!("sh -ec {code}"),
        2 => format!("eval {code}"),
        3 => format!("echo {code} | bash"),
        4 => format!("bash <<< {code}"),
        5 => format!("bash <<'EOF'\n{text}\nEOF"),
        6 => format!("python3 -c \"import os; os.system('''{double}''')\""),
        7 => format!("perl -e 'system(q({}))'", text.replace('\'', "")),
        8 => format!("node -e \"require('child_process').execSync(`{double}`)\""),
        9 => format!("printf '%s' {code} | sh"),
        10 => format!("awk 'BEGIN {{ system(\"{}\") }}'", double.replace('\'', "")),
        _ => format!("xargs -I@ bash -c {code}"),
    }
}

fn substituted(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(5) {
        0 => format!("echo $({text})"),
        1 => format!("echo `{}`", text.replace('`', "\\`")),
        2 => format!("cat <({text})"),
        3 => format!("echo \"$({text})\""),
        _ => format!("X=$({text}) ls"),
    }
}

/// Behind a program that runs what follows.
fn wrapped(text: &str, choices: &mut Choices<'_>) -> String {
    let wrapper = choices.word(&[
        "env ",
        "env A=b ",
        "timeout 5 ",
        "nice -n 5 ",
        "nohup ",
        "setsid ",
        "sudo ",
        "command ",
        "exec ",
        "time ",
        "stdbuf -oL ",
        "busybox ",
        "xargs ",
        "doas ",
        "ionice -c 3 ",
        "! ",
        "find . -exec ",
    ]);
    match wrapper {
        "find . -exec " => format!("{wrapper}{text} \\;"),
        _ => format!("{wrapper}{text}"),
    }
}

fn encoded(text: &str, choices: &mut Choices<'_>) -> String {
    let escape = |width: usize| {
        let spelled = |it: u8| match width {
            2 => format!("\\x{it:02x}"),
            _ => format!("\\{it:03o}"),
        };
        text.bytes().map(spelled).collect::<String>()
    };
    let hex: String = text.bytes().map(|it| format!("{it:02x}")).collect();
    match choices.below(7) {
        0 => format!("printf '{}' | sh", escape(2)),
        1 => format!("printf '{}' | bash", escape(3)),
        2 => format!("echo {hex} | xxd -r -p | bash"),
        3 => format!("eval $'{}'", escape(2)),
        4 => format!("bash -c $'{}'", escape(3)),
        5 => format!("echo {} | base64 -d | bash", BASE64.encode(text)),
        _ => format!("python3 -c \"import os; os.system(bytes.fromhex('{hex}').decode())\""),
    }
}

/// Inside control flow.
fn flowed(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(9) {
        0 => format!("if true; then {text}; fi"),
        1 => format!("for i in 1; do {text}; done"),
        2 => format!("while {text}; do break; done"),
        3 => format!("( {text} )"),
        4 => format!("{{ {text}; }}"),
        5 => format!("f() {{ {text}; }}; f"),
        6 => format!("case x in x) {text};; esac"),
        7 => format!("[[ -n x ]] && {text}"),
        _ => format!("{text} &"),
    }
}

fn padded(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => "true; ".repeat(60) + text,
        1 => " ".repeat(500) + text,
        2 => format!("ls{}; {text}", "\t".repeat(300)),
        _ => format!("{}{text}", "ls src && ".repeat(40)),
    }
}

fn commented(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => format!("{text} # ls"),
        1 => format!("# ls\n{text}"),
        2 => format!(": ls; {text}"),
        _ => format!("{text} || ls"),
    }
}
