//! Calls in elements that are written with tokens, as Kimi K3 does: a call holds arguments, and an
//! argument says its name and its type.
//! `[DE1]`

use alloc::{boxed::Box, string::String};

use crate::{
    Finish, RepairKind, entity,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
};

use super::{
    Manner, Phase,
    body::{Body, Source},
    call::{Call, Flaw, Form},
    json::Lexer,
};

/// The end of a tag.
const SEP: &str = "<|sep|>";

/// The end of a value.
const END: &str = "<|close|>argument<|sep|>";

/// The token that each end begins with.
const CLOSE: &str = "<|close|>";

/// What may stand between values.
const NEXT: [(&str, Next); 5] = [
    ("<|open|>argument", Next::Tag(Tag::Argument)),
    ("<|open|>json", Next::Tag(Tag::Json)),
    ("<|close|>call<|sep|>", Next::End),
    ("<|close|>tools<|sep|>", Next::Other),
    ("<|open|>call", Next::Other),
];

/// What a tag begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Call,
    /// A value.
    Argument,
    /// All values, as one object.
    /// `[DE2]`
    Json,
}

/// What stands between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Tag(Tag),
    /// The end of the call.
    End,
    /// What is outside of the call, whose end is missing.
    Other,
    /// The end of the reply, perhaps inside of one of these.
    Over,
    /// Something else.
    Nothing,
    /// The chunk is over.
    More,
}

/// Where in a call reading stands.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// In a tag, behind its name.
    Tag(Tag),
    /// Between values.
    Between,
    /// In a value.
    Value(Form),
    /// Behind what may be its end, which begins there.
    Behind(Form, usize),
}

/// A call that is read.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(super) call: Call,
    /// Behind the name of the tag, or behind the last value.
    from: usize,
    cursor: usize,
    stage: Stage,
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// The values are one object, which begins at the cursor.
    Json,
    /// The call ends at this position, with its end or without.
    Ends {
        at: usize,
        is_closed: bool,
    },
    /// The reply ends in a value.
    Cut,
    Flawed(Flaw),
}

impl Machine {
    /// The tag of a call begins.
    pub(crate) fn open_elements(&mut self, at: usize, behind: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        self.scan = behind;
        let manner = Manner::closed(at);
        let call = Call::new(at, manner.evidence);
        let stage = Stage::Tag(Tag::Call);
        let elements = Elements { call, from: behind, cursor: behind, stage };
        self.go_foreign(manner, Phase::Elements(Box::new(elements)))
    }

