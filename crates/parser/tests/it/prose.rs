//! Ordinary writing holds no calls, whatever syntaxes it speaks of: this project's own pages, which
//! are full of them.

use std::{fs, path::Path};

use tagline_parser::{Event, Finish, Limits, Parser, Reason, TagSet, TagSpec, ValueKind};

/// Tools with names that are also words.
fn tags() -> TagSet {
    let names = ["write_file", "read_file", "search", "say", "run", "open", "query", "name", "f"];
    TagSet::new(names.map(|name| TagSpec {
        name: name.into(),
        body: Some(ValueKind::Raw),
        ..TagSpec::default()
    }))
}

fn pages(folder: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect();
    pages.sort();
    pages
}

#[test]
fn pages_about_calls_hold_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.clone(), root.join("docs"), root.join("spec"), root.join("crates/parser")];
    let pages: Vec<_> = folders.iter().flat_map(|folder| pages(folder)).collect();
    assert!(pages.len() > 20);
    for (path, page) in pages {
        let mut parser = Parser::new(&tags(), Limits::default());
        parser.feed(&page);
        parser.flush(Finish::Stop);
        let mut shown = String::new();
        for event in parser.drain() {
            if let Event::Text(text) = &event {
                shown.push_str(text);
                continue;
            }
            let is_quoted =
                matches!(&event, Event::Fault(fault) if fault.reason == Reason::QuotedCall);
            assert!(is_quoted, "{path}: {event:?}");
        }
        assert_eq!(shown, page, "{path}");
    }
}
