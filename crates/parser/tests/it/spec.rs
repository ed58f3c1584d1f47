//! The specification, run: every example of `spec/` holds at every cut, and every rule is cited by
//! the code that keeps it.

mod events;
mod page;
mod tables;
mod tools;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use events::{Reply, rendered};
use page::{Example, Page, Settings, Start, ids};
use tagline_parser::{Finish, Limits, TagSet};

/// The longest example that is cut in two at every place, in characters.
const SHORT: usize = 400;

/// What a chunk of a live example ends with.
const CHUNK_END: char = '¦';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<Page> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("spec"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths.into_iter().map(Page::read).collect()
}

/// Every way in which an example is fed: whole, in small pieces, and in two.
fn cuts(input: &str) -> Vec<Vec<&str>> {
    let mut cuts = vec![vec![input]];
    cuts.extend([1, 2, 3, 7].map(|size| crate::support::cut(input, &[size])));
    if input.chars().count() <= SHORT {
        let places = input.char_indices().map(|(at, _)| at).skip(1);
        cuts.extend(places.map(|at| vec![&input[..at], &input[at..]]));
    }
    cuts
}

/// The examples of the native chapters, but for those about limits, chunks and the prompt: where
/// each stands, its tags, its reply and how that ends.
pub(crate) fn native_examples() -> Vec<(String, TagSet, String, Finish)> {
    let is_native = |example: &Example| {
        let Settings { is_live, limits, start, .. } = &example.settings;
        !is_live
            && *limits == Limits::default()
            && *start == Start::Text
            && !example.rule.starts_with(['D', 'L'])
    };
    let examples = pages().into_iter().flat_map(|page| page.examples);
    examples.filter(is_native).map(|it| (it.place, it.tags, it.input, it.settings.finish)).collect()
}

/// What an example gives, and what is wrong with it at any cut. Where it is fed in pieces of its
/// own, the pieces show.
fn given(example: &Example) -> (String, Option<String>) {
    let reply = Reply { tags: &example.tags, settings: &example.settings };
    if example.settings.is_live {
        let chunks: Vec<&str> = example.input.split(CHUNK_END).collect();
        let (given, broken) = rendered(&reply, &chunks);
        return (given, broken.map(|it| format!("{}: {it}", example.place)));
    }
    let (whole, broken) = rendered(&reply, &[example.input.as_str()]);
    let broken = broken.or_else(|| {
        cuts(&example.input).into_iter().find_map(|chunks| {
            let (pieces, broken) = rendered(&reply, &chunks);
            let differs = || (pieces != whole).then(|| format!("P1: it gives\n{pieces}"));
            broken.or_else(differs).map(|it| format!("fed as {chunks:?}: {it}"))
        })
    });
    (whole, broken.map(|it| format!("{}: {it}", example.place)))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "whoever runs the test says whether it rewrites")]
fn every_example_gives_its_events_at_every_cut() {
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let (mut wrong, mut n_old) = (Vec::new(), 0);
    for mut page in pages() {
        let mut news = Vec::new();
        for example in &page.examples {
            let (given, broken) = given(example);
            wrong.extend(broken);
            if given != example.expected && is_update {
                news.push((example.events.clone(), given));
            } else if given != example.expected {
                let Example { place, expected, input, .. } = example;
                n_old += 1;
                wrong.push(format!("{place}\n{input}\n--- expected\n{expected}--- given\n{given}"));
            }
        }
        if !news.is_empty() {
            page.rewrite(news);
        }
    }
    let hint = if n_old > 0 { "UPDATE_EXPECT=1 rewrites examples that differ" } else { "" };
    assert!(wrong.is_empty(), "{}\n{hint}", wrong.join("\n"));
}

/// Lines of comments below a folder, with their places.
fn comments(folder: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            comments(&path, out);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate().filter_map(|(n, line)| {
            let comment = line.trim_start();
            let place = format!("{}:{}", path.file_name().unwrap().display(), n + 1);
            comment.starts_with("//").then(|| (place, comment.to_owned()))
        });
        out.extend(lines);
    }
}

/// Every rule that the parser's comments cite, with the places.
fn citations() -> BTreeMap<String, Vec<String>> {
    let mut lines = Vec::new();
    comments(&root().join("crates/parser/src"), &mut lines);
    let mut citations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, line) in lines {
        for id in ids(&line) {
            citations.entry(id).or_default().push(place.clone());
        }
    }
    citations
}

