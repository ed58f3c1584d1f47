//! Lark, as `llguidance` reads it: what holds a model to a grammar in vLLM, `SGLang` and llama.cpp.
//!
//! Its lexer takes the longest terminal, so patterns are terminals of their own, in upper case or
//! between slashes, and no terminal can run into the text behind it.

use alloc::{format, string::String, vec::Vec};

use super::{
    pattern::{Class, Pattern},
    terms::{Body, Name, Rule, Term, merged},
};

/// The rules, one a line; the first is `start`.
pub(super) fn write(rules: &[Rule]) -> String {
    let is_terminal = |name: &Name| {
        rules.iter().any(|it| it.name == *name && matches!(it.body, Body::Pattern(_)))
    };
    let writer = Writer { is_terminal: &is_terminal };
    let line = |rule: &Rule| format!("{}: {}\n", writer.name(&rule.name), writer.body(&rule.body));
    rules.iter().map(line).collect()
}

struct Writer<'a> {
    is_terminal: &'a dyn Fn(&Name) -> bool,
}

impl Writer<'_> {
    fn name(&self, name: &Name) -> String {
        let plain = name.replace('-', "_");
        match plain.as_str() {
            "root" => "start".into(),
            _ if (self.is_terminal)(name) => plain.to_ascii_uppercase(),
            _ => plain,
        }
    }

    fn body(&self, body: &Body) -> String {
        match body {
            Body::Pattern(pattern) => terminal(pattern),
            Body::Choice(rows) => self.choice(rows),
        }
    }

    fn choice(&self, rows: &[Vec<Term>]) -> String {
        rows.iter().map(|it| self.row(it)).collect::<Vec<_>>().join(" | ")
    }

    fn row(&self, terms: &[Term]) -> String {
        merged(terms).iter().map(|it| self.term(it)).collect::<Vec<_>>().join(" ")
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Text(text) => literal(text),
            Term::Pattern(pattern) => terminal(pattern),
            Term::Rule(name) => self.name(name),
            Term::Choice(rows) => format!("({})", self.choice(rows)),
            Term::Repeated(terms, times) => format!("({}){}", self.row(terms), times.sign()),
        }
    }
}

/// A string as JSON writes one.
fn literal(text: &str) -> String {
    format!("{}", serde_json::Value::from(text))
}

fn terminal(pattern: &Pattern) -> String {
    format!("/{}/", regex(pattern))
}

fn regex(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Text(text) => text.chars().map(character).collect(),
        Pattern::Class(it) => class(it),
        Pattern::Row(row) => row.iter().map(in_row).collect(),
        Pattern::Choice(all) => all.iter().map(regex).collect::<Vec<_>>().join("|"),
        Pattern::Repeat(inner, times) => {
            let one = match &**inner {
                Pattern::Class(it) => class(it),
                Pattern::Text(_) | Pattern::Row(_) | Pattern::Choice(_) | Pattern::Repeat(..) => {
                    format!("({})", regex(inner))
                }
            };
            format!("{one}{}", times.sign())
        }
    }
}

fn in_row(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Choice(_) => format!("({})", regex(pattern)),
        Pattern::Text(_) | Pattern::Class(_) | Pattern::Row(_) | Pattern::Repeat(..) => {
            regex(pattern)
        }
    }
}

fn class(class: &Class) -> String {
    let range = |&(first, last): &(char, char)| {
        if first == last {
            character(first)
        } else {
            format!("{}-{}", character(first), character(last))
        }
    };
    let ranges: String = class.ranges.iter().map(range).collect();
    format!("[{}{ranges}]", if class.is_negated { "^" } else { "" })
}

/// A character that means itself, in a class and outside of one.
fn character(c: char) -> String {
    match (c, u32::from(c)) {
        ('\n', _) => "\\n".into(),
        ('\r', _) => "\\r".into(),
        // With a backslash they would be the ends of a word.
        ('<' | '>', _) => c.into(),
        _ if c.is_ascii_alphanumeric() || matches!(c, '_' | ' ') => c.into(),
        _ if c.is_ascii_punctuation() => format!("\\{c}"),
        (_, code @ ..=0x7F) => format!("\\x{code:02X}"),
        (_, code) => format!("\\u{{{code:X}}}"),
    }
}
