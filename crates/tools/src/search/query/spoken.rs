//! Our grammars as the structural search wants them, and a pattern in each language.

use std::{borrow::Cow, collections::BTreeMap};

use ast_grep_core::{
    AstGrep, Language as Searchable, Pattern, PatternError,
    matcher::PatternBuilder,
    meta_var::{MetaVarEnv, MetaVariable},
    tree_sitter::{LanguageExt, StrDoc, TSLanguage},
};
use tagline_protocol::ToolFailure;

use crate::search::code::{Language, parse_flat};

/// Longest pattern, in bytes.
const LONGEST: usize = 4 * 1024;
/// Longest value of a name that is kept, in bytes.
const CAPTURE: usize = 400;

/// A language of ours.
#[derive(Clone)]
struct Spoken(&'static Language);

impl Searchable for Spoken {
    /// Where `$` begins no name, another letter takes its place.
    fn expando_char(&self) -> char {
        match self.0.name {
            "javascript" | "typescript" | "tsx" | "java" => '$',
            // The only letters of these that C takes and nobody writes.
            "c" | "cpp" => '\u{10000}',
            _ => 'µ',
        }
    }

    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        let expando = self.expando_char();
        if expando == '$' { Cow::Borrowed(query) } else { Cow::Owned(replaced(query, expando)) }
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.get_ts_language().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.get_ts_language().field_id_for_name(field).map(std::num::NonZero::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder) -> Result<Pattern, PatternError> {
        builder.build(|text| document(self.0, text).ok_or_else(|| "too deep".to_owned()))
    }
}

impl LanguageExt for Spoken {
    fn get_ts_language(&self) -> TSLanguage {
        (self.0.grammar)()
    }
}

/// A text with its tree, where that is not too deep.
fn document(language: &'static Language, text: &str) -> Option<StrDoc<Spoken>> {
    let tree = parse_flat(language, text)?;
    Some(StrDoc { src: text.to_owned(), lang: Spoken(language), tree })
}

/// The pattern with another letter instead of each `$` that begins a name, or that is one of three
/// which stand for any number of nodes.
fn replaced(query: &str, expando: char) -> String {
    let mut text = String::with_capacity(query.len());
    let mut rest = query;
    while let Some(c) = rest.chars().next() {
        let n = rest.len() - rest.trim_start_matches('$').len();
        let behind = rest.get(n..).unwrap_or_default();
        let is_name = n == 3 || behind.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
        if n == 0 {
            text.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        } else {
            let letter = if is_name { expando } else { '$' };
            text.extend(std::iter::repeat_n(letter, n));
            rest = behind;
        }
    }
    text
}

/// A pattern of C or C++ as a statement of a function, and the kind of its node: at the top of a
/// file, a call reads as a declaration there.
fn statement(language: &'static Language, text: &str) -> Option<(String, String)> {
    if !["c", "cpp"].contains(&language.name) {
        return None;
    }
    let context = format!("void f() {{ {text}; }}");
    let read = Spoken(language).pre_process_pattern(&context).into_owned();
    let tree = parse_flat(language, &read)?;
    let body = tree.root_node().named_child(0)?.child_by_field_name("body")?;
    let first = body.named_child(0)?;
    let node = match first.kind() {
        "expression_statement" => first.named_child(0)?,
        _ => first,
    };
    let kind = node.kind();
    let is_told = kind.ends_with("_expression") || kind.ends_with("_statement");
    // What is in the context itself would be found first.
    let is_own = kind != "compound_statement";
    let is_one = body.named_child(1).is_none_or(|next| next.byte_range().len() == 1);
    let is_whole = is_told && is_own && is_one && !body.has_error();
    is_whole.then(|| (context, kind.to_owned()))
}

/// A match. Lines are indices, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) first: usize,
    pub(super) last: usize,
    /// What each name stands for, with its `$`.
    pub(super) captures: BTreeMap<String, String>,
}

/// What came of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// It is not of a language that the pattern is written in.
    Not,
    /// Its tree is too deep to be searched.
    TooDeep,
    Through(Vec<Found>),
}

/// One pattern, read in each language that comes.
pub(super) struct Patterns {
    text: String,
    only: Option<&'static Language>,
    read: BTreeMap<&'static str, Result<Pattern, String>>,
}

