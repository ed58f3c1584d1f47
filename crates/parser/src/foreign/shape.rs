//! What the tokens of a JSON body are for: calls in a list or alone, names, arguments, values.

use alloc::string::String;

use crate::{
    Limits, RepairKind,
    input::Input,
    machine::{Cx, Machine},
};

use super::{
    Evidence,
    call::{Call, Flaw},
    json::{Kind, Lexer, Part, Placed, Step, Token, Word},
};

/// Keys that name the tool.
/// `[DJ2]`
const NAME_KEYS: [&str; 5] = ["name", "tool", "tool_name", "function_name", "action"];

/// Keys that hold the arguments.
const ARGUMENT_KEYS: [&str; 7] =
    ["arguments", "args", "parameters", "params", "input", "tool_input", "action_input"];

/// The key of an object that holds name and arguments.
const FUNCTION: &str = "function";

/// Keys that stand beside them.
const OTHER_KEYS: [&str; 5] = ["id", "type", "tool_call_id", "index", "thought"];

/// What a member of a call's object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Name,
    Arguments,
    /// An object with name and arguments, or the name.
    Function,
    /// The tool's name, with the arguments as its value.
    Tool(String),
    /// An argument beside the name.
    Value(String),
    Other,
}

/// Where in the body reading stands.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// Before the outermost bracket.
    Outer,
    /// Between the calls of a list.
    List,
    /// Between the members of a call.
    Call,
    /// Before the value of a member.
    Member(Member),
    /// In the tool's name.
    Name(String, usize),
    /// In arguments that are written as a string.
    Encoded(String, usize),
    /// In what does not matter, so many brackets deep.
    Skip(usize),
    SkipText,
    /// Between the arguments.
    Arguments,
    /// Before the value of an argument.
    Argument(String),
    /// In an argument that is text.
    Text,
    /// In an argument that is JSON, so many brackets deep.
    Json(usize),
    /// Everything is read.
    Behind,
}

/// A reader of calls in JSON.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(super) place: Place,
    evidence: Evidence,
    /// The name stands outside, so that the object holds arguments.
    pub(super) is_outside: bool,
    is_list: bool,
    /// Arguments stand beside the name.
    pub(super) is_flat: bool,
    /// In the object that holds name and arguments.
    is_inner: bool,
    /// Where the next call begins: at its mark, or at its bracket.
    next_at: usize,
    n_calls: usize,
    pub(crate) call: Option<Call>,
}

impl Shape {
    /// Calls that name their tools, for a mark at this position; or for none.
    pub(crate) const fn new(at: usize, evidence: Evidence) -> Self {
        Self {
            place: Place::Outer,
            evidence,
            is_outside: false,
            is_list: false,
            is_flat: false,
            is_inner: false,
            next_at: at,
            n_calls: 0,
            call: None,
        }
    }

    /// The arguments of a call whose name is known.
    pub(crate) fn of(call: Call) -> Self {
        let mut shape = Self::new(call.at, Evidence::Token);
        shape.is_outside = true;
        shape.call = Some(call);
        shape
    }

    /// The position that what is read now may not pass.
    pub(super) const fn bound(&self, limits: &Limits) -> usize {
        match self.place {
            Place::Name(_, at) => at + limits.name,
            Place::Encoded(_, at) => at + limits.held,
            Place::Outer
            | Place::List
            | Place::Call
            | Place::Member(_)
            | Place::Skip(_)
            | Place::SkipText
            | Place::Arguments
            | Place::Argument(_)
            | Place::Text
            | Place::Json(_)
            | Place::Behind => usize::MAX,
        }
    }

    /// Whether no value is open.
    pub(super) const fn is_between_values(&self) -> bool {
        matches!(self.place, Place::Call | Place::Arguments)
    }

    pub(crate) const fn is_behind(&self) -> bool {
        matches!(self.place, Place::Behind)
    }

    /// Whether the body is a list without a call.
    pub(crate) const fn is_empty_list(&self) -> bool {
        self.is_list && self.n_calls == 0
    }
}

