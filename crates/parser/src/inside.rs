//! Inside a block, outside of values: only declared names are structure.

use alloc::{boxed::Box, string::String};

use crate::{
    Finish, Reason, RepairKind,
    chars::{fold, is_same_name},
    dialect::Role,
    doomed::Doom,
    input::{Input, Peek},
    json::JsonBody,
    machine::{Cx, Flow, Machine, State},
    mention::designated,
    names::Names,
    start::{Flaw, StartReader},
    tag::{Head, HeadReader, Light, LightReader, Mark, Read, StartTag},
    text::before_bracket,
    value::Then,
    wrapped::Wrapped,
};

/// Between the values of a block.
#[derive(Debug)]
pub(crate) struct Inside {
    /// The last thing was a whole value.
    is_behind_value: bool,
    /// A line break stands behind it.
    has_break: bool,
    /// How many blanks stand before the present place in its line.
    indent: usize,
    /// Text stands where only elements should.
    has_stray: bool,
    /// Nothing but blanks was read.
    is_first: bool,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Gap,
    Head(HeadReader),
    Start(Box<StartReader>),
    End(LightReader),
}

impl Inside {
    /// Directly behind a start tag.
    pub(crate) const fn first() -> Self {
        Self {
            is_behind_value: false,
            has_break: false,
            indent: 0,
            has_stray: false,
            is_first: true,
            phase: Phase::Gap,
        }
    }

    /// Behind the start of an element around values.
    pub(crate) fn in_wrapper() -> Self {
        Self { is_first: false, ..Self::first() }
    }

    /// Directly behind a value.
    pub(crate) fn behind_value() -> Self {
        Self { is_behind_value: true, is_first: false, ..Self::first() }
    }
}

impl Machine {
    pub(crate) fn inside(&mut self, mut inside: Box<Inside>, cx: &mut Cx<'_, '_>) -> Flow {
        self.forget_mention_at(self.scan);
        match &mut inside.phase {
            Phase::Gap => self.inside_gap(inside, cx),
            Phase::Head(reader) => match reader.read(cx.input) {
                Read::More => self.wait(State::Inside(inside)),
                Read::Done(Mark::Tag(head)) => self.inside_tag(inside, head, cx),
                Read::Done(Mark::Cdata(range) | Mark::Comment(range)) => {
                    self.stray_text(inside, range.end, cx)
                }
                Read::Not(to) => self.stray_text(inside, to, cx),
                Read::Cut => {
                    let (is_end, name) = reader.fragment();
                    let name = String::from(cx.input.slice(name));
                    self.over_inside(&inside, Some((is_end, &name)), cx)
                }
            },
            Phase::Start(reader) => match reader.read(cx.input) {
                Ok(Read::More) => self.wait(State::Inside(inside)),
                Ok(Read::Done(tag)) => self.inside_start(tag, cx),
                Ok(Read::Not(to)) => self.stray_text(inside, to, cx),
                Ok(Read::Cut) => self.over_inside(&inside, Some((false, "?")), cx),
                Err(flaw) => self.inside_flaw(inside, flaw, cx),
            },
            Phase::End(reader) => match reader.read(cx.input) {
                Read::More => self.wait(State::Inside(inside)),
                Read::Done(light) => self.inside_end(inside, &light, cx),
                Read::Not(to) => {
                    let is_before_tag = cx.input.byte(reader.looked_at()) == Some(b'<');
                    let head = reader.head().clone();
                    match self.ends_call(&head, cx.input) && is_before_tag {
                        true => self.close_broken(to, cx),
                        false => self.stray_text(inside, to, cx),
                    }
                }
                Read::Cut => {
                    let name = String::from(cx.input.slice(reader.head().name.clone()));
                    self.over_inside(&inside, Some((true, &name)), cx)
                }
            },
        }
    }

