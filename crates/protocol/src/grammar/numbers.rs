//! Numbers within bounds, as patterns of digits.

use alloc::{format, vec::Vec};

use serde_json::Value;

use super::pattern::{Class, Pattern, Times};

/// The widest range offered where a tool sets no bound: nine digits are more than enough.
const WIDE: i64 = 999_999_999;

/// Whole numbers within the bounds of `schema`, as a choice of digit patterns.
///
/// Without a lower bound only numbers from 0 on are offered: a tool that takes negative ones says
/// so.
pub(super) fn integer(schema: &Value) -> Pattern {
    let (least, most) = bounds(schema);
    choice(whole(least, most), schema)
}

/// Numbers within the bounds of `schema`: whole ones, and such with up to four digits behind the
/// point.
pub(super) fn number(schema: &Value) -> Pattern {
    let (least, most) = bounds(schema);
    let mut patterns = whole(least, most);
    let digits = || Pattern::Class(Class::digits(0, 9)).repeat(Times::between(1, 4));
    let fractions = whole(least.max(0), most - 1).into_iter();
    patterns.extend(fractions.map(|it| row([it, Pattern::text("."), digits()])));
    choice(patterns, schema)
}

/// The patterns as a choice. Without any, no number is in between, and a bound itself has to do.
fn choice(mut patterns: Vec<Pattern>, schema: &Value) -> Pattern {
    if patterns.is_empty() {
        let bound = ["minimum", "maximum"].iter().find_map(|key| schema.get(*key));
        patterns.push(Pattern::text(bound.map_or_else(|| "0".into(), |it| format!("{it}"))));
    }
    Pattern::Choice(patterns)
}

/// Patterns one behind the other, without rows in the row.
fn row(patterns: impl IntoIterator<Item = Pattern>) -> Pattern {
    let mut flat = Vec::new();
    for pattern in patterns {
        match pattern {
            Pattern::Row(inner) => flat.extend(inner),
            Pattern::Text(_) | Pattern::Class(_) | Pattern::Choice(_) | Pattern::Repeat(..) => {
                flat.push(pattern);
            }
        }
    }
    Pattern::Row(flat)
}

/// The least and the greatest whole number within the bounds.
fn bounds(schema: &Value) -> (i64, i64) {
    let bound = |key| schema.get(key).and_then(Value::as_f64).map(|it: f64| it.clamp(-1e18, 1e18));
    let least = bound("minimum").map(ceil);
    let above = bound("exclusiveMinimum").map(|it| floor(it) + 1);
    let most = bound("maximum").map(floor);
    let below = bound("exclusiveMaximum").map(|it| ceil(it) - 1);
    let most = most.into_iter().chain(below).min().unwrap_or(i64::MAX);
    let least = least.into_iter().chain(above).max().unwrap_or(most.min(0));
    (least, most)
}

fn floor(number: f64) -> i64 {
    let whole = number as i64;
    if (whole as f64) > number { whole - 1 } else { whole }
}

fn ceil(number: f64) -> i64 {
    -floor(-number)
}

/// Patterns for the whole numbers from `least` to `most`, as far as they are not too wide.
fn whole(least: i64, most: i64) -> Vec<Pattern> {
    let (least, most) = (least.max(-WIDE), most.min(WIDE));
    let mut patterns = Vec::new();
    if least < 0 && least <= most {
        let negative = blocks(most.min(-1).unsigned_abs(), least.unsigned_abs());
        patterns.extend(negative.iter().map(|it| row([Pattern::text("-"), it.pattern()])));
    }
    if 0 <= most {
        let positive = blocks(least.max(0).unsigned_abs(), most.unsigned_abs());
        patterns.extend(positive.iter().map(Block::pattern));
    }
    patterns
}

/// Numbers of one pattern: digits that stay, one that counts up, and some that are free.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    stays: u64,
    first: u64,
    last: u64,
    least_free: u32,
    most_free: u32,
}

