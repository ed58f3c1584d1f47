//! How the specification writes tools down: `name: part; part`, a line each.
//!
//! Parts are `attributes a b`, `children a b=raw c* d(lang)`, `body`, `body raw`, `alias other`,
//! `lenient` and `marked`. A star marks a child that may repeat; words in parentheses are its own attributes.

use tagline_parser::{ChildSpec, TagSet, TagSpec, ValueKind};

pub(super) fn tag_set(lines: &[String]) -> TagSet {
    TagSet::new(lines.iter().filter(|line| !line.trim().is_empty()).map(|line| tag(line)))
}

fn tag(line: &str) -> TagSpec {
    let (name, parts) = line.split_once(':').unwrap_or((line, ""));
    let mut tag = TagSpec { name: name.trim().to_owned(), ..TagSpec::default() };
    for part in parts.split(';') {
        let mut words = part.split_whitespace();
        let Some(kind) = words.next() else { continue };
        let words: Vec<&str> = words.collect();
        let names = || words.iter().map(|&word| word.to_owned());
        match (kind, words.as_slice()) {
            ("attributes", [_, ..]) => tag.attributes = names().collect(),
            ("children", [_, ..]) => tag.children = words.iter().map(|it| child(it)).collect(),
            ("alias", [_, ..]) => tag.aliases = names().collect(),
            ("body", []) => tag.body = Some(ValueKind::Scalar),
            ("body", ["raw"]) => tag.body = Some(ValueKind::Raw),
            ("lenient", []) => tag.is_lenient_eof = true,
            ("marked", []) => tag.needs_mark = true,
            _ => panic!("no part of a tool: {part}"),
        }
    }
    tag
}

fn child(text: &str) -> ChildSpec {
    let mut child = ChildSpec::default();
    let text = match text.strip_suffix('*') {
        Some(text) => {
            child.is_list = true;
            text
        }
        None => text,
    };
    let text = match text.strip_suffix("=raw") {
        Some(text) => {
            child.kind = ValueKind::Raw;
            text
        }
        None => text,
    };
    let (name, attributes) = text.split_once('(').unwrap_or((text, ""));
    let attributes = attributes.trim_end_matches(')').split(',');
    child.attributes = attributes.filter(|it| !it.is_empty()).map(str::to_owned).collect();
    name.clone_into(&mut child.name);
    child
}
