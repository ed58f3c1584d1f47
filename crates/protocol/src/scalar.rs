//! Types one scalar: from text as it was written, or from JSON.

use alloc::string::String;

use serde_json::{Number, Value};

use crate::{ArgType, Typed, literal, number, typing};

/// What a text says when it is read as a type.
#[derive(Debug, PartialEq)]
pub(crate) enum Reading {
    /// A value of the type.
    Value(Value),
    /// The text says that there is no value.
    Absent,
    /// Something else.
    Mismatch,
}

impl From<Option<Value>> for Reading {
    fn from(value: Option<Value>) -> Self {
        value.map_or(Self::Mismatch, Self::Value)
    }
}

/// Reads text as a scalar type. Lists and objects are put together elsewhere and never match.
pub(crate) fn from_text(ty: &ArgType, text: &str) -> Reading {
    let word = text.trim();
    let reading = match ty {
        ArgType::String => return Reading::Value(text.into()),
        ArgType::Integer => integer(word).map(Value::Number),
        ArgType::Number => number::lexeme(word).and_then(number::rounded).map(Value::Number),
        ArgType::Boolean => typing::boolean(word).map(Value::Bool),
        ArgType::Enum(words) => word_of(words, word),
        ArgType::Json => literal::read(word).and_then(|it| it.to_value()),
        ArgType::List(_) | ArgType::Object(_) => None,
    };
    match reading {
        None if matches!(word, "" | "null" | "None") => Reading::Absent,
        other => other.into(),
    }
}

/// Reads a value in JSON as a scalar type, from its source: what is given for a text and is none is
/// that source.
pub(crate) fn from_json(ty: &ArgType, source: &str) -> Reading {
    let source = source.trim();
    match (ty, literal::read(source)) {
        (_, None) => Reading::Mismatch,
        (ArgType::Json, Some(any)) => any.to_value().into(),
        (_, Some(Typed::Null)) => Reading::Absent,
        (_, Some(Typed::Text(text))) => from_text(ty, &text),
        (ArgType::String, Some(_)) => Reading::Value(source.into()),
        (ArgType::Boolean, Some(Typed::Boolean(it))) => Reading::Value(it.into()),
        (ArgType::Integer | ArgType::Number | ArgType::Enum(_), Some(Typed::Number(lexeme))) => {
            from_text(ty, &lexeme)
        }
        (
            ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::List(_)
            | ArgType::Object(_),
            Some(_),
        ) => Reading::Mismatch,
    }
}

/// A whole number of at most 64 bits: beyond them, a call would mean another number.
fn integer(word: &str) -> Option<Number> {
    let whole = number::whole(number::lexeme(word)?)?;
    number::exact(&whole)
}

fn word_of(words: &[String], found: &str) -> Option<Value> {
    typing::word_of(words.iter().map(String::as_str), found).map(Value::from)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(ty: &ArgType, texts: &[&str], expected: Expect) {
        let lines = texts.iter().map(|text| match from_text(ty, text) {
            Reading::Value(value) => format!("{text:?} is {value}\n"),
            Reading::Absent => format!("{text:?} is absent\n"),
            Reading::Mismatch => format!("{text:?} does not fit\n"),
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn numbers_are_read_strictly() {
        let texts = [
            "7", " -7 ", "+7", "7.0", "7.5", "007", "1_000", "0x10", "+-7", "1e3", "seven", "",
            "null",
        ];
        check(
            &ArgType::Integer,
            &texts,
            expect![[r#"
            "7" is 7
            " -7 " is -7
            "+7" is 7
            "7.0" is 7
            "7.5" does not fit
            "007" does not fit
            "1_000" does not fit
            "0x10" does not fit
            "+-7" does not fit
            "1e3" is 1000
            "seven" does not fit
            "" is absent
            "null" is absent
        "#]],
        );
        check(
            &ArgType::Number,
            &texts,
            expect![[r#"
            "7" is 7
            " -7 " is -7
            "+7" is 7
            "7.0" is 7.0
            "7.5" is 7.5
            "007" does not fit
            "1_000" does not fit
            "0x10" does not fit
            "+-7" does not fit
            "1e3" is 1000.0
            "seven" does not fit
            "" is absent
            "null" is absent
        "#]],
        );
    }

    #[test]
    fn booleans_are_two_words_in_any_case() {
        check(
            &ArgType::Boolean,
            &["true", "False", "TRUE", "yes", "1", "None"],
            expect![[r#"
            "true" is true
            "False" is false
            "TRUE" is true
            "yes" does not fit
            "1" does not fit
            "None" is absent
        "#]],
        );
    }

    #[test]
    fn words_match_in_any_case_if_only_one_does() {
        let words = vec!["Warm".into(), "warm".into(), "very_cold".into()];
        check(
            &ArgType::Enum(words),
            &["warm", "WARM", "Very-Cold", "cold"],
            expect![[r#"
            "warm" is "warm"
            "WARM" does not fit
            "Very-Cold" is "very_cold"
            "cold" does not fit
        "#]],
        );
    }
}
