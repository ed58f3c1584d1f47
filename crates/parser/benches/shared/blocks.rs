//! The finished blocks of a reply.

use tagline_parser::{Block, EventRef, Finish, Parser, Sink, TagSet};

use crate::shared::{chunks, limits};

/// The finished blocks of a reply that is read in chunks.
pub(crate) fn blocks(tags: &TagSet, text: &str, size: usize) -> Vec<Block> {
    let mut parser = Parser::new(tags, limits(64 << 20));
    let mut kept = Kept(Vec::new());
    for chunk in chunks(text, size) {
        parser.feed_to(chunk, &mut kept);
    }
    parser.flush_to(Finish::Stop, &mut kept);
    kept.0
}

/// Keeps finished blocks, and nothing else.
struct Kept(Vec<Block>);

impl Sink for Kept {
    fn take(&mut self, _: EventRef<'_>) {}

    fn end(&mut self, block: &mut Block) {
        self.0.push(std::mem::take(block));
    }
}
