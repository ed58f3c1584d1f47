//! P6: what stands in a raw value never changes a path, an attribute, or another block.

use proptest::prelude::*;
use tagline_parser::{Block, Finish, Limits, Value};
use tagline_testkit::Mix;

use crate::support::{Seen, cut, made, read, tags};

/// Text that a value may hold: marks of every dialect, calls, ends, sections.
fn hostile() -> impl Strategy<Value = String> {
    made(|choices| {
        let n = choices.below(4);
        (0..=n).map(|_| tagline_testkit::text(choices, &tags(), Mix::Every)).collect()
    })
}

/// The blocks of a reply that ends by itself, with faults that stand for refused ones.
fn outcome(reply: &str, size: usize) -> Vec<Seen> {
    let reading = read(&tags(), Limits::default(), &cut(reply, &[size]), Finish::Stop);
    let is_outcome = |seen: &Seen| matches!(seen, Seen::End(_) | Seen::Fault(_));
    reading.seen.into_iter().filter(is_outcome).collect()
}

fn blocks(seen: &[Seen]) -> Vec<&Block> {
    seen.iter().filter_map(Seen::block).collect()
}

fn values(block: &Block, name: &str) -> Vec<String> {
    let children = block.children.iter().filter(|child| child.name == name);
    children.map(|child| child.value.text().to_owned()).collect()
}

/// Whether a text holds no end tag of a name, in any spelling.
fn is_free_of_end(text: &str, name: &str) -> bool {
    let text = text.to_lowercase().replace('-', "_");
    text.match_indices(name).all(|(at, _)| {
        let before = text[..at].trim_end();
        !before.strip_suffix('/').is_some_and(|before| before.trim_end().ends_with('<'))
    })
}

/// Whether an end tag stands directly before a start tag: that is how a call looks whose section
/// was never ended.
fn has_end_before_start(text: &str) -> bool {
    let is_end = |tag: &str| tag.trim_start().starts_with('/');
    text.match_indices('<').filter(|(at, _)| is_end(&text[at + 1..])).any(|(at, _)| {
        let behind = text[at..].split_once('>').map_or("", |(_, behind)| behind).trim_start();
        behind.strip_prefix('<').is_some_and(|behind| !is_end(behind))
    })
}

/// What a raw value keeps of a text: one line break at each end is layout.
fn kept(text: &str) -> &str {
    let text = text.strip_prefix("\r\n").or(text.strip_prefix('\n')).unwrap_or(text);
    text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(text)
}

proptest! {
    #![proptest_config(crate::support::config())]

    /// Whatever the content is and however it ends, the path that stood before it is the path, or
    /// the block is refused; what ran before is as it was.
    #[test]
    fn the_path_before_a_raw_child_is_the_path(
        text in hostile(),
        is_section in any::<bool>(),
        size in 1usize..30,
    ) {
        let (open, close) = if is_section { ("<![CDATA[", "]]>") } else { ("", "") };
        let reply = format!(
            "<say tone=\"calm\">first</say>\n<create><path>mine</path><content>{open}{text}{close}</content></create>\n"
        );
        let seen = outcome(&reply, size);
        let blocks = blocks(&seen);
        prop_assert_eq!(&blocks[0].name, "say");
        prop_assert_eq!(&blocks[0].attributes, &[("tone".to_owned(), "calm".to_owned())]);
        if let Some(create) = blocks.iter().find(|block| block.id.0 == 1) {
            prop_assert_eq!(&create.name, "create");
            prop_assert_eq!(values(create, "path"), ["mine"], "{:?}", seen);
            prop_assert!(create.attributes.is_empty(), "{:?}", seen);
        }
    }

    /// The same with a path that is an attribute.
    #[test]
    fn an_attribute_is_what_its_start_tag_says(
        text in hostile(),
        is_section in any::<bool>(),
        size in 1usize..30,
    ) {
        let (open, close) = if is_section { ("<![CDATA[", "]]>") } else { ("\n", "\n") };
        let reply = format!("<write_file path=\"mine\" mode=\"w\">{open}{text}{close}</write_file>\n");
        let seen = outcome(&reply, size);
        let expected = [("path", "mine"), ("mode", "w")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        for block in blocks(&seen).iter().filter(|block| block.id.0 == 0) {
            prop_assert_eq!(&block.name, "write_file");
            prop_assert_eq!(&block.attributes, &expected, "{:?}", seen);
            prop_assert!(block.children.is_empty(), "{:?}", seen);
        }
    }

    /// A section whose end the text does not hold is the value to the byte, and what follows is
    /// read as if it had held nothing.
    #[test]
    fn a_section_is_kept_to_the_byte(text in hostile(), size in 1usize..30) {
        let text = format!("{} ", text.replace("]>", "] >"));
        prop_assume!(!has_end_before_start(&text));
        let rest = "<search><query>q</query></search>\n<say>bye</say>";
        for (start, end) in [
            ("<create><path>mine</path><content>", "</content></create>"),
            ("<write_file path=\"mine\">", "</write_file>"),
        ] {
            let reply = format!("{start}<![CDATA[{text}]]>{end}\n{rest}");
            let seen = outcome(&reply, size);
            let blocks = blocks(&seen);
            prop_assert_eq!(blocks.len(), seen.len(), "{:?}", seen);
            prop_assert_eq!(blocks.len(), 3, "{:?}", seen);
            let content = values(blocks[0], "content").into_iter().next();
            let body = blocks[0].body.as_ref().map(Value::text).map(str::to_owned);
            prop_assert_eq!(content.or(body), Some(kept(&text).to_owned()));
            prop_assert!(blocks.iter().all(|block| !block.is_recovered), "{:?}", seen);
            prop_assert_eq!(values(blocks[1], "query"), ["q"]);
            prop_assert_eq!(blocks[2].body.as_ref().map(Value::text), Some("bye"));
        }
    }

    /// A plain child whose end tag the text does not hold is the value to the byte, whatever else
    /// it holds.
    #[test]
    fn a_plain_child_is_kept_to_the_byte(text in hostile(), size in 1usize..30) {
        let is_section = text.trim_start().to_lowercase().starts_with("<![cdata[");
        let is_free = is_free_of_end(&text, "content") && is_free_of_end(&text, "create");
        // An end of the block or a call may stand in it only where both are whole.
        prop_assume!(!is_section && is_free && !text.trim_end().ends_with('<'));
        let reply = format!(
            "<create><path>mine</path><content>{text}</content></create>\n<say>bye</say>"
        );
        let seen = outcome(&reply, size);
        let blocks = blocks(&seen);
        prop_assert_eq!(blocks.len(), 2, "{:?}", seen);
        prop_assert_eq!(values(blocks[0], "content"), [kept(&text)], "{:?}", seen);
        prop_assert_eq!(values(blocks[0], "path"), ["mine"]);
        prop_assert_eq!(blocks[1].body.as_ref().map(Value::text), Some("bye"));
    }
}

#[test]
fn a_tag_left_open_in_a_section_does_not_hide_its_end() {
    let text = "<write_file path=\"p\"><![CDATA[<say\n tone=\"a]]></write_file>\n<say>bye</say>";
    let seen = outcome(text, 100);
    let blocks = blocks(&seen);
    assert_eq!(blocks.len(), 2, "{seen:?}");
    assert_eq!(blocks[0].body.as_ref().map(Value::text), Some("<say\n tone=\"a"));
    assert!(!blocks[0].is_recovered);
}
