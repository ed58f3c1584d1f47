//! What reading costs in memory, counted: allocations, live bytes, bytes held back.

use allocation_counter::AllocationInfo;
use tagline_parser::{Block, EventRef, Finish, Limits, Parser, Sink, TagSet};

use crate::shared::{chunks, limits, tags};

/// What a part of a reply cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Allocations, and bytes that were live at once.
    pub(crate) memory: AllocationInfo,
    pub(crate) n_chunks: u64,
    pub(crate) n_blocks: u64,
    /// The most bytes that were kept between two chunks.
    pub(crate) held: u64,
}

/// Counts blocks; drops what it is given, or lets the parser have it back.
struct Counter {
    n_blocks: u64,
    is_owner: bool,
}

impl Sink for Counter {
    fn take(&mut self, _: EventRef<'_>) {}

    fn end(&mut self, block: &mut Block) {
        self.n_blocks += 1;
        if self.is_owner {
            drop(std::mem::take(block));
        }
    }
}

/// What reading the rest of a reply costs, once `warm_up` bytes of it were read.
pub(crate) fn cost_behind(
    warm_up: usize,
    limits: Limits,
    is_owner: bool,
    text: &str,
    size: usize,
) -> Cost {
    let tags: TagSet = tags();
    let mut counter = Counter { n_blocks: 0, is_owner };
    let (mut n_chunks, mut held) = (0, 0);
    let mut all = chunks(text, size);
    let mut memory = AllocationInfo::default();
    let mut parser = None;
    let warm_up = allocation_counter::measure(|| {
        let parser = parser.insert(Parser::new(&tags, limits));
        let mut n_bytes = 0;
        while n_bytes < warm_up {
            let Some(chunk) = all.next() else { return };
            n_bytes += chunk.len();
            parser.feed_to(chunk, &mut counter);
        }
    });
    counter.n_blocks = 0;
    if let Some(mut parser) = parser {
        memory = allocation_counter::measure(|| {
            for chunk in all {
                n_chunks += 1;
                parser.feed_to(chunk, &mut counter);
                held = held.max(parser.stats().held);
            }
            parser.flush_to(Finish::Stop, &mut counter);
        });
    }
    // What was live before counts too.
    let before = u64::try_from(warm_up.bytes_current).unwrap_or_default();
    memory.bytes_max = (memory.bytes_max + before).max(warm_up.bytes_max);
    Cost { memory, n_chunks, n_blocks: counter.n_blocks, held }
}

/// What a whole reply costs where values are not kept.
pub(crate) fn streamed(text: &str, size: usize) -> Cost {
    cost_behind(0, limits(0), false, text, size)
}

/// What the second half of a reply costs where values are not kept.
pub(crate) fn second_half(text: &str, size: usize) -> Cost {
    cost_behind(text.len() / 2, limits(0), false, text, size)
}

/// What a whole reply costs where blocks are taken with their values.
pub(crate) fn owned(text: &str, size: usize) -> Cost {
    cost_behind(0, limits(64 << 20), true, text, size)
}
