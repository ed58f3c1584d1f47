//! The names that mean something, looked up without allocation.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::cmp::Ordering;

use memchr::memmem::Finder;

use crate::{
    TagSpec, ValueKind, cdata,
    chars::{fold, is_same_name},
    dialect::{self, Form, LONGEST_SUFFIX, Role, Sentinel},
    input::Input,
    tag::Head,
};

/// A name in the table. All spellings of a name are one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word(usize);

/// A registered tool, by its place in the tag set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolId(usize);

impl ToolId {
    /// No tool.
    pub(crate) const NONE: Self = Self(usize::MAX);
}

/// Which declared value of a tool, by its place among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParamId(pub(crate) usize);

/// A declared attribute or child.
#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) kind: ValueKind,
    pub(crate) is_list: bool,
    /// Declared as a child, not only as an attribute.
    pub(crate) is_child: bool,
    word: Word,
}

/// A registered tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) spec: TagSpec,
    pub(crate) word: Word,
    pub(crate) params: Vec<Param>,
}

/// What one word means.
#[derive(Debug)]
struct Entry {
    text: String,
    role: Role,
    is_param: bool,
    tools: Vec<ToolId>,
}

/// All names of a tag set, and those of the protocol itself.
#[derive(Debug)]
pub(crate) struct Names {
    entries: Vec<Entry>,
    tools: Vec<Tool>,
    /// Which two bytes begin a name: for each first byte, a set of second ones.
    pairs: [u32; 32],
    /// Finds the ends of sections.
    pub(crate) section_ends: Finder<'static>,
    /// Places in `entries`, by the hash of a name; most are free.
    slots: Vec<Option<Word>>,
}

impl Names {
    pub(crate) fn new(tags: &[TagSpec]) -> Self {
        let entries = entries(tags);
        let (slots, texts) = (slots(&entries), entries.iter().map(|entry| entry.text.as_str()));
        let (pairs, section_ends) = (pairs(texts), Finder::new(cdata::END));
        let mut names = Self { entries, tools: Vec::new(), pairs, section_ends, slots };
        for spec in tags {
            names.add(spec);
        }
        names
    }

    fn add(&mut self, spec: &TagSpec) {
        let id = ToolId(self.tools.len());
        for name in [&spec.name].into_iter().chain(&spec.aliases) {
            let is_taken = |names: &Self, other: &ToolId| {
                names.tool(*other).is_some_and(|tool| is_exact(&tool.spec, name))
            };
            if let Some(word) = self.word(name)
                && !self.tools_of(word).iter().any(|other| is_taken(self, other))
                && let Some(entry) = self.entries.get_mut(word.0)
            {
                entry.tools.push(id);
            }
        }
        let word = self.word(&spec.name).unwrap_or(Word(usize::MAX));
        let params = self.params(spec);
        self.tools.push(Tool { spec: spec.clone(), word, params });
    }

