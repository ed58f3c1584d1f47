//! The tools of a session, in order.

use alloc::{string::String, sync::Arc, vec::Vec};

use tagline_parser::{ChildSpec, TagSet, TagSpec, ValueKind};

use crate::{ArgSpec, ArgType, Place, ToolSpec, is_same_name, nearest};

/// The tools that a model may call, in the order the prompt lists them. Clones share them: every
/// session of a server has the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toolset {
    specs: Arc<[ToolSpec]>,
}

impl Toolset {
    /// Collects specs. Where two share a name, the first wins; see [`Toolset::clashes`].
    pub fn new(specs: impl IntoIterator<Item = ToolSpec>) -> Self {
        Self { specs: specs.into_iter().collect() }
    }

    /// Every tool, in order.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// The tool of this name or alias; ASCII case does not count, a hyphen equals an underscore.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.specs.iter().find(|spec| spec.names().any(|it| is_same_name(it, name)))
    }

    /// The registered names, in order, without aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.specs.iter().map(|spec| spec.name.as_str())
    }

    /// Registered names near a wrong one, best first, at most three.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<String> {
        nearest(name, self.names())
    }

    /// Names that two tools share, so that the later tool cannot be called by them.
    #[must_use]
    pub fn clashes(&self) -> Vec<String> {
        let names: Vec<&str> = self.specs.iter().flat_map(ToolSpec::names).collect();
        let is_taken = |(n, name): &(usize, &&str)| {
            names.iter().take(*n).any(|earlier| is_same_name(earlier, name))
        };
        names.iter().enumerate().filter(is_taken).map(|(_, &name)| name.into()).collect()
    }

    /// The tools but the one of this registered name.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        Self::new(self.specs.iter().filter(|spec| spec.name != name).cloned())
    }

    /// What the parser reacts to.
    #[must_use]
    pub fn tag_set(&self) -> TagSet {
        TagSet::new(self.specs.iter().map(ToolSpec::tag_spec))
    }
}

impl ToolSpec {
    /// The registered name, then the aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.name].into_iter().chain(&self.aliases).map(String::as_str)
    }

    /// The argument of this name; ASCII case does not count, a hyphen equals an underscore.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&ArgSpec> {
        self.args.iter().find(|arg| is_same_name(&arg.name, name))
    }

    /// The argument that is written between the tags.
    #[must_use]
    pub fn body(&self) -> Option<&ArgSpec> {
        self.args.iter().find(|arg| arg.is_body())
    }

    /// How the parser reads the tool's tag.
    #[must_use]
    pub fn tag_spec(&self) -> TagSpec {
        let attributes = self.args.iter().filter(|arg| arg.place == Place::Attribute);
        let children = self.args.iter().filter(|arg| arg.is_child());
        TagSpec {
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            attributes: attributes.map(|arg| arg.name.clone()).collect(),
            children: children.map(child_spec).collect(),
            body: self.body().map(value_kind),
            is_lenient_eof: self.is_lenient_eof,
            needs_mark: self.effect.is_execution(),
        }
    }
}

fn child_spec(arg: &ArgSpec) -> ChildSpec {
    let fields = arg.ty.fields();
    let body = fields.iter().find(|field| field.is_body());
    let attributes = fields.iter().filter(|field| !field.is_body());
    ChildSpec {
        name: arg.name.clone(),
        kind: value_kind(body.unwrap_or(arg)),
        is_list: matches!(arg.ty, ArgType::List(_)),
        attributes: attributes.map(|field| field.name.clone()).collect(),
    }
}

fn value_kind(arg: &ArgSpec) -> ValueKind {
    if arg.is_raw { ValueKind::Raw } else { ValueKind::Scalar }
}