impl Machine {
    /// Takes the next token of a body.
    pub(crate) fn take_token(
        &mut self,
        shape: &mut Shape,
        next: Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<(), Flaw> {
        let place = core::mem::replace(&mut shape.place, Place::Behind);
        shape.place = match place {
            Place::Outer | Place::List => self.at_list(shape, place, &next, cx)?,
            Place::Call => self.in_call(shape, next, cx)?,
            Place::Member(member) => self.in_member(shape, member, next, cx)?,
            Place::Name(name, at) => self.in_name(shape, (name, at), &next, cx)?,
            Place::Encoded(text, at) => self.in_encoded(shape, (text, at), &next, cx)?,
            Place::Skip(depth) => skip(depth, &next.token),
            Place::SkipText if next.token == Token::TextEnd => Place::Call,
            Place::SkipText => Place::SkipText,
            Place::Arguments => self.in_arguments(shape, next, cx)?,
            Place::Argument(name) => self.in_argument(shape, name, &next, cx)?,
            Place::Text => self.in_text(shape, &next, cx),
            Place::Json(depth) => self.in_json(shape, depth, &next, cx)?,
            Place::Behind => Place::Behind,
        };
        Ok(())
    }

    // [DJ4]
    fn at_list(
        &mut self,
        shape: &mut Shape,
        place: Place,
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let at = next.at;
        match next.token.part() {
            Part::Open(Kind::Array) if matches!(place, Place::Outer) && !shape.is_outside => {
                shape.is_list = true;
                Ok(Place::List)
            }
            Part::Open(Kind::Object) if shape.is_outside => Ok(Place::Arguments),
            Part::Open(Kind::Object) => {
                let from = if shape.n_calls == 0 { shape.next_at } else { at };
                if shape.n_calls > 0 {
                    self.drop_to(at, cx);
                }
                shape.call = Some(Call::new(from, shape.evidence));
                (shape.is_flat, shape.is_inner) = (false, false);
                Ok(Place::Call)
            }
            Part::Close => Ok(Place::Behind),
            Part::Gap => Ok(place),
            Part::Open(Kind::Array) | Part::Value if shape.is_outside => Err(Flaw::Arguments),
            Part::Open(Kind::Array) | Part::Value => Err(Flaw::Shape),
        }
    }

    fn in_call(
        &mut self,
        shape: &mut Shape,
        next: Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        if let Token::Key(key) = next.token {
            return Ok(Place::Member(self.member(shape, key)));
        }
        match next.token.part() {
            Part::Close if shape.is_inner => {
                shape.is_inner = false;
                Ok(Place::Call)
            }
            Part::Close => self.call_closed(shape, next.end, cx),
            Part::Open(_) | Part::Gap | Part::Value => Ok(Place::Call),
        }
    }

    /// The object of a call is whole.
    /// `[DJ3]`
    pub(super) fn call_closed(
        &mut self,
        shape: &mut Shape,
        end: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let is_named = shape.call.as_ref().is_some_and(Call::is_named);
        if !is_named {
            return Err(Flaw::Shape);
        }
        shape.n_calls += 1;
        if !shape.is_list {
            return Ok(Place::Behind);
        }
        if let Some(call) = shape.call.take() {
            self.end_call(call, end, cx);
        }
        Ok(Place::List)
    }

    fn member(&self, shape: &Shape, key: String) -> Member {
        let is = |keys: &[&str]| keys.iter().any(|it| it.eq_ignore_ascii_case(&key));
        let call = shape.call.as_ref();
        let is_named = call.is_some_and(Call::is_named);
        if is_named && call.is_some_and(|call| self.is_value(call, &key)) && !is(&ARGUMENT_KEYS) {
            return Member::Value(key);
        }
        match () {
            () if is(&NAME_KEYS) && !is_named => Member::Name,
            () if is(&ARGUMENT_KEYS) => Member::Arguments,
            () if key == FUNCTION => Member::Function,
            () if is(&OTHER_KEYS) => Member::Other,
            () if !is_named && self.tool_of(&key).is_some() => Member::Tool(key),
            () => Member::Other,
        }
    }

    fn in_member(
        &mut self,
        shape: &mut Shape,
        member: Member,
        next: Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let (at, end) = (next.at, next.end);
        match (member, &next.token) {
            (member, Token::Colon | Token::Blank(_)) => Ok(Place::Member(member)),
            (Member::Name | Member::Function, Token::TextStart) => {
                Ok(Place::Name(String::new(), end))
            }
            (Member::Name | Member::Function, Token::Word(Word::Bare(name))) => {
                self.named(shape, name, end, cx)
            }
            (Member::Function, Token::Open(Kind::Object)) => {
                shape.is_inner = true;
                Ok(Place::Call)
            }
            (Member::Name | Member::Function, _) => Err(Flaw::Shape),
            (Member::Tool(name), Token::Open(Kind::Object)) => {
                self.named(shape, &name, end, cx)?;
                Ok(Place::Arguments)
            }
            (Member::Arguments, Token::Open(Kind::Object)) => Ok(Place::Arguments),
            (Member::Arguments, Token::TextStart) => Ok(Place::Encoded(String::new(), at)),
            (Member::Arguments, Token::Word(Word::Json("null"))) => Ok(Place::Call),
            (Member::Arguments | Member::Tool(_), _) => Err(Flaw::Arguments),
            (Member::Value(name), _) => {
                shape.is_flat = true;
                self.in_argument(shape, name, &next, cx)
            }
            (Member::Other, Token::TextStart) => Ok(Place::SkipText),
            (Member::Other, Token::Open(_)) => Ok(Place::Skip(1)),
            (Member::Other, _) => Ok(Place::Call),
        }
    }

    fn named(
        &mut self,
        shape: &mut Shape,
        name: &str,
        inner: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        match &mut shape.call {
            Some(call) => self.name_call(call, name, inner, cx).map(|()| Place::Call),
            None => Err(Flaw::Shape),
        }
    }

    fn in_name(
        &mut self,
        shape: &mut Shape,
        (mut name, at): (String, usize),
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let Token::Text(piece) = &next.token else {
            return self.named(shape, &name, next.end, cx);
        };
        piece.decoded(&mut |text| name.push_str(text));
        Ok(Place::Name(name, at))
    }

    /// Arguments that are JSON in a string are read as JSON once the string is whole.
    fn in_encoded(
        &mut self,
        shape: &mut Shape,
        (mut text, at): (String, usize),
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let Token::Text(piece) = &next.token else {
            self.encoded(shape, &text, at, cx)?;
            return Ok(Place::Call);
        };
        piece.decoded(&mut |piece| text.push_str(piece));
        Ok(Place::Encoded(text, at))
    }

    fn encoded(
        &mut self,
        shape: &mut Shape,
        text: &str,
        at: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Result<(), Flaw> {
        if let Some(call) = &mut shape.call {
            call.mended(RepairKind::DoubleEncoded, at..at + 1);
        }
        let text = text.trim();
        if text.is_empty() || text == "null" {
            return Ok(());
        }
        if !text.starts_with('{') {
            return Err(Flaw::Arguments);
        }
        let input = Input::new(text, 0, true);
        let mut lexer = Lexer::new(0);
        let is_flat = core::mem::take(&mut shape.is_flat);
        shape.place = Place::Member(Member::Arguments);
        while lexer.depth() > 0 || lexer.cursor == 0 {
            match lexer.next(&input) {
                Step::Token(token) => {
                    self.take_token(shape, Placed { token, at, end: at }, cx)?;
                }
                Step::Wait | Step::Stuck => return Err(Flaw::Arguments),
            }
        }
        cx.input.add_visits(input.visits());
        shape.is_flat = is_flat;
        Ok(())
    }
}

fn skip(depth: usize, token: &Token<'_>) -> Place {
    match token.part() {
        Part::Open(_) => Place::Skip(depth + 1),
        Part::Close if depth == 1 => Place::Call,
        Part::Close => Place::Skip(depth - 1),
        Part::Gap | Part::Value => Place::Skip(depth),
    }
}
