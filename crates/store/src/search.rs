//! What can be found by its words.
//!
//! Words are cut here, not by the databases, so that each of them finds the same.

use serde_json::Value;
use tagline_protocol::{Event, Frame};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Longest text of one passage that is searched, in bytes.
const LONGEST: usize = 64 * 1024;
/// Longest word; longer ones are cut.
const LONGEST_WORD: usize = 64;
/// Longest excerpt, in characters.
const EXCERPT: usize = 120;

/// Where something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In what the user wrote.
    User,
    /// In what the model wrote.
    Assistant,
    /// In a command.
    Command,
    /// In the name of a file.
    File,
}

impl Place {
    pub(crate) const ALL: [Self; 4] = [Self::User, Self::Assistant, Self::Command, Self::File];

    /// A word for it: `user`, `assistant`, `command` or `file`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Command => "command",
            Self::File => "file",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.name() == name)
    }
}

/// A place where all words stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The session.
    pub session: String,
    /// Number of the frame.
    pub seq: u64,
    /// When it was written, RFC 3339.
    pub ts: String,
    /// Where in it.
    pub place: Place,
    /// The text around the first word, in one line.
    pub excerpt: String,
}

/// Text of a frame that is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) place: Place,
    pub(crate) text: String,
}

/// What of a frame is searched.
#[expect(clippy::wildcard_enum_match_arm, reason = "most events carry nothing to search")]
pub(crate) fn passages(frame: &Frame) -> Vec<Passage> {
    match &frame.event {
        Event::UserMessage { text, .. } => vec![passage(Place::User, text)],
        Event::AssistantMessage { text } => vec![passage(Place::Assistant, text)],
        Event::ToolReady { arguments, .. } => of_call(arguments),
        _ => Vec::new(),
    }
}

/// Commands and names of files are known by the names of their arguments.
fn of_call(arguments: &Value) -> Vec<Passage> {
    let mut found = Vec::new();
    collect(arguments, None, &mut found);
    found
}

fn collect(value: &Value, place: Option<Place>, found: &mut Vec<Passage>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => found.extend(place.map(|place| passage(place, text))),
        Value::Array(values) => values.iter().for_each(|value| collect(value, place, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                collect(value, place_of(name).or(place.filter(|_| is_text(name))), found);
            }
        }
    }
}

fn place_of(argument: &str) -> Option<Place> {
    match argument {
        "command" => Some(Place::Command),
        "path" | "paths" | "file" | "files" | "from" | "to" | "source" | "destination" => {
            Some(Place::File)
        }
        _ => None,
    }
}

/// How the text of an element beside its attributes is named.
fn is_text(argument: &str) -> bool {
    matches!(argument, "text" | "value" | "body")
}

fn passage(place: Place, text: &str) -> Passage {
    let end = text.floor_char_boundary(LONGEST);
    Passage { place, text: text.get(..end).unwrap_or_default().to_owned() }
}

/// The words of a text, each folded: letters and digits in a row; a sign of a script without
/// blanks is a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word = String::new();
    for sign in fold(text) {
        let is_alone = is_ideograph(sign);
        if is_alone || !sign.is_alphanumeric() {
            finish(&mut word, &mut all);
        }
        if is_alone {
            all.push(sign.to_string());
        } else if sign.is_alphanumeric() && word.len() < LONGEST_WORD {
            word.push(sign);
        }
    }
    finish(&mut word, &mut all);
    all
}

fn finish(word: &mut String, all: &mut Vec<String>) {
    if !word.is_empty() {
        all.push(std::mem::take(word));
    }
}

/// Without marks above letters, in small letters.
fn fold(text: &str) -> impl Iterator<Item = char> {
    text.nfkd().filter(|sign| !is_combining_mark(*sign)).flat_map(char::to_lowercase)
}

const fn is_ideograph(sign: char) -> bool {
    matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether each of `wanted` begins some word of `text`.
pub(crate) fn matches(wanted: &[String], text: &str) -> bool {
    let words = words(text);
    wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted.as_str())))
}

/// The text around the first word that was looked for, in one line.
pub(crate) fn excerpt(wanted: &[String], text: &str) -> String {
    let at = wanted.first().and_then(|first| position(first, text)).unwrap_or(0);
    let start = text.floor_char_boundary(at.saturating_sub(EXCERPT / 4));
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = line.chars().take(EXCERPT).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    if start == 0 { cut } else { format!("…{cut}") }
}

/// Where a word that begins with `wanted` starts.
fn position(wanted: &str, text: &str) -> Option<usize> {
    let mut at = 0;
    for piece in text.split_inclusive(|sign: char| !sign.is_alphanumeric() || is_ideograph(sign)) {
        if words(piece).iter().any(|word| word.starts_with(wanted)) {
            return Some(at);
        }
        at += piece.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&words(text).join(" "));
    }

    #[test]
    fn words_are_folded_rows_of_letters_and_digits() {
        check("Café_au-lait, 2×ﬁne ÄÖÜ!", expect!["cafe au lait 2 fine aou"]);
        check("src/main.rs --all", expect!["src main rs all"]);
    }

    #[test]
    fn a_sign_of_a_script_without_blanks_is_a_word() {
        check("東京タワーvs富士", expect!["東 京 タ ワ ー vs 富 士"]);
    }

    #[test]
    fn all_words_must_stand_there_and_each_may_be_a_beginning() {
        let text = "The quick brown fox";
        for (query, is_found) in [("qui FOX", true), ("quick cat", false), ("uick", false)] {
            assert_eq!(matches(&words(query), text), is_found, "{query}");
        }
    }

    #[test]
    fn an_excerpt_starts_a_little_before_the_word() {
        let text = format!("{}\nthe needle {}", "hay ".repeat(50), "straw ".repeat(50));
        let shown = excerpt(&words("needle"), &text);
        expect!["…hay hay hay hay hay hay the needle straw straw straw straw straw straw straw straw straw straw straw straw straw straw s…"]
            .assert_eq(&shown);
    }

    #[test]
    fn commands_and_files_are_known_by_their_arguments() {
        let arguments = serde_json::json!({
            "command": "cargo test", "content": "no", "path": "a.rs",
            "files": [{"path": "b.rs", "text": "c.rs"}, "d.rs"],
        });
        let found: String = of_call(&arguments)
            .iter()
            .map(|it| format!("{} {}\n", it.place.name(), it.text))
            .collect();
        expect![[r"
            command cargo test
            file a.rs
            file b.rs
            file c.rs
            file d.rs
        "]]
        .assert_eq(&found);
    }
}
