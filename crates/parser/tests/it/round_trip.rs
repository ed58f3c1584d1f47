//! P7: a rendered block reads as the same block, whatever its values.

use proptest::prelude::*;
use tagline_parser::{Block, BlockId, Child, Finish, Limits, TagSpec, Value, render};

use crate::support::{Seen, cut, read, reply, tags};

/// A block of one of the tags, with values made of markup.
fn block() -> impl Strategy<Value = Block> {
    let texts = proptest::collection::vec(reply(), 8);
    let flags = proptest::collection::vec(any::<bool>(), 8);
    (0..tags().specs().len(), texts, flags)
        .prop_map(|(n, texts, flags)| build(&tags().specs()[n], &texts, &flags))
}

fn build(spec: &TagSpec, texts: &[String], flags: &[bool]) -> Block {
    let mut values = texts.iter().zip(flags);
    let mut next =
        || values.next().filter(|(_, is_given)| **is_given).map(|(text, _)| text.clone());
    let attributes =
        spec.attributes.iter().filter_map(|name| Some((name.clone(), next()?))).collect();
    let mut children = Vec::new();
    for child in &spec.children {
        for _ in 0..if child.is_list { 2 } else { 1 } {
            let Some(text) = next() else { continue };
            let attributes = next().map(|text| ("status".into(), text)).into_iter().collect();
            let value = Value::Text(text);
            children.push(Child { name: child.name.clone(), attributes, value, is_declared: true });
        }
    }
    let body = spec.body.and_then(|_| next()).map(Value::Text);
    Block {
        id: BlockId(0),
        name: spec.name.clone(),
        attributes,
        children,
        body,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: Vec::new(),
        repairs: Vec::new(),
        span: 0..0,
    }
}

proptest! {
    #![proptest_config(crate::support::config())]

    #[test]
    fn a_rendered_block_reads_as_itself(block in block(), size in 1usize..20) {
        let text = render(&block, &tags());
        let reply = format!("Before.\n{text}\nBehind.");
        let reading = read(&tags(), Limits::default(), &cut(&reply, &[size]), Finish::Stop);
        let span = 8..8 + text.len() as u64;
        let expected = Seen::End(Block { span, ..block });
        let blocks: Vec<&Seen> =
            reading.seen.iter().filter(|seen| matches!(seen, Seen::End(_))).collect();
        prop_assert_eq!(blocks, vec![&expected], "{}", text);
        prop_assert_eq!(reading.seen.first(), Some(&Seen::Text("Before.\n".into())));
        prop_assert_eq!(reading.seen.last(), Some(&Seen::Text("\nBehind.".into())));
    }
}