    fn inside_gap(&mut self, mut inside: Box<Inside>, cx: &mut Cx<'_, '_>) -> Flow {
        let to = cx.input.skip_blanks(self.scan);
        let blanks = cx.input.slice(self.scan..to);
        inside.indent = match blanks.rsplit_once('\n') {
            Some((_, indent)) => indent.len(),
            None => inside.indent + blanks.len(),
        };
        inside.has_break |= blanks.contains('\n');
        self.scan = to;
        // The blanks before the only value of a tool belong to it.
        let is_sole = inside.is_first && self.is_sole(to);
        if !is_sole {
            self.done = to;
        }
        match cx.input.peek(to) {
            Peek::More => self.wait(State::Inside(inside)),
            Peek::Over => self.over_inside(&inside, None, cx),
            Peek::Byte(b'<' | b']') => {
                inside.phase = Phase::Head(HeadReader::at_mark(to, self.limits.name, cx.input));
                self.go(State::Inside(inside))
            }
            Peek::Byte(_) if inside.is_first && self.begins_yaml(to, cx.input) != Some(false) => {
                match self.begins_yaml(to, cx.input) {
                    Some(_) => self.open_yaml(to, inside.indent),
                    None => self.wait(State::Inside(inside)),
                }
            }
            Peek::Byte(b'{')
                if inside.is_first && self.begins_object(to, cx.input) != Some(false) =>
            {
                match self.begins_object(to, cx.input) {
                    Some(_) => self.open_object(to),
                    None => self.wait(State::Inside(inside)),
                }
            }
            Peek::Byte(b'{') if inside.is_first => {
                self.go(State::Json(Box::new(JsonBody::new(to))))
            }
            Peek::Byte(_) if is_sole => self.begin_sole(to, cx),
            Peek::Byte(_) => self.stray_text(inside, to, cx),
        }
    }

    /// Text where only elements should stand: named once, left out.
    /// `[I9]`
    pub(crate) fn stray_text(
        &mut self,
        mut inside: Box<Inside>,
        from: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let to = cx.input.find1(b'<', from).unwrap_or_else(|| cx.input.end());
        let to = before_bracket(to, cx.input).max(from);
        if let Some(block) = &mut self.block
            && !inside.has_stray
        {
            block.note(Reason::InvalidArguments, from..from, "");
        }
        inside.has_stray = true;
        inside.is_first = false;
        inside.phase = Phase::Gap;
        inside.has_break |= cx.input.slice(self.scan..to).contains('\n');
        (self.scan, self.done) = (to, to);
        self.go(State::Inside(inside))
    }

    // [I13]
    fn inside_tag(&mut self, mut inside: Box<Inside>, head: Head, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = &self.block else { return self.go(State::Text) };
        let sentinel = self.names.sentinel(&head, cx.input);
        let is_bare = head.is_end && block.target.may_be_bare(sentinel);
        if !is_bare && !block.target.is_marked(sentinel) {
            return self.stray_text(inside, head.name.end, cx);
        }
        if head.is_end {
            inside.phase = Phase::End(LightReader::new(head));
            return self.go(State::Inside(inside));
        }
        let name = cx.input.slice(head.name.clone());
        let word = self.names.word(name);
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_value = matches!(role, Role::Param | Role::Key | Role::Separator)
            || word.is_some_and(|word| self.names.param(block.target.tool, word).is_some());
        let is_around = role == Role::Wrapper && !block.target.is_native;
        let is_other = is_around || block.target.is_lead(word);
        let is_end = role == Role::Result || is_other || self.is_call(&head, cx.input);
        if !is_value && is_end {
            return self.inside_call(&inside, &head, cx);
        }
        if is_value || head.is_bounded(cx.input) {
            inside.phase = Phase::Start(Box::new(StartReader::new(head, &self.limits)));
            return self.go(State::Inside(inside));
        }
        self.stray_text(inside, head.name.end, cx)
    }