impl Block {
    fn pattern(&self) -> Pattern {
        let Self { stays, first, last, least_free, most_free } = *self;
        let stays = if stays == 0 { None } else { Some(format!("{stays}")) };
        let counts = if first == last {
            Vec::from([Pattern::text(format!("{}{first}", stays.unwrap_or_default()))])
        } else {
            let digit = Pattern::Class(Class::digits(first, last));
            stays.map(Pattern::text).into_iter().chain([digit]).collect()
        };
        let any = Pattern::Class(Class::digits(0, 9));
        let free = match (least_free, most_free) {
            (0, 0) => None,
            (1, 1) => Some(any),
            (least, most) => Some(any.repeat(Times::between(least.into(), most.into()))),
        };
        row(counts.into_iter().chain(free))
    }

    /// Whether the numbers of `next` are these with one more free digit.
    fn is_continued_by(&self, next: &Self) -> bool {
        let counts = |it: &Self| (it.stays, it.first, it.last);
        counts(self) == (0, 1, 9)
            && counts(next) == (0, 1, 9)
            && self.most_free + 1 == next.most_free
    }
}

/// The blocks of the numbers from `least` to `most`, both included, without leading zeros.
fn blocks(least: u64, most: u64) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = least;
    while at <= most {
        let block = block_at(at, most);
        at += (block.last - block.first + 1) * 10_u64.pow(block.most_free);
        match blocks.last_mut() {
            Some(before) if before.is_continued_by(&block) => before.most_free = block.most_free,
            Some(_) | None => blocks.push(block),
        }
    }
    blocks
}

/// The largest block that starts at `at` and does not pass `most`.
fn block_at(at: u64, most: u64) -> Block {
    let mut size = 1;
    while at != 0 && at.is_multiple_of(size * 10) && at + size * 10 - 1 <= most {
        size *= 10;
    }
    let first = at / size % 10;
    let mut last = first;
    while last < 9 && at + (last - first + 2) * size - 1 <= most {
        last += 1;
    }
    let free = size.ilog10();
    Block { stays: at / size / 10, first, last, least_free: free, most_free: free }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, expected: Expect) {
        let lines = [integer(schema), number(schema)].map(|it| super::super::gbnf::pattern(&it));
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn ranges_are_exact() {
        check(
            &json!({ "minimum": 0, "maximum": 20 }),
            expect![[r#"
                ([0-9] | "1" [0-9] | "20")
                ([0-9] | "1" [0-9] | "20" | [0-9] "." [0-9]{1,4} | "1" [0-9] "." [0-9]{1,4})"#]],
        );
        check(
            &json!({ "minimum": 1, "maximum": 3600 }),
            expect![[r#"
                ([1-9] [0-9]{0,2} | [1-2] [0-9]{3} | "3" [0-5] [0-9]{2} | "3600")
                ([1-9] [0-9]{0,2} | [1-2] [0-9]{3} | "3" [0-5] [0-9]{2} | "3600" | [1-9] [0-9]{0,2} "." [0-9]{1,4} | [1-2] [0-9]{3} "." [0-9]{1,4} | "3" [0-5] [0-9]{2} "." [0-9]{1,4})"#]],
        );
        check(
            &json!({ "minimum": -5, "maximum": -2 }),
            expect![[r#"
            ("-" [2-5])
            ("-" [2-5])"#]],
        );
        check(
            &json!({ "exclusiveMinimum": 0, "exclusiveMaximum": 1.5 }),
            expect![[r#"
            ("1")
            ("1")"#]],
        );
        check(
            &json!({ "minimum": 0.2, "maximum": 0.8 }),
            expect![[r#"
            ("0.2")
            ("0.2")"#]],
        );
    }

    #[test]
    fn without_bounds_the_range_is_wide_and_not_negative() {
        check(
            &json!({}),
            expect![[r#"
            ([0-9] | [1-9] [0-9]{1,8})
            ([0-9] | [1-9] [0-9]{1,8} | [0-9] "." [0-9]{1,4} | [1-9] [0-9]{1,8} "." [0-9]{1,4})"#]],
        );
        check(
            &json!({ "minimum": 5_000_000_000_u64 }),
            expect![[r#"
            ("5000000000")
            ("5000000000")"#]],
        );
    }
}
