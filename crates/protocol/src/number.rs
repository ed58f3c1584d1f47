//! Numbers as they are written: nothing is rounded, whatever their size.

use alloc::{borrow::Cow, format, string::String};

use serde_json::Number;

/// Most digits that a number with an exponent is written out to.
const DIGITS_MAX: usize = 400;

/// A number in JSON's syntax: no leading zeros, no separators, digits around the point.
#[derive(Clone, Copy)]
struct Parts<'a> {
    sign: &'a str,
    whole: &'a str,
    fraction: &'a str,
    exponent: &'a str,
}

impl<'a> Parts<'a> {
    fn of(lexeme: &'a str) -> Option<Self> {
        let (mantissa, exponent) = match lexeme.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (lexeme, None),
        };
        let exponent = exponent.map_or(Some("0"), power)?;
        let (sign, digits) = match mantissa.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", mantissa),
        };
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) => (whole, are_digits(fraction).then_some(fraction)?),
            None => (digits, ""),
        };
        let is_plain = are_digits(whole) && (whole == "0" || !whole.starts_with('0'));
        is_plain.then_some(Self { sign, whole, fraction, exponent })
    }

    /// The number without point and exponent, if it is a whole one.
    fn written_out(self) -> Option<String> {
        let digits = format!("{}{}", self.whole, self.fraction);
        let Some(first) = digits.find(|it| it != '0') else { return Some("0".into()) };
        let digits = digits.trim_end_matches('0');
        // Where the point stands, counted from the first digit.
        let point = i64::try_from(self.whole.len()).ok()?;
        let point = point.checked_add(self.exponent.parse().ok()?)?;
        let point = usize::try_from(point).ok().filter(|it| *it <= DIGITS_MAX)?;
        let n_zeros = point.checked_sub(digits.len())?;
        let digits = digits.get(first..)?;
        Some(format!("{}{digits}{}", self.sign, "0".repeat(n_zeros)))
    }
}

/// What stands behind `e`, with a sign that Rust reads.
fn power(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    are_digits(digits).then(|| text.strip_prefix('+').unwrap_or(text))
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// The number that a text is, in JSON's syntax. A plus sign before it does not count.
pub(crate) fn lexeme(text: &str) -> Option<&str> {
    let text = text.strip_prefix('+').filter(|it| !it.starts_with('-')).unwrap_or(text);
    Parts::of(text).map(|_| text)
}

/// The number without point and exponent: `5.0` is 5. `None` where it has a fraction, or so many
/// digits that nobody can have meant a whole number.
pub(crate) fn whole(lexeme: &str) -> Option<Cow<'_, str>> {
    let parts = Parts::of(lexeme)?;
    let is_written_out = parts.fraction.is_empty() && parts.exponent == "0";
    match lexeme {
        "-0" => Some("0".into()),
        _ if is_written_out && !lexeme.contains(['e', 'E']) => Some(lexeme.into()),
        _ => parts.written_out().map(Cow::from),
    }
}

/// Whether whoever reads the number and writes it again gets the same text.
pub(crate) fn prints_back(lexeme: &str) -> bool {
    let Some(Parts { sign, whole, fraction, .. }) = Parts::of(lexeme) else { return false };
    if lexeme.contains(['.', 'e', 'E']) {
        return !fraction.ends_with('0')
            && lexeme.parse::<f64>().is_ok_and(|it| format!("{it}") == lexeme);
    }
    (sign, whole) != ("-", "0")
}

/// The number as it is computed with, rounded to 64 bits; `None` where it is too large.
pub(crate) fn rounded(lexeme: &str) -> Option<Number> {
    serde_json::from_str(lexeme).ok()
}

/// The number as it is computed with; `None` where it would be another whole number.
pub(crate) fn exact(lexeme: &str) -> Option<Number> {
    let is_written_out = !lexeme.contains(['.', 'e', 'E']);
    rounded(lexeme).filter(|it| !is_written_out || !it.is_f64() || lexeme == "-0")
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expected: Expect) {
        let lines = texts.iter().map(|text| {
            let Some(number) = lexeme(text) else { return format!("{text:?} is none\n") };
            let whole = whole(number).map_or("has a fraction".into(), |it| format!("whole: {it}"));
            let back = if prints_back(text) { ", prints back" } else { "" };
            format!("{text:?} is {number}, {whole}{back}\n")
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn numbers_are_read_strictly() {
        check(
            &[
                "7", "-7", "+7", "+-7", "0", "-0", "007", "1_000", "0x10", ".5", "5.", "1e", "1e+",
                "", "-", " 7", "NaN", "inf", "٣",
            ],
            expect![[r#"
                "7" is 7, whole: 7, prints back
                "-7" is -7, whole: -7, prints back
                "+7" is 7, whole: 7
                "+-7" is none
                "0" is 0, whole: 0, prints back
                "-0" is -0, whole: 0
                "007" is none
                "1_000" is none
                "0x10" is none
                ".5" is none
                "5." is none
                "1e" is none
                "1e+" is none
                "" is none
                "-" is none
                " 7" is none
                "NaN" is none
                "inf" is none
                "٣" is none
            "#]],
        );
    }

    #[test]
    fn whole_numbers_keep_every_digit() {
        check(
            &[
                "3.0",
                "3.50",
                "-0.0",
                "1e3",
                "1.5e1",
                "1.5E+3",
                "15e-1",
                "1500e-2",
                "0e999999999999",
                "1e400",
                "1e99999999999999999999",
                "9007199254740993",
                "9007199254740993.0",
                "123456789012345678901234567890",
                "0.1",
                "1e-5",
                "0.10",
                "100.0e-2",
                "0.1234567890123456789",
                "1e21",
            ],
            expect![[r#"
                "3.0" is 3.0, whole: 3
                "3.50" is 3.50, has a fraction
                "-0.0" is -0.0, whole: 0
                "1e3" is 1e3, whole: 1000
                "1.5e1" is 1.5e1, whole: 15
                "1.5E+3" is 1.5E+3, whole: 1500
                "15e-1" is 15e-1, has a fraction
                "1500e-2" is 1500e-2, whole: 15
                "0e999999999999" is 0e999999999999, whole: 0
                "1e400" is 1e400, has a fraction
                "1e99999999999999999999" is 1e99999999999999999999, has a fraction
                "9007199254740993" is 9007199254740993, whole: 9007199254740993, prints back
                "9007199254740993.0" is 9007199254740993.0, whole: 9007199254740993
                "123456789012345678901234567890" is 123456789012345678901234567890, whole: 123456789012345678901234567890, prints back
                "0.1" is 0.1, has a fraction, prints back
                "1e-5" is 1e-5, has a fraction
                "0.10" is 0.10, has a fraction
                "100.0e-2" is 100.0e-2, whole: 1
                "0.1234567890123456789" is 0.1234567890123456789, has a fraction
                "1e21" is 1e21, whole: 1000000000000000000000
            "#]],
        );
    }

    #[test]
    fn no_whole_number_is_rounded_unless_that_is_asked_for() {
        assert_eq!(exact("18446744073709551615"), Some(u64::MAX.into()));
        assert_eq!(exact("18446744073709551616"), None);
        assert_eq!(exact("1e999"), None);
        assert!(exact("-0").is_some());
        assert!(rounded("18446744073709551616").is_some());
    }
}