#[track_caller]
fn check(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_rule_has_an_example_and_a_name_of_its_own() {
    let (mut names, mut found) = (BTreeSet::new(), Vec::new());
    for page in pages() {
        for rule in &page.rules {
            let n = page.examples.iter().filter(|it| it.rule == rule.id).count();
            if n == 0 {
                found.push(format!("{}: [{}] has no example; write one", page.name(), rule.id));
            }
            if !names.insert(rule.id.clone()) {
                found.push(format!("{}: [{}] is taken; count on", page.name(), rule.id));
            }
        }
    }
    assert!(!names.is_empty(), "spec/ has no rule");
    check(&found);
}

#[test]
fn every_chapter_is_in_the_table_of_chapters() {
    let table = fs::read_to_string(root().join("spec/README.md")).unwrap();
    let names = pages().into_iter().map(|page| page.name()).filter(|name| name != "README.md");
    let missing = names.filter(|name| !table.contains(&format!("]({name})")));
    check(&missing.map(|name| format!("spec/README.md does not name {name}")).collect::<Vec<_>>());
}

#[test]
fn every_rule_is_cited_and_every_citation_is_a_rule() {
    let rules: BTreeSet<String> =
        pages().into_iter().flat_map(|page| page.rules).map(|rule| rule.id).collect();
    let citations = citations();
    let uncited = rules.iter().filter(|rule| !citations.contains_key(*rule));
    let mut found: Vec<String> = uncited
        .map(|rule| {
            format!("[{rule}] is cited nowhere in crates/parser/src; cite it where it is kept")
        })
        .collect();
    for (id, places) in &citations {
        if !rules.contains(id) {
            found.push(format!("{}: spec/ has no rule [{id}]; cite another", places.join(", ")));
        }
    }
    check(&found);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "whoever runs the test says whether it rewrites")]
fn every_mark_and_every_element_is_listed() {
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut page = Page::read(root().join("spec/marks.md"));
    check(&tables::differences(&mut page, &root(), is_update));
}

/// The stable names that a file's `as_str` gives.
fn stable_names(path: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let (_, arms) = text.split_once("fn as_str").unwrap();
    let (arms, _) = arms.split_once("\n    }\n").unwrap();
    arms.split("=> \"").skip(1).map(|it| it.split('"').next().unwrap().to_owned()).collect()
}

/// Not the parser's, but the runtime's.
const ELSEWHERE: [&str; 1] = ["unknown_param"];

#[test]
fn every_reason_and_every_repair_is_shown_by_an_example() {
    let pages = pages();
    let lines: BTreeSet<&str> = pages
        .iter()
        .flat_map(|page| &page.examples)
        .flat_map(|example| example.expected.lines().map(str::trim_start))
        .collect();
    let is_shown = |name: &str, heads: &[&str]| {
        lines
            .iter()
            .any(|line| heads.iter().any(|head| line.starts_with(&format!("{head} {name} "))))
    };
    let repairs = stable_names("crates/parser/src/repair.rs");
    let reasons = stable_names("crates/parser/src/event.rs");
    assert!(repairs.len() > 10 && reasons.len() > 10, "the names were not found");
    let repairs = repairs.iter().filter(|name| !is_shown(name, &["repair"]));
    let reasons = reasons.iter().filter(|name| !is_shown(name, &["fault", "note"]));
    let reasons = reasons.filter(|name| !ELSEWHERE.contains(&name.as_str()));
    let found: Vec<String> =
        repairs.chain(reasons).map(|name| format!("`{name}` is in no example")).collect();
    check(&found);
}

/// The variants of the machine's state, each with the comment above it.
fn states() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("crates/parser/src/machine.rs")).unwrap();
    let (_, rest) = text.split_once("enum State {").unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let (mut states, mut comment) = (Vec::new(), String::new());
    for line in body.lines().map(str::trim) {
        if line.starts_with("//") {
            comment.push_str(line);
        } else if line.starts_with(char::is_uppercase) {
            let name = line.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            states.push((name.to_owned(), std::mem::take(&mut comment)));
        }
    }
    states
}

#[test]
fn every_state_cites_the_rule_it_keeps() {
    let states = states();
    assert!(states.len() > 10, "the states were not found");
    let bare = states.iter().filter(|(_, comment)| ids(comment).is_empty());
    let found: Vec<String> = bare
        .map(|(name, _)| format!("machine.rs: State::{name} cites no rule of spec/; name one"))
        .collect();
    check(&found);
}