    /// Children first, so that a name declared both ways is read as the child says.
    /// `[A7]`
    fn params(&mut self, spec: &TagSpec) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        let children = spec.children.iter().map(|it| (&it.name, it.kind, it.is_list, true));
        let attributes = spec.attributes.iter().map(|it| (it, ValueKind::Scalar, false, false));
        for (name, kind, is_list, is_child) in children.chain(attributes) {
            let Some(word) = self.word(name) else { continue };
            if params.iter().any(|param| param.word == word) {
                continue;
            }
            if let Some(entry) = self.entries.get_mut(word.0) {
                entry.is_param = true;
            }
            params.push(Param { name: name.clone(), kind, is_list, is_child, word });
        }
        params
    }

    /// Whether a name may begin with these two bytes; the second may stand behind it.
    pub(crate) fn may_begin(&self, first: u8, second: u8) -> bool {
        let seconds = self.pairs.get(usize::from(fold(first) & 31)).copied().unwrap_or_default();
        seconds & bit(second) != 0
    }

    /// The word for a name as written; a namespace before `:` does not count, nor a suffix behind.
    pub(crate) fn word(&self, name: &str) -> Option<Word> {
        self.find(name).or_else(|| self.split(name).map(|(word, _)| word))
    }

    /// The word of a name with a namespace or a suffix, and which it is.
    fn split(&self, name: &str) -> Option<(Word, Sentinel)> {
        let n = name.bytes().position(|byte| byte == b':')?;
        let (before, behind) = (name.get(..n)?, name.get(n + 1..)?);
        let n = dialect::NAMESPACES.iter().position(|it| is_same_name(it, before));
        if let Some(n) = n {
            let word = self.find(behind)?;
            let is_dialect = !matches!(self.role(word), Role::None | Role::Result);
            return is_dialect.then_some((word, Sentinel::Namespace(u8::try_from(n).ok()?)));
        }
        let word = self.find(before)?;
        let suffix = suffix(behind)?;
        let is_suffixed = match self.role(word) {
            Role::Wrapper | Role::Key | Role::Value | Role::Kind | Role::Separator => true,
            Role::None
            | Role::Thinking
            | Role::Result
            | Role::Call(_)
            | Role::Name
            | Role::Param => false,
        };
        is_suffixed.then_some((word, Sentinel::Suffix(suffix)))
    }

    /// What marks a tag as structure.
    pub(crate) fn sentinel(&self, head: &Head, input: &Input<'_>) -> Sentinel {
        if head.sentinel != Sentinel::None {
            return head.sentinel;
        }
        let name = input.slice(head.name.clone());
        if name.bytes().all(|byte| byte != b':') || self.find(name).is_some() {
            return Sentinel::None;
        }
        self.split(name).map_or(Sentinel::None, |(_, sentinel)| sentinel)
    }

    fn find(&self, name: &str) -> Option<Word> {
        let mut at = hash(name);
        loop {
            let word = (*self.slots.get(at & (self.slots.len() - 1))?)?;
            let entry = self.entries.get(word.0)?;
            if entry.text == name || is_same_name(&entry.text, name) {
                return Some(word);
            }
            at += 1;
        }
    }

    /// The word of the end tag of an element that calls a tool.
    pub(crate) fn own_of(&self, word: Word, form: Form) -> Word {
        let text = self.text(word);
        let own = match form {
            Form::Fused => text.strip_suffix(dialect::NAME),
            Form::Label => text.strip_suffix(':'),
            Form::Attribute | Form::Equals | Form::Text => None,
        };
        own.and_then(|own| self.find(own)).unwrap_or(word)
    }

    /// Whether a name of a tool, or of an element that calls one, begins so.
    pub(crate) fn begins_call(&self, fragment: &str) -> bool {
        let (is_of_namespace, local) = match fragment.split_once(':') {
            None => (dialect::NAMESPACES.iter().any(|it| begins(it, fragment)), fragment),
            Some((before, local)) => {
                if !dialect::NAMESPACES.iter().any(|it| is_same_name(it, before)) {
                    return false;
                }
                (false, local)
            }
        };
        let is_call = |entry: &Entry| {
            (matches!(entry.role, Role::Call(_)) || !entry.tools.is_empty())
                && begins(&entry.text, local)
        };
        is_of_namespace || self.entries.iter().any(is_call)
    }

    /// How a word is spelled.
    pub(crate) fn text(&self, word: Word) -> &str {
        self.entries.get(word.0).map_or("", |entry| &entry.text)
    }

    fn tools_of(&self, word: Word) -> &[ToolId] {
        self.entries.get(word.0).map_or(&[], |entry| &entry.tools)
    }

    /// What the protocol itself means by a word.
    pub(crate) fn role(&self, word: Word) -> Role {
        self.entries.get(word.0).map_or(Role::None, |entry| entry.role)
    }

    /// Whether any tool declares a value of this name.
    pub(crate) fn is_param(&self, word: Word) -> bool {
        self.entries.get(word.0).is_some_and(|entry| entry.is_param)
    }

    /// The tool that a name as written means. Where only case or hyphens tell two tools apart, the
    /// spelling must be exact.
    /// `[B10]`
    pub(crate) fn tool_named(&self, word: Word, written: &str) -> Option<ToolId> {
        match self.tools_of(word) {
            [] => None,
            [only] => Some(*only),
            several => several
                .iter()
                .copied()
                .find(|id| self.tool(*id).is_some_and(|tool| is_exact(&tool.spec, written))),
        }
    }

    /// The only tool whose name differs from a name as written in nothing but case and marks:
    /// `readFile` for `read_file`.
    pub(crate) fn tool_like(&self, written: &str) -> Option<ToolId> {
        let plain = |name: &str| -> String {
            name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = plain(written);
        let mut found = self
            .tool_ids()
            .filter(|id| self.tool(*id).is_some_and(|tool| plain(&tool.spec.name) == wanted));
        let first = found.next()?;
        (found.next().is_none() && !wanted.is_empty()).then_some(first)
    }

    pub(crate) fn tool(&self, id: ToolId) -> Option<&Tool> {
        self.tools.get(id.0)
    }

    /// Whether a word names this tool.
    pub(crate) fn is_tool(&self, word: Word, id: ToolId) -> bool {
        self.tools_of(word).contains(&id)
    }

    /// Whether a word names any tool.
    pub(crate) fn is_any_tool(&self, word: Word) -> bool {
        !self.tools_of(word).is_empty()
    }

    /// The declared value of a tool that a word names.
    pub(crate) fn param(&self, id: ToolId, word: Word) -> Option<(ParamId, &Param)> {
        let params = &self.tool(id)?.params;
        let at = params.iter().position(|param| param.word == word)?;
        Some((ParamId(at), params.get(at)?))
    }

    /// The declared value of a tool that a name as written means.
    pub(crate) fn param_named(&self, id: ToolId, written: &str) -> Option<(ParamId, &Param)> {
        let params = &self.tool(id)?.params;
        // Most are written as they are declared.
        match params.iter().position(|param| param.name == written) {
            Some(at) => Some((ParamId(at), params.get(at)?)),
            None => self.param(id, self.word(written)?),
        }
    }

    /// All tools.
    pub(crate) fn tool_ids(&self) -> impl Iterator<Item = ToolId> {
        (0..self.tools.len()).map(ToolId)
    }

    /// The names of all tools.
    pub(crate) fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.spec.name.as_str())
    }
}

