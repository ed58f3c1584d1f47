//! GBNF: the notation of llama.cpp, which `XGrammar` reads as its EBNF.

use alloc::{format, string::String, vec::Vec};

use super::{
    pattern::{Class, Pattern},
    terms::{Body, Rule, Term, merged},
};

/// The rules, one a line.
pub(super) fn write(rules: &[Rule]) -> String {
    rules.iter().map(|rule| format!("{} ::= {}\n", rule.name, body(&rule.body))).collect()
}

fn body(body: &Body) -> String {
    match body {
        Body::Pattern(pattern) => self::pattern(pattern),
        Body::Choice(rows) => choice(rows),
    }
}

fn choice(rows: &[Vec<Term>]) -> String {
    rows.iter().map(|it| row(it)).collect::<Vec<_>>().join(" | ")
}

fn row(terms: &[Term]) -> String {
    merged(terms).iter().map(term).collect::<Vec<_>>().join(" ")
}

fn term(term: &Term) -> String {
    match term {
        Term::Text(text) => literal(text),
        Term::Pattern(it) => pattern(it),
        Term::Rule(name) => name.clone().into_owned(),
        Term::Choice(rows) => format!("({})", choice(rows)),
        Term::Repeated(terms, times) => format!("({}){}", row(terms), times.sign()),
    }
}

pub(super) fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Text(text) => literal(text),
        Pattern::Class(it) => class(it),
        Pattern::Row(row) => row.iter().map(self::pattern).collect::<Vec<_>>().join(" "),
        Pattern::Choice(all) => {
            format!("({})", all.iter().map(self::pattern).collect::<Vec<_>>().join(" | "))
        }
        Pattern::Repeat(inner, times) => {
            let grouped = match &**inner {
                Pattern::Row(_) => format!("({})", self::pattern(inner)),
                Pattern::Text(_) | Pattern::Class(_) | Pattern::Choice(_) | Pattern::Repeat(..) => {
                    self::pattern(inner)
                }
            };
            format!("{grouped}{}", times.sign())
        }
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

fn class(class: &Class) -> String {
    let ranges: String = class.ranges.iter().map(|&(first, last)| range(first, last)).collect();
    format!("[{}{ranges}]", if class.is_negated { "^" } else { "" })
}

fn range(first: char, last: char) -> String {
    match (first, last) {
        ('\n', '\n') => "\\n".into(),
        ('\r', '\r') => "\\r".into(),
        _ if first == last => character(first),
        _ => format!("{}-{}", character(first), character(last)),
    }
}

fn character(c: char) -> String {
    match (c, u32::from(c)) {
        ('[' | ']' | '\\', _) => format!("\\{c}"),
        (_, 0x21..=0x7E) => c.into(),
        (_, code @ ..=0xFF) => format!("\\x{code:02X}"),
        (_, code @ 0x100..=0xFFFF) => format!("\\u{code:04X}"),
        (_, code) => format!("\\U{code:08X}"),
    }
}
