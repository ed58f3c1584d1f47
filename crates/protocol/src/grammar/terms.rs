//! The terms that rules are made of.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::shared::Shared;

/// A part of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// A terminal.
    Text(String),
    /// Written out: a class of characters, numbers, a choice of words.
    Pattern(String),
    /// A rule that tools share.
    Rule(Shared),
    /// Terms in a row, and how often.
    Repeated(Vec<Term>, String),
}

impl Term {
    /// A terminal.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A choice of words, as a scalar holds them.
    pub(super) fn words(words: &[String]) -> Self {
        let words = words.iter().map(|it| literal(&escaped(it)));
        Self::Pattern(format!("({})", words.collect::<Vec<_>>().join(" | ")))
    }

    fn render(&self) -> String {
        match self {
            Self::Text(text) => literal(text),
            Self::Pattern(pattern) => pattern.clone(),
            Self::Rule(shared) => shared.name().to_string(),
            Self::Repeated(terms, how_often) => format!("({}){how_often}", render(terms)),
        }
    }
}

/// Terms in a row. Neighboring terminals become one, which is shorter and easier to read.
pub(super) fn render(terms: &[Term]) -> String {
    let mut merged: Vec<Term> = Vec::new();
    for term in terms {
        match (merged.last_mut(), term) {
            (Some(Term::Text(before)), Term::Text(text)) => before.push_str(text),
            (
                Some(_) | None,
                Term::Text(_) | Term::Pattern(_) | Term::Rule(_) | Term::Repeated(..),
            ) => {
                merged.push(term.clone());
            }
        }
    }
    merged.iter().map(Term::render).collect::<Vec<_>>().join(" ")
}

/// Notes the shared rules among `terms`.
pub(super) fn note_shared(terms: &[Term], shared: &mut Vec<Shared>) {
    for term in terms {
        match term {
            Term::Rule(rule) if !shared.contains(rule) => shared.push(*rule),
            Term::Repeated(inner, _) => note_shared(inner, shared),
            Term::Text(_) | Term::Pattern(_) | Term::Rule(_) => (),
        }
    }
}

/// `least` characters of the class `first`, then up to `most` in all with the class `rest`.
pub(super) fn run(first: &str, rest: &str, least: u64, most: Option<u64>) -> String {
    let head = match least {
        0 => String::new(),
        1 => format!("{first} "),
        n => format!("{first}{{{n}}} "),
    };
    match most.map(|most| most.saturating_sub(least)) {
        None => format!("{head}{rest}*"),
        Some(0) => head.trim_end().to_string(),
        Some(n) if first == rest && least == 1 => format!("{rest}{{1,{}}}", n + 1),
        Some(n) => format!("{head}{rest}{{0,{n}}}"),
    }
}

fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A word as a scalar holds it: what would read as markup is an entity.
fn escaped(word: &str) -> String {
    let word = word.replace('&', "&amp;").replace('<', "&lt;");
    word.replace('>', "&gt;").replace('"', "&quot;")
}
