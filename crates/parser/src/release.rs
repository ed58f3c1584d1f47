//! Handing out a value's text, and ending it.

use alloc::boxed::Box;
use core::ops::Range;

use crate::{
    Finish, Reason,
    cdata::END,
    dialect::{Sentinel, Trim},
    ends::{Close, Verdict},
    input::Input,
    lead::Lead,
    machine::{Cx, Flow, Machine, State},
    rule::Rule,
    text::before_bracket,
    value::{Reader, Then, Value},
};

impl Machine {
    /// Hands out the text that is certain.
    /// `[V12]` `[W2]`
    pub(crate) fn release_certain(&mut self, value: &mut Value, cx: &mut Cx<'_, '_>) {
        let has_brackets =
            self.block.as_ref().is_some_and(|block| block.target.sentinel == Sentinel::Brackets);
        let mut certain = value.certain(self.scan, has_brackets);
        if has_brackets {
            certain = before_bracket(certain, cx.input);
        }
        let is_section = value.cdata.is_some();
        let to = value.soft.start(certain, is_section, self.limits.held, cx.input);
        self.release(value, to, cx);
        self.done = value.released;
        self.forget_mention_at(self.scan);
    }

    /// What may be only a mention, or a call without a mark, is no text any more once it is longer
    /// than what may be held.
    pub(crate) fn forget_mention_at(&mut self, end: usize) {
        let limit = self.limits.held;
        if let Some(block) = &mut self.block
            && block.mention.is_some_and(|at| end.saturating_sub(at) > limit)
        {
            block.mention = None;
        }
    }

    fn release(&mut self, value: &mut Value, to: usize, cx: &mut Cx<'_, '_>) {
        while let Some(join) = value.joins.front().cloned()
            && join.start < to
        {
            self.release_piece(value, join.start, cx);
            value.released = join.end;
            value.joins.pop_front();
        }
        self.release_piece(value, to, cx);
    }

    fn release_piece(&mut self, value: &mut Value, to: usize, cx: &mut Cx<'_, '_>) {
        if to <= value.released {
            return;
        }
        let text = cx.input.slice(value.released..to);
        value.see_breaks(to, cx.input);
        value.released = to;
        let Value { slot, scalar, .. } = value;
        match scalar {
            None => self.delta(slot, text, to, cx),
            Some(scalar) => scalar.push(text, &mut |text| self.delta(slot, text, to, cx)),
        }
    }

    /// The value is over.
    pub(crate) fn end_value(
        &mut self,
        mut value: Box<Value>,
        close: Close,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let looked_at = self.scan;
        let is_section = value.cdata.is_some();
        // Before words that stand behind it, the section's end is there.
        let is_ended = cx.input.matched(END, close.text_end) == END.len();
        let is_unclosed = is_section && close.guess == Some(Reason::CdataUnclosed) && !is_ended;
        if value.rule.is_too_deep()
            && let Some(block) = &mut self.block
        {
            block.recover();
            block.note(Reason::Limit, close.text_end..close.text_end, "nesting");
        }
        if let Some(block) = &mut self.block {
            block.is_unsure |= value.rule.is_unsure();
        }
        let floor = value.soft.start(close.text_end, is_section, self.limits.held, cx.input);
        self.release(&mut value, floor.min(close.text_end), cx);
        // A rest such as `]]` in front of the end tag shows that the section was meant to end here.
        let rest = cx.input.slice(value.released..close.text_end);
        let is_abandoned = is_unclosed && dangling(rest).is_none();
        let text_end = text_end(&value, &close, is_unclosed, cx.input);
        self.release(&mut value, text_end, cx);
        let Value { slot, mut scalar, then, from, is_json, .. } = *value;
        if let Some(scalar) = &mut scalar {
            scalar.finish(&mut |text| self.delta(&slot, text, text_end, cx));
        }
        let is_reread = is_abandoned && close.resume < looked_at;
        self.mend(close, from..text_end, is_reread, looked_at, cx.input);
        let limits = self.limits;
        if let Some(block) = &mut self.block {
            let make = if is_json { crate::Value::Json } else { crate::Value::Text };
            block.close_value_as(slot, from..close.text_end, &limits, make);
            block.mention = None;
        }
        self.done = self.done.max(close.resume);
        let to = match (then, close.block_end) {
            (Then::Inside, Some(end)) => {
                self.close_block(end, cx);
                end
            }
            (then, _) => {
                self.go_behind(then, close.resume);
                close.resume
            }
        };
        let state = core::mem::take(&mut self.state);
        self.rewind(to, looked_at, state, cx)
    }

