//! The lists of marks and elements in the specification, held to the tables of the code.

use std::{collections::BTreeMap, fs, path::Path};

use super::page::{Page, unescaped};

/// The tables: where each is, and what its rows call a meaning.
const TABLES: [(&str, &str); 2] = [
    ("crates/parser/src/foreign/marker.rs", "Means::"),
    ("crates/parser/src/dialect.rs", "Role::"),
];

/// The words of each meaning, in the order of the table.
fn rows(text: &str, prefix: &str) -> BTreeMap<String, Vec<String>> {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, _) in text.match_indices(prefix) {
        let (before, behind) = (text[..at].trim_end(), &text[at + prefix.len()..]);
        let word = before.strip_suffix(',').and_then(|it| it.trim_end().strip_suffix('"'));
        let Some((_, word)) = word.and_then(|it| it.rsplit_once('"')) else { continue };
        let meaning = behind.split(|c: char| !c.is_alphanumeric()).next().unwrap();
        let word = unescaped(word).replace('\n', "\\n");
        rows.entry(meaning.to_owned()).or_default().push(word);
    }
    rows
}

/// What the lists of a page must be, with their lines; and which meanings have none.
fn lists(page: &Page, root: &Path) -> (Vec<(std::ops::Range<usize>, String)>, Vec<String>) {
    let (mut news, mut missing) = (Vec::new(), Vec::new());
    let mut fences = page.fences("words").into_iter().peekable();
    for (file, prefix) in TABLES {
        let mut rows = rows(&fs::read_to_string(root.join(file)).unwrap(), prefix);
        while let Some((meaning, _)) = fences.peek()
            && let Some(words) = rows.remove(meaning)
        {
            let (_, lines) = fences.next().unwrap();
            news.push((lines, words.iter().map(|word| format!("{word}\n")).collect()));
        }
        missing.extend(rows.into_keys().map(|meaning| format!("{prefix}{meaning} has no list")));
    }
    missing.extend(fences.map(|(meaning, _)| format!("no row has the meaning {meaning}")));
    (news, missing)
}

/// What differs between the lists of a page and the tables.
pub(super) fn differences(page: &mut Page, root: &Path, is_update: bool) -> Vec<String> {
    let (news, mut wrong) = lists(page, root);
    let news: Vec<_> = news.into_iter().filter(|(at, text)| page.text(at) != *text).collect();
    if is_update {
        page.rewrite(news);
    } else {
        wrong.extend(
            news.into_iter().map(|(at, text)| {
                format!("{}:{}: the table says\n{text}", page.name(), at.start + 1)
            }),
        );
    }
    wrong
}