    pub(super) fn foreign_elements(
        &mut self,
        manner: Manner,
        mut elements: Box<Elements>,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            let step = match elements.stage {
                Stage::Tag(tag) => self.in_tag(&mut elements, tag, cx),
                Stage::Between => between(&mut elements, self.limits.held, cx.input),
                Stage::Value(form) => self.in_element(&mut elements, form, cx),
                Stage::Behind(form, end) => self.behind_end(&mut elements, form, end, cx),
            };
            match step {
                Step::Again => {}
                Step::Wait => return self.wait_in_elements(manner, elements),
                Step::Json => {
                    let source = Source::Json(Lexer::new(elements.cursor));
                    let body = Body::new(source, manner, Some(elements.call));
                    return self.go_foreign(manner, Phase::Body(Box::new(body)));
                }
                Step::Ends { at, is_closed } => {
                    return self.end_elements(*elements, at, is_closed, cx);
                }
                Step::Cut => {
                    self.foreign_cut(manner, elements);
                    return self.cut_block(cx);
                }
                Step::Flawed(flaw) => return self.no_call(manner, &flaw, elements.cursor, cx),
            }
        }
    }

    /// The open value is reported with the block.
    fn foreign_cut(&mut self, manner: Manner, elements: Box<Elements>) {
        self.wait_foreign(manner, Phase::Elements(elements));
    }

    fn wait_in_elements(&mut self, manner: Manner, elements: Box<Elements>) -> Flow {
        if self.block.is_some() {
            let held = match elements.stage {
                Stage::Value(_) => elements.cursor,
                Stage::Behind(_, end) => end,
                Stage::Tag(_) | Stage::Between => elements.from,
            };
            self.done = self.done.max(held);
        }
        self.wait_foreign(manner, Phase::Elements(elements))
    }

    /// Reads a tag to its end.
    fn in_tag(&mut self, elements: &mut Elements, tag: Tag, cx: &mut Cx<'_, '_>) -> Step {
        let from = elements.from;
        loop {
            let found = cx.input.find1(b'<', elements.cursor);
            elements.cursor = found.unwrap_or_else(|| cx.input.end());
            if elements.cursor - from > self.limits.start_tag {
                return Step::Flawed(Flaw::Limit(from + self.limits.start_tag));
            }
            let Some(at) = found else { return self.wait_or_flaw(Flaw::Cut, cx.input) };
            match cx.input.has_word(SEP, at) {
                None => return Step::Wait,
                Some(false) => elements.cursor = at + 1,
                Some(true) => break,
            }
        }
        let attributes = cx.input.slice(from..elements.cursor);
        elements.cursor += SEP.len();
        match tag {
            Tag::Json => Step::Json,
            Tag::Call => {
                let name = attribute(attributes, "tool").unwrap_or_default();
                match self.name_call(&mut elements.call, &name, elements.cursor, cx) {
                    Ok(()) => elements.between(),
                    Err(flaw) => Step::Flawed(flaw),
                }
            }
            Tag::Argument => {
                let Some(name) = attribute(attributes, "key") else {
                    return Step::Flawed(Flaw::Arguments);
                };
                self.begin_value(&mut elements.call, &name, elements.cursor);
                elements.stage = Stage::Value(form(attribute(attributes, "type").as_deref()));
                Step::Again
            }
        }
    }

    fn wait_or_flaw(&self, flaw: Flaw, input: &Input<'_>) -> Step {
        match (input.is_over(), &self.block) {
            (false, _) => Step::Wait,
            (true, Some(_)) => Step::Cut,
            (true, None) => Step::Flawed(flaw),
        }
    }

    /// Hands out a value up to what may be its end.
    fn in_element(&mut self, elements: &mut Elements, form: Form, cx: &mut Cx<'_, '_>) -> Step {
        let at = cx.input.find1(b'<', elements.cursor).unwrap_or_else(|| cx.input.end());
        self.element_text(elements, at, cx);
        if at == cx.input.end() {
            return if cx.input.is_over() { Step::Cut } else { Step::Wait };
        }
        match cx.input.has_word(END, at) {
            None => Step::Wait,
            Some(true) => {
                elements.cursor = at + END.len();
                elements.stage = Stage::Behind(form, at);
                Step::Again
            }
            Some(false) if is_cut_end(at, cx) => {
                self.end_value_of(&mut elements.call, form, at);
                Step::Ends { at: cx.input.end(), is_closed: false }
            }
            Some(false) => {
                self.element_text(elements, at + 1, cx);
                Step::Again
            }
        }
    }

    fn element_text(&mut self, elements: &mut Elements, to: usize, cx: &mut Cx<'_, '_>) {
        let from = core::mem::replace(&mut elements.cursor, to);
        let text = cx.input.slice(from..to);
        self.value_text(&mut elements.call, text, to, cx);
    }

    /// An end counts where something follows that may.
    /// `[DE3]`
    fn behind_end(
        &mut self,
        elements: &mut Elements,
        form: Form,
        end: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Step {
        elements.cursor = cx.input.skip_blanks(elements.cursor);
        let found = match self.is_beyond(end + END.len(), elements.cursor) {
            true => Next::Nothing,
            false => next(elements.cursor, cx.input).0,
        };
        match found {
            Next::More => Step::Wait,
            Next::Nothing => {
                elements.cursor = end;
                self.element_text(elements, end + END.len(), cx);
                elements.stage = Stage::Value(form);
                Step::Again
            }
            Next::Tag(_) | Next::End | Next::Other | Next::Over => {
                self.end_value_of(&mut elements.call, form, end);
                elements.cursor = end + END.len();
                elements.between()
            }
        }
    }

    /// The call ends. What a cut leaves without an end stays open.
    /// `[DE4]`
    fn end_elements(
        &mut self,
        mut elements: Elements,
        at: usize,
        is_closed: bool,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let mut end = at;
        if !is_closed {
            let is_over = cx.input.is_over() && next(at, cx.input).0 == Next::Over;
            if is_over && cx.finish != Some(Finish::Stop) {
                return self.cut_block(cx);
            }
            end = if is_over { cx.input.end() } else { at };
            elements.call.mended(RepairKind::MissingClose, at..end);
        }
        self.end_call(elements.call, end, cx);
        self.scan = end;
        self.line.is_blank = true;
        self.go(State::Text)
    }
}

