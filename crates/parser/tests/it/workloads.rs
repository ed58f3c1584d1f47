//! What the benches measure is right: the calls of every workload are found, to the byte.

use tagline_parser::Block;
use tagline_workload::{Call, Dialect, Shape, build};

use crate::{blocks::blocks, shared::tags};

/// Whether a block is this call, to the byte.
fn is_call(block: &Block, call: &Call) -> bool {
    let attributes = block.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let expected = call.attributes.iter().map(|(name, value)| (*name, value.as_str()));
    block.name == call.name
        && attributes.eq(expected)
        && block.body.as_ref().map(|body| body.text()) == call.body.as_deref()
}

fn check(shape: Shape, sizes: &[usize]) {
    let workload = build(shape, Dialect::Native);
    for &size in sizes {
        let found: Vec<Block> = blocks(&tags(), &workload.text, size)
            .into_iter()
            .filter(|block| !block.is_partial)
            .collect();
        let wrong = found.iter().zip(&workload.calls).find(|(block, call)| !is_call(block, call));
        assert_eq!(wrong, None, "{} in pieces of {size}", shape.name());
        assert_eq!(found.len(), workload.calls.len(), "{} in pieces of {size}", shape.name());
    }
}

#[test]
fn the_calls_of_every_workload_are_found() {
    check(Shape::Chatty, &[1, 4, 64, 4096, usize::MAX]);
    check(Shape::Code, &[1, 4, 64, 4096, usize::MAX]);
    check(Shape::Utf8, &[4, 4096]);
    check(Shape::Grow(100_000), &[4, 4096]);
    check(Shape::Chat(100_000), &[4, 4096]);
    check(Shape::Adv, &[64]);
    check(Shape::Many, &[64]);
    check(Shape::AdvClose, &[64]);
    check(Shape::AdvLt, &[64]);
    check(Shape::AdvOpen, &[64]);
}
