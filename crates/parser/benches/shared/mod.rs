//! What benches and tests of counts share: the tags of the workloads, and ways to read a reply.

use tagline_parser::{Block, EventRef, Finish, Limits, Parser, Sink, TagSet, TagSpec, ValueKind};
use tagline_workload::{TOOLS, Tool};

/// The tools of the workloads, as tags.
pub(crate) fn tags() -> TagSet {
    TagSet::new(TOOLS.iter().map(tag))
}

fn tag(tool: &Tool) -> TagSpec {
    let kind = |(_, is_verbatim)| if is_verbatim { ValueKind::Raw } else { ValueKind::Scalar };
    TagSpec {
        name: tool.name.into(),
        attributes: tool.attributes.iter().map(|&name| name.into()).collect(),
        body: tool.body.map(kind),
        ..TagSpec::default()
    }
}

/// As many calls as there are; `owned_value`: the longest value that is kept.
pub(crate) fn limits(owned_value: usize) -> Limits {
    Limits { blocks: usize::MAX, owned_value, ..Limits::default() }
}

/// Cuts a text into pieces of `size` bytes, or a few more where a character would be torn.
pub(crate) fn chunks(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut cut = size.min(rest.len());
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        let (chunk, behind) = rest.split_at(cut);
        rest = behind;
        (!chunk.is_empty()).then_some(chunk)
    })
}

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