    /// Another call starts before this block's end.
    /// `[E4]` `[E5]`
    fn inside_call(&mut self, inside: &Inside, head: &Head, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = &mut self.block else { return self.go(State::Text) };
        let at = head.at;
        if block.is_unknown && (block.mention.is_none() || !inside.has_stray) {
            return self.close_block(at, cx);
        }
        let is_calling = !block.target.is_native;
        let is_complete = inside.is_behind_value || (is_calling && inside.is_first);
        if is_complete && (inside.has_break || is_calling) && !inside.has_stray {
            block.recover();
            block.note(Reason::UnterminatedTool, at..at, "");
            let flow = self.close_block(at, cx);
            return flow;
        }
        if let Some(mention) = block.mention.filter(|_| !block.has_values() && inside.has_stray) {
            return self.was_mention(mention, cx);
        }
        let (tag, from) = (block.name.clone(), block.at);
        let doom = Doom::nested(tag, from, block.target.clone(), at);
        self.doom(doom, cx)
    }

    // [E10] [E11]
    // [DT7]
    fn inside_end(&mut self, mut inside: Box<Inside>, light: &Light, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = &mut self.block else { return self.go(State::Text) };
        let name = cx.input.slice(light.head.name.clone());
        let tag = cx.input.slice(light.head.at..light.end);
        let word = self.names.word(name);
        if word.is_some_and(|word| block.target.is_own(word, &self.names)) {
            return self.close_block(light.end, cx);
        }
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_calling = !block.target.is_native;
        let is_complete =
            inside.is_behind_value || (is_calling && inside.is_first && !inside.has_stray);
        let is_around = self.wrappers.iter().any(|it| is_same_name(it, name))
            || (is_calling && role == Role::Wrapper);
        if is_around && is_complete && !block.wrappers.iter().any(|it| is_same_name(it, name)) {
            block.recover();
            block.note(Reason::UnterminatedTool, light.head.at..light.head.at, "");
            return self.close_block(light.head.at, cx);
        }
        let is_other = word.is_some_and(|word| {
            let is_value = self.names.param(block.target.tool, word).is_some();
            let is_call = is_calling && matches!(role, Role::Call(_));
            (self.names.is_any_tool(word) || is_call) && !is_value
        });
        if is_complete && is_other {
            block.recover();
            block.note(Reason::MismatchedClose, light.head.at..light.end, tag);
            return self.close_block(light.end, cx);
        }
        match block.wrappers.iter().rposition(|it| is_same_name(it, name)) {
            Some(open) => block.wrappers.truncate(open),
            None => block.note(Reason::MismatchedClose, light.head.at..light.end, tag),
        }
        (self.scan, self.done) = (light.end, light.end);
        inside.is_first = false;
        inside.phase = Phase::Gap;
        self.go(State::Inside(inside))
    }

    /// Whether an end tag is of the open block, whose element names its tool.
    fn ends_call(&self, head: &Head, input: &Input<'_>) -> bool {
        let block = self.block.as_ref().filter(|block| !block.target.is_native);
        block.is_some_and(|block| self.ends(head, &block.target, input))
    }

    /// The end tag of the block lost its `>`.
    /// `[DT19]`
    fn close_broken(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.mended(RepairKind::BrokenTag, at..at);
        self.close_block(at, cx)
    }

    // [E8]
    fn inside_flaw(&mut self, inside: Box<Inside>, flaw: Flaw, cx: &mut Cx<'_, '_>) -> Flow {
        let Phase::Start(reader) = &inside.phase else { return self.go(State::Text) };
        let Some(block) = &self.block else { return self.go(State::Text) };
        let head = reader.head();
        let word = self.names.word(cx.input.slice(head.name.clone()));
        let is_value = word.is_some_and(|word| {
            self.names.role(word) == Role::Param
                || self.names.param(block.target.tool, word).is_some()
        });
        let at = match flaw {
            Flaw::Broken { at } | Flaw::TooLong { at } => at,
        };
        if !is_value {
            let to = head.name.end;
            return self.stray_text(inside, to, cx);
        }
        let (tag, from) = (block.name.clone(), block.at);
        let doom = Doom::malformed(tag, from, block.target.clone(), at);
        self.doom(doom, cx)
    }