/// A suffix in one form: letters and digits alone.
fn suffix(text: &str) -> Option<[u8; LONGEST_SUFFIX]> {
    let mut suffix = [0; LONGEST_SUFFIX];
    if text.is_empty() || text.len() > LONGEST_SUFFIX {
        return None;
    }
    for (byte, into) in text.bytes().zip(&mut suffix) {
        *into = byte.is_ascii_alphanumeric().then_some(fold(byte))?;
    }
    Some(suffix)
}

fn begins(name: &str, fragment: &str) -> bool {
    name.len() >= fragment.len()
        && name.bytes().zip(fragment.bytes()).all(|(a, b)| fold(a) == fold(b))
}

fn is_exact(spec: &TagSpec, name: &str) -> bool {
    spec.name == name || spec.aliases.iter().any(|alias| alias == name)
}

/// Every name once, in order.
fn entries(tags: &[TagSpec]) -> Vec<Entry> {
    let mut names: Vec<String> = Vec::new();
    for spec in tags {
        names.push(spec.name.clone());
        names.extend(spec.aliases.iter().cloned());
        names.extend(spec.attributes.iter().cloned());
        names.extend(spec.children.iter().map(|child| child.name.clone()));
    }
    names.extend(dialect::WORDS.iter().map(|(name, _)| (*name).to_string()));
    names.extend(dialect::PLAIN.iter().map(|name| (*name).to_string()));
    names.sort_by(|a, b| compare(a, b));
    names.dedup_by(|a, b| is_same_name(a, b));
    let entry = |text: String| {
        let role = dialect::role(&text);
        Entry { text, role, is_param: false, tools: Vec::new() }
    };
    names.into_iter().map(entry).collect()
}

fn compare(a: &str, b: &str) -> Ordering {
    a.bytes().map(fold).cmp(b.bytes().map(fold))
}

/// A place for each entry, at or behind its hash.
fn slots(entries: &[Entry]) -> Vec<Option<Word>> {
    let n = (4 * entries.len()).next_power_of_two();
    let mut slots = alloc::vec![None; n];
    for (word, entry) in entries.iter().enumerate() {
        let places = (hash(&entry.text)..).take(n).map(|at| at & (n - 1));
        for at in places {
            if let Some(slot @ None) = slots.get_mut(at) {
                *slot = Some(Word(word));
                break;
            }
        }
    }
    slots
}

/// One for all spellings of a name: its length and five of its bytes tell names apart well enough.
fn hash(name: &str) -> usize {
    let bytes = name.as_bytes();
    let at = |n: usize| bytes.get(n).map_or(0, |byte| u64::from(fold(*byte)));
    let n = bytes.len();
    let ends = at(0) | at(1) << 8 | at(n.wrapping_sub(1)) << 16 | at(n.wrapping_sub(2)) << 24;
    let key = ends | at(n / 2) << 32 | (n as u64) << 40;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// The first two bytes of all names.
fn pairs<'a>(names: impl Iterator<Item = &'a str>) -> [u32; 32] {
    let mut pairs = [0; 32];
    let prefixes = dialect::NAMESPACES.iter().chain(dialect::PIPED);
    for name in names.chain(prefixes.copied()) {
        let mut bytes = name.bytes();
        let first = bytes.next().unwrap_or(b'a');
        // A name of one byte is followed by anything.
        let seconds = bytes.next().map_or(u32::MAX, bit);
        if let Some(all) = pairs.get_mut(usize::from(fold(first) & 31)) {
            *all |= seconds;
        }
    }
    pairs
}

const fn bit(byte: u8) -> u32 {
    1 << (fold(byte) & 31)
}