impl Patterns {
    /// Reads it in `only`, if that is given.
    pub(super) fn new(text: &str, only: Option<&'static Language>) -> Result<Self, ToolFailure> {
        let text = text.trim();
        let bad = |words: String| Err(ToolFailure::BadCall(format!("`pattern`: {words}")));
        if text.is_empty() {
            return bad("expected a piece of code, but it is empty; write one with `$NAME` for \
                        what may differ"
                .to_owned());
        }
        if text.len() > LONGEST {
            let found = text.len();
            return bad(format!("expected at most {LONGEST} bytes, but found {found}; shorten it"));
        }
        let mut patterns = Self { text: text.to_owned(), only, read: BTreeMap::new() };
        if let Some(language) = only
            && let Err(why) = patterns.pattern(language)
        {
            return bad(why.clone());
        }
        Ok(patterns)
    }

    /// Whether a file of a folder is searched.
    pub(super) fn wants(&self, name: &str) -> bool {
        let own = Language::of(name).map(|language| language.name);
        own.is_some() && self.only.is_none_or(|only| own == Some(only.name))
    }

    /// Searches a text for at most `room` matches.
    pub(super) fn find(&mut self, path: &str, text: &str, room: usize) -> Searched {
        let Some(language) = self.only.or_else(|| Language::of(path)) else {
            return Searched::Not;
        };
        let Ok(pattern) = self.pattern(language) else { return Searched::Not };
        let Some(document) = document(language, text) else { return Searched::TooDeep };
        let root = AstGrep::doc(document);
        let node = root.root();
        let found = node.find_all(pattern).take(room).map(|found| Found {
            first: found.start_pos().line(),
            last: found.end_pos().line(),
            captures: captures(found.get_env()),
        });
        Searched::Through(found.collect())
    }

    /// The failure where no file could be searched.
    pub(super) fn check(&self, path: &str) -> Result<(), ToolFailure> {
        if let Some(why) = self.read.values().find_map(|read| read.as_ref().err()) {
            return Err(ToolFailure::BadCall(format!("`pattern`: {why}")));
        }
        if self.only.is_none() && Language::of(path).is_none() && path.contains('.') && path != "."
        {
            let names = Language::names().join(", ");
            let words = format!("name its `language`, one of {names}, or use `search_files`");
            return Err(ToolFailure::BadCall(format!(
                "`{path}`: expected code of a known language, but found none; {words}"
            )));
        }
        Ok(())
    }

    fn pattern(&mut self, language: &'static Language) -> Result<&Pattern, &String> {
        let text = &self.text;
        let read = self.read.entry(language.name).or_insert_with(|| {
            let name = language.name;
            let advice = "write one whole expression, statement or definition";
            let pattern = match statement(language, text) {
                Some((context, kind)) => Pattern::contextual(&context, &kind, Spoken(language)),
                None => Pattern::try_new(text, Spoken(language)),
            };
            match pattern {
                Ok(pattern) if pattern.has_error() => Err(format!(
                    "expected a whole piece of {name}, but it cannot be read as one; {advice}"
                )),
                Ok(pattern) => Ok(pattern),
                Err(error) => Err(format!(
                    "expected a whole piece of {name}, but {}; {advice}",
                    words(&error)
                )),
            }
        });
        read.as_ref()
    }
}

fn words(error: &PatternError) -> &'static str {
    match error {
        PatternError::MultipleNode(_) => "found several pieces in a row",
        PatternError::NoContent(_) => "found none",
        PatternError::RootMultiMetaVar(_) => "found `$$$` alone",
        PatternError::Parse(_) => "it is nested too deep",
        PatternError::InvalidKind(_) | PatternError::NoSelectorInContext { .. } => {
            "it cannot be read as one"
        }
    }
}

fn captures(env: &MetaVarEnv<'_, StrDoc<Spoken>>) -> BTreeMap<String, String> {
    let captured = env.get_matched_variables().filter_map(|variable| match variable {
        MetaVariable::Capture(name, _) => {
            let node = env.get_match(&name)?;
            Some((format!("${name}"), clip(&node.text())))
        }
        MetaVariable::MultiCapture(name) => {
            let nodes = env.get_multiple_matches(&name);
            let (first, last) = (nodes.first()?, nodes.last()?);
            let (start, end) = (first.range().start, last.range().end);
            let whole = first.root().root();
            let text = whole.text();
            Some((format!("$$${name}"), clip(text.get(start..end).unwrap_or_default())))
        }
        MetaVariable::Dropped(_) | MetaVariable::Multiple => None,
    });
    captured.collect()
}

fn clip(text: &str) -> String {
    let mut end = text.len().min(CAPTURE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_that_begin_names_get_another_letter() {
        assert_eq!(
            replaced("$A.f($$$B, $$$, $_, $x, \"$\")", 'µ'),
            "µA.f(µµµB, µµµ, µ_, $x, \"$\")"
        );
    }
}
