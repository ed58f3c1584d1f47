//! One call: its start tag, its children and its body.

use tagline_parser::{Finish, Reason, TagSpec, ValueKind};

use super::{
    Call, Child, Told, Unread,
    element::Own,
    lex::{
        Head, Role, Start, Started, between, from, is_named, is_same, light, param, role, skip,
        start, tool,
    },
    text::{Go, Reader, head_at},
    value::{Close, Value},
};

/// An open call.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) spec: &'a TagSpec,
    at: usize,
    inner: usize,
    /// It may be only spoken of. `[M3]`
    pub(super) mention: bool,
    pub(super) call: Call,
    pub(super) given: Vec<(String, String)>,
    pub(super) refused: Option<Reason>,
    is_recovered: bool,
    /// Undeclared elements around declared ones. `[I2]`
    wrappers: Vec<String>,
}

/// Where in a call reading stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) is_first: bool,
    pub(super) is_behind_value: bool,
    pub(super) has_break: bool,
    pub(super) has_stray: bool,
}

pub(super) const FIRST: Place =
    Place { is_first: true, is_behind_value: false, has_break: false, has_stray: false };
pub(super) const BEHIND: Place =
    Place { is_first: false, is_behind_value: true, has_break: false, has_stray: false };

impl Block<'_> {
    pub(super) fn has_values(&self) -> bool {
        let Call { attributes, children, body, .. } = &self.call;
        !attributes.is_empty() || !children.is_empty() || body.is_some()
    }

    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|(it, _)| it == name)
    }

    /// Takes a value; one given twice must be the same, and counts once. `[I6]`
    pub(super) fn is_new(&mut self, name: &str, value: &str) -> bool {
        match self.given.iter().find(|(it, _)| it == name) {
            Some((_, old)) if old == value => false,
            Some(_) => {
                self.refuse(Reason::DuplicateParam);
                false
            }
            None => {
                self.given.push((name.to_owned(), value.to_owned()));
                true
            }
        }
    }

    pub(super) fn refuse(&mut self, reason: Reason) {
        self.refused = self.refused.or(Some(reason));
    }
}

impl<'a> Reader<'a> {
    /// Reads a call from its start tag on.
    pub(super) fn call(&mut self, head: &Head<'a>, start: Start, spec: &'a TagSpec) -> Go {
        self.tell_text(head.at);
        let mut block = Block {
            spec,
            at: head.at,
            inner: start.end,
            mention: !self.is_blank && !start.is_closed,
            call: Call { name: spec.name.clone(), ..Call::default() },
            given: Vec::new(),
            refused: None,
            is_recovered: self.is_recovered,
            wrappers: Vec::new(),
        };
        for (written, value) in start.attributes {
            // [A6] [A7] [I3]
            match param(spec, &written).filter(|param| !param.is_list) {
                Some(param) if block.is_new(&param.name, &value) => {
                    block.call.attributes.push((param.name, value));
                }
                Some(_) => {}
                None => block.call.attributes.push((written, value)),
            }
        }
        if start.is_closed {
            return Ok(self.close(block, start.end));
        }
        if spec.body.is_some() {
            self.lead(block, start.end, false)
        } else {
            self.inside(block, start.end, FIRST)
        }
    }

    pub(super) fn close(&mut self, block: Block<'a>, end: usize) -> usize {
        self.is_recovered |= block.is_recovered;
        let call = Call { is_recovered: self.is_recovered, ..block.call };
        self.told.push(match block.refused {
            Some(reason) => Told::Fault(reason, call.name),
            None => Told::Call(call),
        });
        (self.done, self.is_blank, self.call_end) = (end, true, Some(end));
        end
    }

    /// The reply ends inside: it was a mention, or is cut. `[M3]` `[E6]` `[E7]`
    pub(super) fn over(&mut self, block: Block<'a>, may_be_mention: bool) -> usize {
        if block.mention && may_be_mention && self.finish == Finish::Stop {
            return self.was_mention(&block);
        }
        let is_recovered = self.is_recovered || block.is_recovered;
        let Call { name, attributes, .. } = block.call;
        let call = Call { name, attributes, is_partial: true, is_recovered, ..Call::default() };
        self.told.push(Told::Call(call));
        self.done = self.text.len();
        self.text.len()
    }