    /// A whole start tag inside the block.
    fn inside_start(&mut self, tag: StartTag, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = &self.block else { return self.go(State::Text) };
        let word = self.names.word(cx.input.slice(tag.head.name.clone()));
        let role = word.map_or(Role::None, |word| self.names.role(word));
        let is_declared =
            word.is_some_and(|word| self.names.param(block.target.tool, word).is_some());
        let is_by_tag = self.is_calling() && block.target.style.is_by_tag;
        let is_unnamed = !tag.is_closed && designated(&tag, cx.input).is_none();
        if role == Role::Param && self.is_calling() && has_tags(&tag, cx.input) {
            let (name, from) = (block.name.clone(), block.at);
            let doom = Doom::malformed(name, from, block.target.clone(), tag.head.name.end);
            return self.doom(doom, cx);
        }
        match role {
            Role::Separator => {
                (self.scan, self.done) = (tag.end, tag.end);
                return self.go(State::Inside(Box::new(Inside::first())));
            }
            Role::Key => return self.open_pair(tag),
            Role::Param if is_unnamed && self.is_calling() => return self.open_pair(tag),
            Role::None
            | Role::Name
            | Role::Thinking
            | Role::Result
            | Role::Call(_)
            | Role::Param
            | Role::Value
            | Role::Kind
            | Role::Wrapper => {}
        }
        if role == Role::Param || is_declared || is_by_tag || tag.is_closed {
            return self.open_child(tag, Then::Inside, cx);
        }
        self.scan = tag.end;
        self.go(State::Wrapped(Box::new(Wrapped::new(tag))))
    }

    /// The reply is over between values; the beginning of a tag may stand there.
    /// `[E3]` `[E7]` `[M4]`
    fn over_inside(
        &mut self,
        inside: &Inside,
        fragment: Option<(bool, &str)>,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.scan = cx.input.end();
        let Some(block) = &mut self.block else { return self.go(State::Text) };
        let is_whole = match fragment {
            None => true,
            Some((is_end, name)) => {
                (is_end || name.is_empty()) && block.is_end_fragment(name, &self.names)
            }
        };
        let has_end = fragment.is_some_and(|(is_end, name)| is_end && name.len() > 1);
        let is_stop = cx.finish == Some(Finish::Stop);
        if is_stop && is_whole && (block.has_values() || has_end) {
            block.recover();
            let end = cx.input.end();
            block.note(Reason::UnterminatedTool, end..end, "");
            return self.close_block(end, cx);
        }
        match block.mention {
            Some(at) if is_stop && inside.has_stray => self.was_mention(at, cx),
            Some(_) | None => self.cut_block(cx),
        }
    }
}

/// Whether other tags stand in the attributes of one that names a value: it has no end of its own.
/// `[DT20]`
fn has_tags(tag: &StartTag, input: &Input<'_>) -> bool {
    tag.attributes.iter().any(|it| input.slice(it.value.clone()).contains('<'))
}

impl crate::block::OpenBlock {
    /// Whether a name is the beginning of one that ends this block.
    pub(crate) fn is_end_fragment(&self, name: &str, names: &Names) -> bool {
        let is_prefix = |whole: &str| {
            whole.len() >= name.len()
                && name.bytes().map(fold).eq(whole.bytes().take(name.len()).map(fold))
        };
        let native = names.tool(self.target.tool).filter(|_| self.target.is_native);
        native.is_some_and(|tool| {
            is_prefix(&tool.spec.name) || tool.spec.aliases.iter().any(|alias| is_prefix(alias))
        }) || is_prefix(names.text(self.target.own))
    }
}
