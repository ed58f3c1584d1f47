//! Which tool an open block calls, and which tags are structure in it.

use crate::{
    dialect::{self, Form, Sentinel, Style},
    input::Input,
    names::{Names, ToolId, Word},
    tag::Head,
};

/// Which tool a start tag calls, and what ends it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    pub(crate) tool: ToolId,
    /// The word of its end tag.
    pub(crate) own: Word,
    /// Whether the start tag is the tool's own.
    pub(crate) is_native: bool,
    /// What marks its tags as structure.
    pub(crate) sentinel: Sentinel,
    /// Whether its tags without a namespace are text, where it has one.
    pub(crate) is_strict: bool,
    /// The word of an element that stands before its values, and begins the next call.
    pub(crate) lead: Option<Word>,
    pub(crate) style: Style,
}

impl Target {
    /// A tool's own element.
    pub(crate) const fn native(tool: ToolId, own: Word) -> Self {
        let (sentinel, style) = (Sentinel::None, dialect::NATIVE);
        let (is_strict, lead) = (false, None);
        Self { tool, own, is_native: true, sentinel, is_strict, lead, style }
    }

    /// An element that names the tool.
    pub(crate) const fn calling(tool: ToolId, own: Word) -> Self {
        Self { is_native: false, ..Self::native(tool, own) }
    }

    /// Written so.
    pub(crate) const fn written(mut self, form: Form, sentinel: Sentinel) -> Self {
        (self.sentinel, self.style) = (sentinel, dialect::style(form, sentinel));
        self
    }

    /// The first value carries this mark. A namespace that it shares with the block is kept.
    pub(crate) fn learn(&mut self, sentinel: Sentinel) {
        self.is_strict |= sentinel != Sentinel::None && sentinel == self.sentinel;
    }

    /// The word of a tag, if it is marked as the tags of this block are.
    pub(crate) fn word(&self, head: &Head, names: &Names, input: &Input<'_>) -> Option<Word> {
        let word = names.word(input.slice(head.name.clone()))?;
        self.is_marked(names.sentinel(head, input)).then_some(word)
    }

    /// Whether a tag with this mark is structure here.
    pub(crate) fn is_marked(&self, sentinel: Sentinel) -> bool {
        if self.sentinel.is_strong() || self.is_strict {
            return self.sentinel == sentinel;
        }
        !sentinel.is_strong()
    }

    /// Whether an end tag with this mark may be one of this block that lost its namespace.
    pub(crate) fn may_be_bare(&self, sentinel: Sentinel) -> bool {
        self.is_strict && !self.sentinel.is_strong() && sentinel == Sentinel::None
    }

    /// Whether a start tag of this word begins the next call.
    pub(crate) fn is_lead(&self, word: Option<Word>) -> bool {
        self.lead.is_some() && self.lead == word
    }

    /// Whether an end tag of this word ends it.
    pub(crate) fn is_own(&self, word: Word, names: &Names) -> bool {
        word == self.own || (self.is_native && names.is_tool(word, self.tool))
    }
}
