//! The rules of a grammar, before they are written in a notation.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::pattern::{Pattern, Times};

/// A rule's name: lower-case words with hyphens.
pub(super) type Name = Cow<'static, str>;

/// A rule, as both notations have it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) name: Name,
    pub(super) body: Body,
}

/// What a rule stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    /// Characters alone: a terminal where a notation tells them apart.
    Pattern(Pattern),
    /// One of these rows.
    Choice(Vec<Vec<Term>>),
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// A terminal, as it stands there.
    Text(String),
    /// A terminal with a choice in it.
    Pattern(Pattern),
    /// Another rule.
    Rule(Name),
    /// One of these rows.
    Choice(Vec<Vec<Self>>),
    /// Terms in a row, and how often.
    Repeated(Vec<Self>, Times),
}

impl Rule {
    pub(super) fn new(name: impl Into<Name>, row: Vec<Term>) -> Self {
        Self::choice(name, Vec::from([row]))
    }

    pub(super) fn choice(name: impl Into<Name>, rows: Vec<Vec<Term>>) -> Self {
        Self { name: name.into(), body: Body::Choice(rows) }
    }

    pub(super) fn pattern(name: impl Into<Name>, pattern: Pattern) -> Self {
        Self { name: name.into(), body: Body::Pattern(pattern) }
    }
}

impl Term {
    /// A terminal.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Another rule.
    pub(super) fn rule(name: impl Into<Name>) -> Self {
        Self::Rule(name.into())
    }

    /// A choice of words, as a scalar holds them.
    pub(super) fn words(words: &[String]) -> Self {
        Self::Pattern(Pattern::Choice(words.iter().map(|it| Pattern::Text(escaped(it))).collect()))
    }
}

/// Terms in a row, neighboring terminals as one: shorter, and easier to read.
pub(super) fn merged(terms: &[Term]) -> Vec<Term> {
    let mut merged: Vec<Term> = Vec::new();
    for term in terms {
        if let (Some(Term::Text(before)), Term::Text(text)) = (merged.last_mut(), term) {
            before.push_str(text);
        } else {
            merged.push(term.clone());
        }
    }
    merged
}

/// A word as a scalar holds it: what would read as markup is an entity.
fn escaped(word: &str) -> String {
    let word = word.replace('&', "&amp;").replace('<', "&lt;");
    word.replace('>', "&gt;").replace('"', "&quot;")
}
