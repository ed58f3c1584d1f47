//! Output that steers terminals, written by commands of the real binary: one fixture for each
//! case, and a table of how each went, `docs/ansi-cases.md`.
//!
//! What counts is what the model was sent, what was shown live and what is kept: none of it may hold
//! a control character but line breaks and tabs, and what was shown live, colors.

use expect_test::expect_file;
use serde_json::Value;

use crate::support::{
    hostile::{Hostile, Told},
    table::{Case, Seen, table},
};

/// A command that prints this, and what the model read of it.
fn printed(stage: &Hostile, output: &str) -> (Told, String) {
    let command = format!("<execute_command><![CDATA[printf '%b' '{output}']]></execute_command>");
    let told = stage.play("--mode full", "print", &[&command]);
    told.ran(&["execute_command done"]);
    let result = told.results().pop().unwrap();
    is_plain(stage, &told);
    (told, result)
}

/// Nothing that was sent, shown or kept holds a control character, plain or as JSON writes it.
#[track_caller]
fn is_plain(stage: &Hostile, told: &Told) {
    let live = without_colors(&live(told));
    let cards = told.of("tool.done").iter().map(|it| it["payload"].to_string()).collect::<String>();
    let read = told.requests.last().unwrap().last().unwrap().text.clone();
    for shown in [live.as_str(), cards.as_str(), read.as_str(), told.err.as_str()] {
        let found = shown.find(|it: char| it.is_control() && it != '\n' && it != '\t');
        assert_eq!(found, None, "{shown:?}");
        assert!(!shown.contains("\\u001b") && !shown.contains("\\u009b"), "{shown}");
    }
    for (file, kept) in stage.logs() {
        let found = kept.iter().find(|byte| byte.is_ascii_control() && !b"\n\t".contains(byte));
        assert_eq!(found, None, "{file}");
    }
}

fn live(told: &Told) -> String {
    told.of("tool.output").iter().map(|it| text(it, "delta")).collect()
}

/// The text without the sequences of colors; what is none stays.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| {
        let after = part.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';');
        match after.strip_prefix('m') {
            Some(after) => all + after,
            None => all + "\u{1b}[" + part,
        }
    })
}

fn text(frame: &Value, name: &str) -> String {
    frame[name].as_str().unwrap().to_owned()
}

fn colors() -> Seen {
    let stage = Hostile::new();
    let output = r"\e[31mred\e[0m \e[38:2::1:2:3mrgb\e[m \0302\023332mgreen";
    let (told, read) = printed(&stage, output);
    assert!(read.contains("red rgb green"), "{read}");
    assert_eq!(
        live(&told),
        "\u{1b}[0m\u{1b}[31mred\u{1b}[0m \u{1b}[0m\u{1b}[38;2;1;2;3mrgb\u{1b}[0m \u{1b}[0m\u{1b}[32mgreen\u{1b}[0m"
    );
    Ok("the model gets `red rgb green`, plain; what is shown live has the colors, and the pane draws them ([page-cases.md](page-cases.md))".to_owned())
}

fn clipboard() -> Seen {
    let stage = Hostile::new();
    let (told, read) = printed(&stage, r"a\e]52;c;cHduZWQ=\ab");
    assert!(read.contains("ab") && !format!("{:?}", told.frames).contains("cHduZWQ=\",\"stream"));
    assert!(!read.contains("cHduZWQ"), "{read}");
    Ok("`ab`: it is removed before anybody gets it".to_owned())
}

fn links() -> Seen {
    let stage = Hostile::new();
    let output = r"\e]8;;http://127.0.0.1:9/x\e\\visible.test\e]8;;\e\\ end";
    let (told, read) = printed(&stage, output);
    assert!(read.contains("visible.test end") && !read.contains("127.0.0.1:9"), "{read}");
    assert_eq!(live(&told), "visible.test end");
    Ok("`visible.test end`: no link is left, in what is shown either".to_owned())
}

fn strings() -> Seen {
    let stage = Hostile::new();
    let output = r"a\eP1;2qdata\e\\b\e_apc\e\\c\e^pm\e\\d\eXsos\e\\e\e]0;open";
    let (_, read) = printed(&stage, output);
    assert!(read.contains("abcde") && !read.contains("data"), "{read}");
    let digits = r"printf '\033['; head -c 1048576 /dev/zero | tr '\0' '1'; printf 'm after\n'";
    let open = r"printf '\033P'; head -c 1048576 /dev/zero | tr '\0' 'x'; printf ' after\n'";
    for command in [digits, open] {
        let command = format!("<execute_command><![CDATA[{command}]]></execute_command>");
        let told = stage.play("--mode full", "print", &[&command]);
        is_plain(&stage, &told);
        let read = told.results().pop().unwrap();
        assert!(read.contains(" after"), "{read}");
    }
    Ok("`abcde`; behind 1 MiB of parameters and behind a string without an end the text goes on; that memory is bounded is held by the test `an_unterminated_string_ends_at_a_limit`".to_owned())
}

