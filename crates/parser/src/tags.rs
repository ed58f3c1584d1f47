//! Which tags the parser reacts to, and how their values are written.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::names::Names;

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
///
/// # Examples
///
/// ```
/// use tagline_parser::{ChildSpec, ValueKind};
///
/// let content =
///     ChildSpec { name: "content".into(), kind: ValueKind::Raw, ..ChildSpec::default() };
/// assert!(!content.is_list);
/// ```
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
///
/// Names are ASCII: letters, digits, `_`, `-`, `.` and `:`, at most
/// [`Limits::name`](crate::Limits::name) bytes. ASCII case does not count, and a hyphen equals an
/// underscore.
///
/// # Examples
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, ValueKind, parse};
///
/// let write = TagSpec {
///     name: "write_file".into(),
///     aliases: vec!["create_file".into()],
///     attributes: vec!["path".into()],
///     body: Some(ValueKind::Raw),
///     ..TagSpec::default()
/// };
/// let reply = "<create-file path=\"a\">one</create-file>";
/// let events = parse(&TagSet::new([write]), Limits::default(), reply, Finish::Stop);
/// let Some(Event::End(block)) = events.last() else { panic!() };
/// assert_eq!(block.name, "write_file");
/// ```
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
    /// Whether a call of it needs a tag or a mark. JSON or Python that is the whole reply is then
    /// text: for tools that must never run by mistake.
    pub needs_mark: bool,
}

/// The tags the parser reacts to. An empty set is allowed: then a reply is text and thinking.
///
/// Its names are looked up once, when it is made: a copy and a parser for it cost little.
#[derive(Clone, Debug)]
pub struct TagSet {
    specs: Arc<[TagSpec]>,
    names: Arc<Names>,
}

impl TagSet {
    /// Collects specs. Where two share a name, the first wins.
    pub fn new(specs: impl IntoIterator<Item = TagSpec>) -> Self {
        let specs: Arc<[TagSpec]> = specs.into_iter().collect();
        Self { names: Arc::new(Names::new(&specs)), specs }
    }

    /// The specs, in the order they came in.
    #[must_use]
    pub fn specs(&self) -> &[TagSpec] {
        &self.specs
    }

    pub(crate) fn names(&self) -> Arc<Names> {
        Arc::clone(&self.names)
    }
}

impl Default for TagSet {
    fn default() -> Self {
        Self::new([])
    }
}

impl PartialEq for TagSet {
    fn eq(&self, other: &Self) -> bool {
        self.specs == other.specs
    }
}

impl Eq for TagSet {}
