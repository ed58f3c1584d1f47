//! What benches and tests of counts share: the tags of the workloads, limits, and how texts are cut.

use tagline_parser::{Limits, TagSet, TagSpec, ValueKind};
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
