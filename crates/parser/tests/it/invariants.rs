//! What holds for every text, however it is cut.

use proptest::prelude::*;
use tagline_parser::{Finish, Limits, ValueName};

use crate::support::{Reading, Seen, cut, finish, limits, read, reply, tags};

/// The spans, in order, without empty ones.
fn gaps(reading: &Reading, len: usize) -> Vec<String> {
    let mut spans = reading.spans.clone();
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut at = 0;
    let mut gaps = Vec::new();
    for span in spans {
        if span.start != at {
            gaps.push(format!("{at}..{}", span.start));
        }
        at = span.end;
    }
    if at != len as u64 {
        gaps.push(format!("{at}..{len}"));
    }
    gaps
}

/// The joined deltas of each value, in the order they began.
fn deltas(reading: &Reading, block: u32) -> Vec<(ValueName, String)> {
    let mut values: Vec<(ValueName, String)> = Vec::new();
    for seen in &reading.seen {
        if let Seen::Delta(id, name, text) = seen
            && *id == block
        {
            match values.iter_mut().find(|(it, _)| it == name) {
                Some((_, old)) => old.push_str(text),
                None => values.push((name.clone(), text.clone())),
            }
        }
    }
    values
}

fn told(values: &[(ValueName, String)], name: &ValueName) -> String {
    let found = values.iter().find(|(it, _)| it == name);
    found.map(|(_, text)| text.clone()).unwrap_or_default()
}

/// A kept value that is not what its deltas said.
fn lies(reading: &Reading) -> Vec<String> {
    let mut lies = Vec::new();
    for seen in &reading.seen {
        let Seen::End(block) = seen else { continue };
        let values = deltas(reading, block.id.0);
        if let Some(body) = &block.body
            && body.text() != told(&values, &ValueName::Body)
        {
            lies.push(format!("body {:?}", body.text()));
        }
        let mut told = values.iter().filter(|(name, _)| *name != ValueName::Body);
        for child in &block.children {
            let is_it =
                |name: &ValueName| matches!(name, ValueName::Child(it, _) if *it == child.name);
            // A value given twice is told twice, but stands once in the block.
            let text = child.value.text();
            if !text.is_empty() && !told.any(|(name, told)| is_it(name) && told == text) {
                lies.push(format!("{} {text:?}", child.name));
            }
        }
    }
    lies
}

proptest! {
    #![proptest_config(crate::support::config())]

    /// P1 and P2: where a reply is cut never shows, and nothing panics.
    #[test]
    fn chunking_is_invisible(
        text in reply(),
        sizes in proptest::collection::vec(1usize..9, 1..6),
        limits in limits(),
        finish in finish(),
    ) {
        let whole = read(&tags(), limits, &[&text], finish);
        let pieces = read(&tags(), limits, &cut(&text, &sizes), finish);
        prop_assert_eq!(&whole.seen, &pieces.seen);
        let single = read(&tags(), limits, &cut(&text, &[1]), finish);
        prop_assert_eq!(&whole.seen, &single.seen);
    }

    /// P3: every byte lies in exactly one span.
    #[test]
    fn nothing_is_lost(text in reply(), limits in limits(), finish in finish()) {
        let whole = read(&tags(), limits, &[&text], finish);
        prop_assert_eq!(gaps(&whole, text.len()), Vec::<String>::new(), "{:?}", whole);
        let pieces = read(&tags(), limits, &cut(&text, &[1, 3]), finish);
        prop_assert_eq!(gaps(&pieces, text.len()), Vec::<String>::new(), "{:?}", pieces);
    }

    /// P4: work is linear, and what is held is bounded.
    #[test]
    fn work_and_memory_are_bounded(text in reply(), limits in limits(), finish in finish()) {
        let single = read(&tags(), limits, &cut(&text, &[1]), finish);
        let bound = 40 * text.len() as u64 + (1 << 17);
        prop_assert!(single.stats.visited <= bound, "{:?}", single.stats);
        let slack = 4 * (limits.held + limits.start_tag + limits.name) as u64 + 1024;
        prop_assert!(single.held <= slack, "held {} of {}", single.held, slack);
    }

    /// P5: the deltas of a value are its final text.
    #[test]
    fn deltas_never_lie(text in reply(), sizes in proptest::collection::vec(1usize..9, 1..4), finish in finish()) {
        let reading = read(&tags(), Limits::default(), &cut(&text, &sizes), finish);
        prop_assert_eq!(lies(&reading), Vec::<String>::new(), "{:#?}", reading.seen);
    }

    /// A block that the reply's end cut is never handed out as complete, and goes on when more of
    /// the reply comes.
    #[test]
    fn a_cut_reply_goes_on(text in reply(), more in reply()) {
        let mut parser = tagline_parser::Parser::new(&tags(), Limits::default());
        parser.feed(&text);
        let before: Vec<_> = parser.drain().collect();
        parser.flush(Finish::Length);
        let at_cut: Vec<_> = parser.drain().collect();
        let is_partial = matches!(at_cut.last(), Some(tagline_parser::Event::End(block)) if block.is_partial);
        if !is_partial || at_cut.len() != 1 {
            return Ok(());
        }
        parser.feed(&more);
        parser.flush(Finish::Stop);
        let after: Vec<_> = parser.drain().collect();
        let mut whole = tagline_parser::Parser::new(&tags(), Limits::default());
        whole.feed(&text);
        let mut expected: Vec<_> = whole.drain().collect();
        prop_assert_eq!(&before, &expected);
        whole.feed(&more);
        whole.flush(Finish::Stop);
        expected = whole.drain().collect();
        prop_assert_eq!(after, expected);
    }
}
