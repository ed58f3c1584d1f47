//! Types one scalar: from text as it was written, or from JSON.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use serde_json::{Number, Value};

use crate::{ArgType, is_same_name};

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
        ArgType::Number => number(word).map(Value::Number),
        ArgType::Boolean => boolean(word).map(Value::Bool),
        ArgType::Enum(words) => word_of(words, word).map(Value::String),
        ArgType::Json => serde_json::from_str(word).ok(),
        ArgType::List(_) | ArgType::Object(_) => None,
    };
    match reading {
        None if matches!(word, "" | "null" | "None") => Reading::Absent,
        Some(Value::Null) if !matches!(ty, ArgType::Json) => Reading::Absent,
        other => other.into(),
    }
}

/// Reads JSON as a scalar type. `source` is the value as it was written: a number or an object
/// given for a text is that text.
pub(crate) fn from_json(ty: &ArgType, value: &Value, source: &str) -> Reading {
    match (ty, value) {
        (ArgType::Json, any) => Reading::Value(any.clone()),
        (_, Value::Null) => Reading::Absent,
        (_, Value::String(text)) => from_text(ty, text),
        (ArgType::Integer, Value::Number(number)) => whole(number).map(Value::Number).into(),
        (ArgType::Number, Value::Number(_)) | (ArgType::Boolean, Value::Bool(_)) => {
            Reading::Value(value.clone())
        }
        (ArgType::String, _) => Reading::Value(source.trim().into()),
        (
            ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::List(_)
            | ArgType::Object(_),
            _,
        ) => Reading::Mismatch,
    }
}

/// Digits with an optional sign, and nothing that could mean two things: no leading zeros, no
/// separators, no exponent. `5.0` is 5.
fn integer(word: &str) -> Option<Number> {
    number(word).as_ref().and_then(whole)
}

fn number(word: &str) -> Option<Number> {
    let word = word.strip_prefix('+').filter(|it| !it.starts_with('-')).unwrap_or(word);
    serde_json::from_str(word).ok()
}

/// The number as a whole one. A fraction of zero is none.
fn whole(number: &Number) -> Option<Number> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    /// Above it, not every whole number is a 64-bit float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|it| (-EXACT..=EXACT).contains(it))?;
    let whole = float as i64;
    // The cast drops the fraction, so the way back shows whether there was one.
    (whole as f64 == float).then(|| whole.into())
}

fn boolean(word: &str) -> Option<bool> {
    [("true", true), ("false", false)]
        .into_iter()
        .find_map(|(name, value)| word.eq_ignore_ascii_case(name).then_some(value))
}

/// The word as declared: exactly, or the only one that differs in case or hyphens alone.
fn word_of(words: &[String], found: &str) -> Option<String> {
    if words.iter().any(|it| it == found) {
        return Some(found.to_string());
    }
    let same: Vec<&String> = words.iter().filter(|it| is_same_name(it, found)).collect();
    match same.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    }
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
