//! Which tags the parser reacts to, and how their values are written.

use alloc::{string::String, vec::Vec};

/// How a value is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueKind {
    /// Trimmed, entities and numeric references decoded once.
    #[default]
    Scalar,
    /// Verbatim: file contents, commands, patches.
    Raw,
}

/// One declared child element of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildSpec {
    /// The element's name.
    pub name: String,
    /// How its text is read.
    pub kind: ValueKind,
    /// Whether it may stand several times; order is kept.
    pub is_list: bool,
    /// Names of the attributes that the child may carry.
    pub attributes: Vec<String>,
}

/// One tag that opens a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagSpec {
    /// The registered name, as blocks report it.
    pub name: String,
    /// Other names that mean the same.
    pub aliases: Vec<String>,
    /// Declared attributes; always scalars.
    pub attributes: Vec<String>,
    /// Declared children.
    pub children: Vec<ChildSpec>,
    /// How the body is read; `None`: the tag has no body.
    pub body: Option<ValueKind>,
    /// Whether a body still open when the reply ends normally counts as closed.
    pub is_lenient_eof: bool,
}

/// The tags the parser reacts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagSet {
    specs: Vec<TagSpec>,
}

impl TagSet {
    /// Collects specs. Where two share a name, the first wins.
    pub fn new(specs: impl IntoIterator<Item = TagSpec>) -> Self {
        Self { specs: specs.into_iter().collect() }
    }

    /// The specs, in the order they came in.
    #[must_use]
    pub fn specs(&self) -> &[TagSpec] {
        &self.specs
    }
}
