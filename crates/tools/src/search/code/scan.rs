//! Definitions without a grammar, by the customs of the usual languages.
//!
//! A light scan of lines: keywords, `name(…) {`, `name = (…) =>`, headings. It may see a definition
//! where there is none; it is used to show text, never to change it.

use std::sync::LazyLock;

use regex::Regex;

use crate::search::code::{
    Definition,
    ends::{Shape, end_of, start_of},
};

/// `modifiers keyword name`.
static KEYWORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:(?:pub(?:\s*\([^)]*\))?|export|default|declare|async|static|public|private",
        r"|protected|internal|abstract|final|sealed|override|unsafe|extern|inline|virtual|open",
        r#"|data|const|partial|"[^"]*")\s+)*"#,
        r"(?:fn|def|class|struct|enum|trait|interface|union|type|mod|module|namespace|func",
        r"|function\*?|macro_rules!|object|protocol|record)\s+",
        r"(?:\([^)]*\)\s*)?(?:mut\s+)?(?:self\.)?([A-Za-z_$][\w$]*[!?]?)",
    ))
    .ok()
});
/// `const NAME: …`, `static NAME = …`.
static CONSTANT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:(?:pub(?:\s*\([^)]*\))?|export|default|public|private|protected)\s+)*",
        r"(?:const|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]",
    ))
    .ok()
});
/// A variable at the start of a line.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:export\s+)?(?:(?:let|var|val|const)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=[^=]")
        .ok()
});
/// `impl Trait for Name`.
static IMPL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:unsafe\s+)?impl\b(?:.*\sfor\s)?(?:\s*<.*?>)?\s*&?(?:\w+::)*([A-Za-z_]\w*)")
        .ok()
});
/// `name(…) {`, with a type or nothing in front.
static CALLABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[\w<>\[\],.&*:~?@]+\s+)*[*&]*(?:\w+::)*([A-Za-z_~$][\w$]*)\s*\([^;]*$").ok()
});
/// `name = (…) =>`, `name: function`.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:[\w$]+\.)*([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s*)?",
        r"(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|class\b)",
    ))
    .ok()
});
/// A Markdown heading.
static HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^#{1,6}\s+(.+?)\s*#*$").ok());

/// Words that stand before a parenthesis without defining anything.
const NOT_NAMES: [&str; 17] = [
    "if", "for", "while", "switch", "catch", "return", "match", "else", "loop", "with", "foreach",
    "using", "lock", "when", "function", "await", "assert",
];

/// What a text defines, in the order of its lines.
pub(super) fn definitions(lines: &[&str], shape: Shape) -> Vec<Definition> {
    let found = lines.iter().enumerate().filter_map(|(at, line)| {
        let name = defined(lines, at, line, shape)?;
        let (first, last) = (start_of(lines, at, shape), end_of(lines, at, shape));
        Some(Definition { name, at, first, last })
    });
    found.collect()
}

/// The name that a line defines.
fn defined(lines: &[&str], at: usize, line: &str, shape: Shape) -> Option<String> {
    let first = |regex: &LazyLock<Option<Regex>>| -> Option<String> {
        let found = regex.as_ref()?.captures(line)?;
        found.get(1).map(|name| name.as_str().to_owned())
    };
    if shape == Shape::Headings {
        return first(&HEADING);
    }
    let comments = ["//", "#", "*", "/*", "--"];
    if comments.iter().any(|mark| line.trim_start().starts_with(mark)) {
        return None;
    }
    if let Some(name) = first(&KEYWORD).or_else(|| first(&IMPL)).or_else(|| first(&CONSTANT)) {
        return Some(name);
    }
    if let Some(name) = first(&ASSIGNED).or_else(|| first(&VARIABLE)) {
        return Some(name);
    }
    let name = first(&CALLABLE).filter(|_| shape == Shape::Braces)?;
    let next = lines.iter().skip(at + 1).find(|line| !line.trim().is_empty());
    let opens = line.trim_end().ends_with('{')
        || (line.trim_end().ends_with(')') && next.is_some_and(|line| line.trim() == "{"));
    (opens && !NOT_NAMES.contains(&name.as_str())).then_some(name)
}
