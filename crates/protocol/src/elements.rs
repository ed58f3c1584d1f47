//! Reads a value that is written as elements: `<item>a</item><item>b</item>`.

use alloc::vec::Vec;

/// The element that some models write for each value of a list.
pub(crate) const ITEM: &str = "item";

/// What one model writes before the `<` of each of its tags, so that other tags are text. It has a
/// `<` of its own.
const SENTINEL: &str = "]<]minimax[>[<";

/// The sign that begins a section of verbatim text, and the one that ends it.
const CDATA: [&str; 2] = ["<![CDATA[", "]]>"];

/// An element without attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    /// The text between its tags.
    pub(crate) inner: &'a str,
}

/// The elements that make up the whole text, if it holds nothing else but blanks.
pub(crate) fn read(text: &str) -> Option<Vec<Element<'_>>> {
    let mut elements = Vec::new();
    let mut rest = text.trim();
    let opening = if rest.starts_with(SENTINEL) { SENTINEL } else { "<" };
    while !rest.is_empty() {
        let (element, behind) = element(rest, opening)?;
        elements.push(element);
        rest = behind.trim_start();
    }
    (!elements.is_empty()).then_some(elements)
}

/// The text of an element that holds no others. Line breaks directly inside its tags are layout.
pub(crate) fn text(inner: &str) -> &str {
    let text = match inner.strip_prefix('\n') {
        Some(lines) => lines.trim_end_matches([' ', '\t']).strip_suffix('\n').unwrap_or(lines),
        None => inner,
    };
    let [begin, end] = CDATA;
    let section = text.trim().strip_prefix(begin).and_then(|it| it.strip_suffix(end));
    section.filter(|it| !it.contains(end)).unwrap_or(text)
}

/// The element at the start of a text, and what stands behind it.
fn element<'a>(text: &'a str, opening: &str) -> Option<(Element<'a>, &'a str)> {
    let (name, behind) = split_name(text.strip_prefix(opening)?)?;
    let behind = behind.trim_start();
    if let Some(behind) = behind.strip_prefix("/>") {
        return Some((Element { name, inner: "" }, behind));
    }
    let body = behind.strip_prefix('>')?;
    let (inner, behind) = split_end(body, name, opening)?;
    Some((Element { name, inner }, behind))
}

fn split_name(text: &str) -> Option<(&str, &str)> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
    let n = text.find(|it| !is_part(it))?;
    let starts_well = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    text.split_at_checked(n).filter(|_| starts_well)
}

/// What stands before the end tag of this name, and what stands behind it. Elements of the same
/// name inside have their own.
fn split_end<'a>(body: &'a str, name: &str, opening: &str) -> Option<(&'a str, &'a str)> {
    let (mut at, mut n_open) = (0, 1usize);
    loop {
        at += body.get(at..)?.find(opening)?;
        let mark = body.get(at..)?;
        if mark.starts_with(CDATA[0]) {
            at += mark.find(CDATA[1])?;
            continue;
        }
        let start = at;
        at += opening.len();
        let tag = body.get(at..)?;
        let (tag, is_end) = tag.strip_prefix('/').map_or((tag, false), |tag| (tag, true));
        let Some(behind) = tag.strip_prefix(name).map(str::trim_start) else { continue };
        let Some(behind) = behind.strip_prefix('>') else { continue };
        n_open = if is_end { n_open - 1 } else { n_open + 1 };
        if n_open == 0 {
            return Some((body.get(..start)?, behind));
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Expect) {
        let lines = match read(source) {
            None => "none".into(),
            Some(all) => {
                let lines = all.iter().map(|it| format!("{}: {:?}\n", it.name, text(it.inner)));
                lines.collect::<String>()
            }
        };
        expected.assert_eq(&lines);
    }

    #[test]
    fn a_whole_text_of_elements_is_read() {
        check(
            "\n<item>a</item>\n  <item> b </item ><item/><x-y.z>\n  1\n  2\n  </x-y.z>",
            expect![[r#"
                item: "a"
                item: " b "
                item: ""
                x-y.z: "  1\n  2"
            "#]],
        );
        check(
            "<item><item>in</item></item><item>a < b <c> &amp;</item>",
            expect![[r#"
                item: "<item>in</item>"
                item: "a < b <c> &amp;"
            "#]],
        );
        check(
            "]<]minimax[>[<item>a</item>]<]minimax[>[</item>\n]<]minimax[>[<b>]<]minimax[>[<c>1]<]minimax[>[</c>]<]minimax[>[</b>",
            expect![[r#"
                item: "a</item>"
                b: "]<]minimax[>[<c>1]<]minimax[>[</c>"
            "#]],
        );
        check(
            "<item><![CDATA[</item>]]></item>",
            expect![[r#"
                item: "</item>"
            "#]],
        );
    }

    #[test]
    fn anything_else_is_no_list_of_elements() {
        for source in [
            "",
            " ",
            "a",
            "<item>a</item> b",
            "a <item>b</item>",
            "<item>a",
            "<item>a</it>",
            "<item>use <item> here</item>",
            "<item x=\"1\">a</item>",
            "<1>a</1>",
            "<>a</>",
            "<",
            "<a",
            "<item><![CDATA[a</item>",
            "]<]minimax[>[<item>a</item>",
        ] {
            assert_eq!(read(source), None, "{source}");
        }
    }
}