    pub(super) fn was_mention(&mut self, block: &Block<'a>) -> usize {
        (self.done, self.is_blank) = (block.at, false);
        block.inner
    }

    /// Reads between the values of a call.
    pub(super) fn inside(&mut self, mut block: Block<'a>, mut at: usize, mut place: Place) -> Go {
        loop {
            let next = skip(self.text, at);
            place.has_break |= between(self.text, at, next).contains('\n');
            match self.inner(&mut block, &mut place, next)? {
                Step::On(next) => at = next,
                Step::Value(next) => (at, place) = (next, BEHIND),
                Step::Wrapper(next) => (at, place) = (next, Place::default()),
                Step::Close(end) => return Ok(self.close(block, end)),
                Step::Open => return Ok(self.over(block, true)),
                Step::Mention => return Ok(self.was_mention(&block)),
                Step::Over(fragment) => return Ok(self.over_inside(block, place, fragment)),
                Step::Doom(reason, from, is_stopped) => {
                    return Ok(self.doom_inside(block, reason, from, is_stopped));
                }
            }
        }
    }

    /// What stands here between the values of a call.
    fn inner(
        &self,
        block: &mut Block<'a>,
        place: &mut Place,
        at: usize,
    ) -> Result<Step<'a>, Unread> {
        let rest = from(self.text, at);
        if rest.is_empty() {
            return Ok(Step::Over(None));
        }
        if rest.starts_with('{') && place.is_first {
            return self.json(block, at).map(Step::Value);
        }
        if !rest.starts_with('<') {
            known_text(block, *place, rest)?;
            return Ok(Step::On(self.stray_text(place, at)));
        }
        let Some(head) = head_at(self.text, at) else {
            if skip(self.text, at + 1) == self.text.len() || rest == "</" {
                return Ok(Step::Over(Some((rest == "</", ""))));
            }
            let marks = ["<![CDATA[", "<!--"].into_iter().find(|mark| rest.starts_with(mark));
            return Ok(Step::On(self.stray_text(place, at + marks.map_or(1, str::len))));
        };
        if head.end == self.text.len() {
            return Ok(Step::Over(Some((head.is_end, head.name))));
        }
        if head.is_end {
            return Ok(self.inner_end(block, place, &head));
        }
        self.inner_start(block, place, &head)
    }

    /// A call that cannot run; a reply that was cut cuts it too.
    fn doom_inside(
        &mut self,
        block: Block<'a>,
        reason: Reason,
        from: usize,
        is_stopped: bool,
    ) -> usize {
        let own = Own::Tool(block.spec);
        let is_cut = self.finish != Finish::Stop;
        if is_cut && self.doom_end(from, &own, is_stopped).is_none() {
            return self.over(block, false);
        }
        let fallback = (!is_stopped).then_some(from);
        let tag = block.spec.name.as_str();
        self.doom(reason, tag, block.at, from, &own, fallback, is_stopped)
    }

    /// Text where only elements should stand is left out. `[I9]`
    pub(super) fn stray_text(&self, place: &mut Place, at: usize) -> usize {
        let end = from(self.text, at).find('<').map_or(self.text.len(), |n| at + n);
        place.has_stray = true;
        place.is_first = false;
        place.has_break |= between(self.text, at, end).contains('\n');
        end
    }

    /// The reply ends between values. `[E3]` `[M4]`
    pub(super) fn over_inside(
        &mut self,
        mut block: Block<'a>,
        place: Place,
        fragment: Option<(bool, &str)>,
    ) -> usize {
        let begins = |name: &str| {
            let names = std::iter::once(&block.spec.name).chain(&block.spec.aliases);
            names.into_iter().any(|it| it.get(..name.len()).is_some_and(|it| is_same(it, name)))
        };
        let is_whole =
            fragment.is_none_or(|(is_end, name)| (is_end || name.is_empty()) && begins(name));
        let has_end = fragment.is_some_and(|(is_end, name)| is_end && name.len() > 1);
        let is_stop = self.finish == Finish::Stop;
        if is_stop && is_whole && (block.has_values() || has_end) {
            block.is_recovered = true;
            return self.close(block, self.text.len());
        }
        self.over(block, place.has_stray)
    }

    pub(super) fn inner_end(
        &self,
        block: &mut Block<'a>,
        place: &mut Place,
        head: &Head<'a>,
    ) -> Step<'a> {
        let Some(light) = light(self.text, head) else {
            if skip(self.text, head.end) == self.text.len() {
                return Step::Over(Some((true, head.name)));
            }
            return Step::On(self.stray_text(place, head.end));
        };
        if is_named(block.spec, head.name) {
            return Step::Close(light.end);
        }
        let is_open = |names: &[String]| names.iter().any(|it| is_same(it, head.name));
        if is_open(&self.wrappers) && place.is_behind_value && !is_open(&block.wrappers) {
            block.is_recovered = true;
            return Step::Close(head.at);
        }
        // [E10]
        let is_value = param(block.spec, head.name).is_some();
        if place.is_behind_value && !is_value && tool(self.tags, head.name).is_some() {
            block.is_recovered = true;
            return Step::Close(light.end);
        }
        // [E11]
        if let Some(open) = block.wrappers.iter().rposition(|it| is_same(it, head.name)) {
            block.wrappers.truncate(open);
        }
        Step::On(light.end)
    }

    pub(super) fn inner_start(
        &self,
        block: &mut Block<'a>,
        place: &mut Place,
        head: &Head<'a>,
    ) -> Result<Step<'a>, Unread> {
        let is_value = param(block.spec, head.name).is_some();
        let is_call = head.is_bounded && tool(self.tags, head.name).is_some();
        if !is_value && (is_call || role(head.name) == Role::Result) {
            return Ok(self.inner_call(block, *place, head.at));
        }
        if !is_value && !head.is_bounded {
            return Ok(Step::On(self.stray_text(place, head.end)));
        }
        let start = match start(self.text, head) {
            Started::Whole(start) => start,
            Started::Foreign => return Err(Unread::Designated),
            Started::Cut { .. } => return Ok(Step::Over(Some((false, "?")))),
            // [E8]
            Started::Broken { at, .. } if is_value => {
                return Ok(Step::Doom(Reason::MalformedTag, at, true));
            }
            Started::Broken { .. } => return Ok(Step::On(self.stray_text(place, head.end))),
        };
        // [I2]
        if !is_value && !start.is_closed {
            match self.wrapped(block, head.name, start.end) {
                Wrapped::Values(names, at) => {
                    block.wrappers.extend(names);
                    return Ok(Step::Wrapper(at));
                }
                Wrapped::Cut if self.finish != Finish::Stop => return Ok(Step::Open),
                Wrapped::Cut | Wrapped::No => {}
            }
        }
        Ok(match self.child(block, head, start, false)? {
            Some(next) => Step::Value(next),
            None => Step::Open,
        })
    }

    /// Another call starts inside. `[E4]` `[E5]`
    pub(super) fn inner_call(&self, block: &mut Block<'a>, place: Place, at: usize) -> Step<'a> {
        if place.is_behind_value && place.has_break && !place.has_stray {
            block.is_recovered = true;
            return Step::Close(at);
        }
        if block.mention && !block.has_values() && place.has_stray {
            return Step::Mention;
        }
        Step::Doom(Reason::NestedTool, at, false)
    }

    /// Looks through undeclared elements for declared ones. `[I2]`
    pub(super) fn wrapped(&self, block: &Block<'a>, name: &str, mut end: usize) -> Wrapped {
        let mut names = vec![name.to_owned()];
        loop {
            let at = skip(self.text, end);
            let Some(head) = head_at(self.text, at).filter(|head| !head.is_end) else {
                return Wrapped::No;
            };
            if param(block.spec, head.name).is_some() {
                return Wrapped::Values(names, at);
            }
            match start(self.text, &head) {
                Started::Whole(start) if head.is_bounded && names.len() < 4 && !start.is_closed => {
                    names.push(head.name.to_owned());
                    end = start.end;
                }
                Started::Cut { .. } if names.len() < 4 => return Wrapped::Cut,
                Started::Whole(_)
                | Started::Broken { .. }
                | Started::Cut { .. }
                | Started::Foreign => return Wrapped::No,
            }
        }
    }

    /// Reads a child; where reading goes on, or nothing where the reply ends inside.
    pub(super) fn child(
        &self,
        block: &mut Block<'a>,
        head: &Head<'a>,
        start: Start,
        is_lifted: bool,
    ) -> Result<Option<usize>, Unread> {
        let declared = param(block.spec, head.name);
        let kind = declared.as_ref().map_or(ValueKind::Scalar, |param| param.kind);
        let (value, next) = if start.is_closed {
            // [I12]
            (String::new(), start.end)
        } else {
            block.mention = false;
            let wrappers = block.wrappers.clone();
            let own = Some(head.name);
            let value = Value {
                block: block.spec,
                own,
                kind,
                is_lifted,
                is_section: false,
                wrappers: &wrappers,
            };
            let is_declared = declared.is_some();
            let Some((value, close)) = self.child_value(&value, is_declared, start.end)? else {
                return Ok(None);
            };
            self.mend(block, &close);
            (value, close.resume)
        };
        block.mention = false;
        let is_list = declared.as_ref().is_some_and(|param| param.is_list);
        let name = declared.as_ref().map_or(head.name.to_owned(), |param| param.name.clone());
        let is_declared = declared.is_some();
        if !is_declared || is_list || block.is_new(&name, &value) {
            if is_list {
                block.given.push((name.clone(), value.clone()));
            }
            let attributes = start.attributes;
            block.call.children.push(Child { name, attributes, value, is_declared });
        }
        Ok(Some(next))
    }

    pub(super) fn mend(&self, block: &mut Block<'a>, close: &Close) {
        block.is_recovered |= close.is_guessed;
        if close.is_refused {
            block.refuse(Reason::MismatchedClose);
        }
    }
}