/// Writes pieces of sequences one after the other, once it listens.
const PIECES: &str = r#"
import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
for n in range(40):
    for piece in ["\x1b", "[3", "1mred", "\x1b[", "0m", "\xc3\xa9 "]:
        sys.stdout.buffer.write(piece.encode("latin-1")); sys.stdout.flush(); time.sleep(0.01)
print("end", flush=True)
"#;

fn split_sequences() -> Seen {
    let stage = Hostile::new();
    stage.put("pieces.py", PIECES);
    let start = "<execute_command background=\"true\">python3 pieces.py</execute_command>";
    let tail = "<read_command_tail run_id=\"r1\" cursor=\"0\"/>";
    let wait = "<wait_until run_id=\"r1\" exit=\"true\"/>";
    let told = stage.play("--mode full", "print", &[start, tail, tail, wait, tail]);
    is_plain(&stage, &told);
    let read = told.results();
    assert!(read.iter().all(|it| !it.contains("[3") && !it.contains("[0m")), "{read:?}");
    let last = read.last().unwrap();
    assert!(last.contains(&("redé ".repeat(40) + "end")), "{last}");
    Ok("each of 5 reads while it is written holds whole text, never a part of a sequence"
        .to_owned())
}

fn forged_log_line() -> Seen {
    let mut stage = Hostile::new();
    stage.bench = stage.bench.var("TAGLINE_LOG", "trace");
    let forged = "2026-01-01T00:00:00Z  INFO tagline: all is well";
    let read = format!("<read_file><path>a\n{forged}\n\u{1b}[2K</path></read_file>");
    let command = format!("<execute_command>true '\n{forged}\n\u{1b}[31m'</execute_command>");
    let flags = "--mode full --trace-file trace.jsonl";
    let told = stage.play(flags, "log", &[&read, &command]);
    let lines: Vec<_> = told.err.lines().filter(|line| line.starts_with(forged)).collect();
    assert!(lines.is_empty() && !told.err.contains('\u{1b}'), "{lines:?}");
    assert!(told.err.contains("TRACE") || told.err.contains("DEBUG"), "{}", told.err);
    let spans = stage.read("trace.jsonl");
    let are_whole = spans.lines().all(|line| serde_json::from_str::<Value>(line).is_ok());
    assert!(are_whole && spans.contains("execute_command"), "{spans}");
    Ok("no line of the log begins with it, and none holds ESC; the file of `--trace-file` is one JSON object a line".to_owned())
}

fn modes() -> Seen {
    let stage = Hostile::new();
    let (_, read) = printed(&stage, r"a\e]0;title\ab\e[?1049hc\e[?2004hd\ece");
    assert!(read.contains("abcde"), "{read}");
    Ok("`abcde`: nothing of it reaches a terminal, so that nothing stays on".to_owned())
}

const CASES: &[Case] = &[
    Case {
        id: "ANSI-01",
        input: "colors: `ESC[31m`, `ESC[38:2::1:2:3m`, the eight-bit U+009B",
        expected: "the model gets plain text; the pane shows colors",
        fixture: colors,
    },
    Case {
        id: "ANSI-02",
        input: "OSC 52, which writes the clipboard",
        expected: "removed",
        fixture: clipboard,
    },
    Case {
        id: "ANSI-03",
        input: "OSC 8, a link whose text names another place",
        expected: "the true target, or no link",
        fixture: links,
    },
    Case {
        id: "ANSI-05",
        input: "DCS, APC, PM and SOS strings, some without an end, and 1 MiB of parameters",
        expected: "dropped with bounded memory; the text behind them is kept",
        fixture: strings,
    },
    Case {
        id: "ANSI-07",
        input: "sequences and characters in pieces, read while they are written",
        expected: "never a broken half",
        fixture: split_sequences,
    },
    Case {
        id: "ANSI-08",
        input: "arguments with line breaks, a forged line of a log, and ESC, while everything is logged",
        expected: "lines of the log stay single and escaped",
        fixture: forged_log_line,
    },
    Case {
        id: "ANSI-09",
        input: "a title, another screen, bracketed paste, a reset",
        expected: "no effect; nothing stays on",
        fixture: modes,
    },
    Case {
        id: "ANSI-10",
        input: "an MCP tool whose name and description hold ESC and U+202E",
        expected: "cleaned where it comes in; such a name is refused",
        fixture: || Err("there is no MCP client yet"),
    },
];

const HEAD: &str = "\
# Cases of terminal text

Written by `cargo test -p tagline-app --test it ansi_cases`: each case is the output of a command that the real binary runs. What the
model was sent, what was shown live, the cards and the command's log may hold no control character but line breaks and
tabs, and what was shown live, the sequences of colors. A case without a fixture counts as failed.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[test]
fn output_that_steers_terminals_goes_as_the_table_says() {
    expect_file!["../../../../docs/ansi-cases.md"].assert_eq(&table(HEAD, CASES));
}