impl Elements {
    /// Between values, from the cursor on.
    const fn between(&mut self) -> Step {
        self.from = self.cursor;
        self.stage = Stage::Between;
        Step::Again
    }
}

/// Whether the reply ends inside of the end of a value, and by itself.
fn is_cut_end(at: usize, cx: &Cx<'_, '_>) -> bool {
    let rest = cx.input.rest(at);
    let is_end = rest.starts_with(CLOSE) && END.starts_with(rest);
    is_end && cx.input.is_over() && cx.finish == Some(Finish::Stop)
}

fn between(elements: &mut Elements, longest: usize, input: &Input<'_>) -> Step {
    elements.cursor = input.skip_blanks(elements.cursor);
    if elements.cursor - elements.from > longest {
        return Step::Flawed(Flaw::Limit(elements.from + longest));
    }
    let (found, behind) = next(elements.cursor, input);
    match found {
        Next::Tag(tag) => {
            (elements.from, elements.cursor) = (behind, behind);
            elements.stage = Stage::Tag(tag);
            Step::Again
        }
        Next::End => Step::Ends { at: behind, is_closed: true },
        Next::Other | Next::Over => Step::Ends { at: elements.from, is_closed: false },
        Next::Nothing => Step::Flawed(Flaw::Shape),
        Next::More => Step::Wait,
    }
}

/// What stands here, and where it ends.
fn next(at: usize, input: &Input<'_>) -> (Next, usize) {
    match input.peek(at) {
        Peek::More => return (Next::More, at),
        Peek::Over => return (Next::Over, at),
        Peek::Byte(_) => {}
    }
    let mut found = Next::Nothing;
    for (word, next) in NEXT {
        match input.has_word(word, at) {
            Some(true) => return (next, at + word.len()),
            None => found = Next::More,
            Some(false) if input.is_over() && word.starts_with(input.rest(at)) => {
                found = Next::Over;
            }
            Some(false) => {}
        }
    }
    (found, at)
}

/// How a value of this type is written.
fn form(kind: Option<&str>) -> Form {
    match kind {
        None | Some("") => Form::Text,
        Some("string") => Form::String,
        Some(_) => Form::Json,
    }
}

/// What an attribute says.
fn attribute(text: &str, name: &str) -> Option<String> {
    let mut rest = text;
    loop {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let (value, next) = match behind.chars().next()? {
            quote @ ('"' | '\'') => behind.get(1..)?.split_once(quote)?,
            _ => behind.split_once(char::is_whitespace).unwrap_or((behind, "")),
        };
        if key.trim() == name {
            return Some(entity::decode(value).into_owned());
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::attribute;

    #[test]
    fn attributes_are_found_by_name_and_decoded() {
        let text = r#" tool="a&amp;b &quot;=&quot;" index='1' x=2"#;
        assert_eq!(attribute(text, "tool").as_deref(), Some("a&b \"=\""));
        assert_eq!(attribute(text, "index").as_deref(), Some("1"));
        assert_eq!(attribute(text, "x").as_deref(), Some("2"));
        assert_eq!(attribute(text, "y"), None);
    }
}