    /// Remembers what was worked around.
    /// `[C10]`
    fn mend(
        &mut self,
        close: Close,
        text: Range<usize>,
        is_reread: bool,
        looked_at: usize,
        input: &Input<'_>,
    ) {
        let Some(block) = &mut self.block else { return };
        let Some(reason) = close.guess else { return };
        let rest = text.end..close.resume.max(text.end);
        let found = input.slice(rest.clone());
        if close.is_refused {
            block.refuse(Reason::MismatchedClose, text.start..rest.end, found);
        }
        block.recover();
        block.note(reason, rest, found.trim());
        if is_reread {
            self.unclosed_until = self.unclosed_until.max(looked_at);
        }
    }

    /// The reply is over inside a value.
    /// `[E6]` `[E7]` `[W3]`
    pub(crate) fn over_value(&mut self, mut value: Box<Value>, cx: &mut Cx<'_, '_>) -> Flow {
        let end = cx.input.end();
        let may_guess = cx.finish == Some(Finish::Stop);
        let rest = self.rest_of_end_tag(&value, cx.input).unwrap_or(end);
        let verdict = match &value.cdata {
            Some(cdata) if may_guess || cdata.is_ended_at(cx.input) => {
                cdata.over(&mut value.rule, rest, cx.input)
            }
            Some(_) => Verdict::On,
            None => value.rule.over(rest, may_guess, cx.input),
        };
        self.scan = end;
        if let Verdict::End(close) = verdict {
            return self.end_value(value, close, cx);
        }
        self.release_certain(&mut value, cx);
        let mention = self.block.as_ref().and_then(|block| block.mention);
        match mention {
            Some(at) if may_guess => self.was_mention(at, cx),
            Some(_) | None => {
                self.state = State::Value(value);
                self.cut_block(cx)
            }
        }
    }

    /// The beginning of an end tag that the reply's end cut off.
    fn rest_of_end_tag(&self, value: &Value, input: &Input<'_>) -> Option<usize> {
        let (at, name) = match &value.reader {
            Reader::Text => return None,
            Reader::Head(reader) => {
                let (is_end, name) = reader.fragment();
                (reader.at(), (is_end || name.is_empty()).then_some(name)?)
            }
            Reader::Tag(reader, _) => {
                let head = reader.head();
                (head.at, head.is_end.then(|| head.name.clone())?)
            }
        };
        let block = self.block.as_ref()?;
        block.is_end_fragment(input.slice(name), &self.names).then_some(at)
    }

    /// The block was only spoken of: its start tag is text, and what follows is read as such.
    /// `[M3]`
    pub(crate) fn was_mention(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        let Some(block) = self.block.take() else { return self.go(State::Text) };
        Self::abort(&block, cx);
        self.done = at;
        self.line.is_blank = false;
        let looked_at = self.scan;
        self.rewind(block.inner, looked_at, State::Text, cx)
    }

    /// Whether the open value or call ends although the reply was cut.
    pub(crate) fn ends_though_cut(&self, input: &Input<'_>) -> bool {
        if let State::Foreign(foreign) = &self.state {
            return foreign.is_whole();
        }
        let State::Value(value) = &self.state else { return false };
        match &value.cdata {
            Some(cdata) => cdata.is_ended_at(input),
            None => value.rule.has_end_of_line(value.has_break, input),
        }
    }

    /// A declared child stands in a body.
    pub(crate) fn lift_from(&mut self, mut value: Box<Value>, cx: &mut Cx<'_, '_>) -> Flow {
        let at = self.scan;
        self.release(&mut value, at, cx);
        self.done = at;
        if let Some(block) = &mut self.block {
            block.set_text_aside();
        }
        self.go(State::Lead(Box::new(Lead::inside(at, value))))
    }
}

/// The text in front of what is left of a section's end, if it ends with such a rest.
fn dangling(text: &str) -> Option<&str> {
    let trimmed = text.trim_end();
    ["]]>", "]]", "]>"].into_iter().find_map(|mark| trimmed.strip_suffix(mark))
}

/// Where the text of a value ends, without its layout.
/// `[V3]` `[C7]`
/// `[DT4]`
fn text_end(value: &Value, close: &Close, is_unclosed: bool, input: &Input<'_>) -> usize {
    let end = close.text_end;
    // Before an end tag that is not the value's own, a line break is layout.
    let is_borrowed = close.guess.is_some() && matches!(value.rule, Rule::Carried(_));
    let is_exact = value.scalar.is_some() || (value.trim == Trim::Nothing && !is_borrowed);
    if is_exact && !is_unclosed {
        return end;
    }
    let mut text = input.slice(value.released..end);
    if is_unclosed {
        text = dangling(text).unwrap_or(text);
    }
    let text = match text.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => text,
    };
    value.released + text.len()
}
