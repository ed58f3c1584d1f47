//! Regular patterns of characters: what a terminal is made of, whatever the notation.

use alloc::{boxed::Box, string::String, vec::Vec};

/// A pattern without rules in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// These characters.
    Text(String),
    /// One character.
    Class(Class),
    /// Patterns one behind the other.
    Row(Vec<Self>),
    /// One of these.
    Choice(Vec<Self>),
    /// One pattern several times.
    Repeat(Box<Self>, Times),
}

/// A set of characters: these ranges, or everything else.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    pub(super) ranges: Vec<(char, char)>,
    pub(super) is_negated: bool,
}

/// How often something stands in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) least: u64,
    pub(super) most: Option<u64>,
}

impl Times {
    pub(super) const OPTIONAL: Self = Self { least: 0, most: Some(1) };
    pub(super) const ANY: Self = Self { least: 0, most: None };
    pub(super) const SOME: Self = Self { least: 1, most: None };

    pub(super) const fn between(least: u64, most: u64) -> Self {
        Self { least, most: Some(most) }
    }

    /// The sign of both notations behind what repeats: `?`, `*`, `+` or `{2,3}`.
    pub(super) fn sign(self) -> String {
        match (self.least, self.most) {
            (0, Some(1)) => "?".into(),
            (0, None) => "*".into(),
            (1, None) => "+".into(),
            (least, Some(most)) if least == most => alloc::format!("{{{least}}}"),
            (least, Some(most)) => alloc::format!("{{{least},{most}}}"),
            (least, None) => alloc::format!("{{{least},}}"),
        }
    }
}

impl Class {
    /// One of these characters.
    pub(super) fn of(ranges: &[(char, char)]) -> Self {
        Self { ranges: ranges.to_vec(), is_negated: false }
    }

    /// Any character but these, one by one and as ranges.
    pub(super) fn except(singles: &str, ranges: &[(char, char)]) -> Self {
        let singles = singles.chars().map(|it| (it, it));
        Self { ranges: singles.chain(ranges.iter().copied()).collect(), is_negated: true }
    }

    /// A digit between these.
    pub(super) fn digits(first: u64, last: u64) -> Self {
        let digit = |n: u64| u32::try_from(n).ok().and_then(|n| char::from_digit(n, 10));
        Self::of(&[(digit(first).unwrap_or('0'), digit(last).unwrap_or('9'))])
    }
}

impl Pattern {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn repeat(self, times: Times) -> Self {
        Self::Repeat(self.into(), times)
    }

    /// `least` characters of the class `first`, then up to `most` in all of the class `rest`.
    pub(super) fn run(first: Class, rest: Class, least: u64, most: Option<u64>) -> Self {
        let same = first == rest;
        let (first, rest) = (Self::Class(first), Self::Class(rest));
        let more = most.map(|most| most.saturating_sub(least));
        if same && least == 1 && more.is_some_and(|n| 0 < n) {
            return rest.repeat(Times { least, most });
        }
        let head = match least {
            0 => None,
            1 => Some(first),
            n => Some(first.repeat(Times::between(n, n))),
        };
        let tail = (more != Some(0)).then(|| rest.repeat(Times { least: 0, most: more }));
        Self::Row(head.into_iter().chain(tail).collect())
    }
}