/// What an undeclared element is around.
pub(super) enum Wrapped {
    /// Declared ones, from there; the names of the elements around them.
    Values(Vec<String>, usize),
    /// The reply ends in a tag.
    Cut,
    No,
}

/// What a step inside a call leads to.
pub(super) enum Step<'a> {
    /// Reading goes on there.
    On(usize),
    /// A value ended there.
    Value(usize),
    /// An element around values begins before there.
    Wrapper(usize),
    /// The call ends there.
    Close(usize),
    /// The reply ends in a value.
    Open,
    /// The reply ends, perhaps in a tag: whether it is an end tag, and its name.
    Over(Option<(bool, &'a str)>),
    /// It was a mention.
    Mention,
    /// It cannot run; its end is looked for from there, and a call may stop that.
    Doom(Reason, usize, bool),
}

/// Text where an element is due may be arguments in other forms, which are not read here.
pub(super) fn known_text(block: &Block<'_>, place: Place, rest: &str) -> Result<(), Unread> {
    if !place.is_first {
        return Ok(());
    }
    let spec = block.spec;
    let mut names: Vec<&str> = spec.attributes.iter().map(String::as_str).collect();
    names.extend(spec.children.iter().map(|child| child.name.as_str()));
    names.sort_unstable();
    names.dedup();
    let line = rest.lines().next().unwrap_or_default();
    match () {
        () if line.contains(':') => Err(Unread::Yaml),
        () if names.len() == 1 => Err(Unread::OnlyValue),
        () => Ok(()),
    }
}
