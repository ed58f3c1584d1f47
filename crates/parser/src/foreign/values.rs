//! The values of a call in JSON: text, lists whose elements count one by one, and what stays JSON.

use alloc::string::String;

use crate::machine::{Cx, Machine};

use super::{
    call::{Flaw, Form},
    json::{Kind, Part, Placed, Token, Word, escaped},
    shape::{Place, Shape},
};

impl Machine {
    pub(super) fn in_arguments(
        &mut self,
        shape: &mut Shape,
        next: Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        if let Token::Key(key) = next.token {
            return Ok(Place::Argument(key));
        }
        match next.token.part() {
            Part::Close if shape.is_outside => self.call_closed(shape, next.end, cx),
            Part::Close => Ok(Place::Call),
            Part::Open(_) | Part::Gap | Part::Value => Ok(Place::Arguments),
        }
    }

    pub(super) fn in_argument(
        &mut self,
        shape: &mut Shape,
        name: String,
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        match next.token.part() {
            Part::Gap => Ok(Place::Argument(name)),
            Part::Open(_) | Part::Close | Part::Value => {
                self.begin_argument(shape, &name, next, cx)
            }
        }
    }

    /// The first token of a value.
    pub(super) fn begin_argument(
        &mut self,
        shape: &mut Shape,
        name: &str,
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let Placed { token, at, end } = next;
        let Some(call) = &mut shape.call else { return Err(Flaw::Shape) };
        let behind = behind_value(shape.is_flat);
        if let Part::Close | Part::Gap = token.part() {
            return Err(Flaw::Arguments);
        }
        self.begin_value(call, name, *at);
        if let Token::Open(kind) = token {
            self.value_text(call, opening(*kind), *at, cx);
            return Ok(Place::Json(1));
        }
        let (text, form) = match token {
            Token::Word(Word::Json(text)) => (*text, Form::Json),
            Token::Word(Word::Bare(text)) => (*text, Form::Text),
            Token::Number(text) => (text.as_str(), Form::Json),
            Token::TextStart
            | Token::Text(_)
            | Token::TextEnd
            | Token::Open(_)
            | Token::Close(_)
            | Token::Comma
            | Token::Colon
            | Token::Key(_)
            | Token::Blank(_) => return Ok(Place::Text),
        };
        self.value_text(call, text, *at, cx);
        self.end_value_of(call, form, *end);
        Ok(behind)
    }

    pub(super) fn in_text(
        &mut self,
        shape: &mut Shape,
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Place {
        let Some(call) = &mut shape.call else { return Place::Behind };
        if let Token::Text(piece) = &next.token {
            piece.decoded(&mut |text| self.value_text(call, text, next.at, cx));
            return Place::Text;
        }
        self.end_value_of(call, Form::String, next.end);
        behind_value(shape.is_flat)
    }

    // [DJ6]
    pub(super) fn in_json(
        &mut self,
        shape: &mut Shape,
        depth: usize,
        next: &Placed<'_>,
        cx: &mut Cx<'_, '_>,
    ) -> Result<Place, Flaw> {
        let Some(call) = &mut shape.call else { return Err(Flaw::Shape) };
        write(&next.token, &mut |text| self.value_text(call, text, next.at, cx));
        let depth = match next.token.part() {
            Part::Open(_) => depth + 1,
            Part::Close => depth - 1,
            Part::Gap | Part::Value => depth,
        };
        if depth > self.limits.depth {
            return Err(Flaw::Arguments);
        }
        if depth > 0 {
            return Ok(Place::Json(depth));
        }
        self.end_value_of(call, Form::Json, next.end);
        Ok(behind_value(shape.is_flat))
    }
}

/// What is read behind a value.
const fn behind_value(is_flat: bool) -> Place {
    if is_flat { Place::Call } else { Place::Arguments }
}

const fn opening(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "{",
        Kind::Array => "[",
    }
}

/// Writes a token as valid JSON; one that needed no repair is written as it was.
fn write(token: &Token<'_>, out: &mut dyn FnMut(&str)) {
    match token {
        Token::Open(kind) => out(opening(*kind)),
        Token::Close(Kind::Object) => out("}"),
        Token::Close(Kind::Array) => out("]"),
        Token::Comma => out(","),
        Token::Colon => out(":"),
        Token::Key(key) => quoted(key, out),
        Token::TextStart | Token::TextEnd => out("\""),
        Token::Text(piece) => piece.written(out),
        Token::Number(text) => out(text),
        Token::Word(Word::Json(text)) => out(text),
        Token::Word(Word::Bare(text)) => quoted(text, out),
        Token::Blank(text) => out(text),
    }
}

fn quoted(text: &str, out: &mut dyn FnMut(&str)) {
    out("\"");
    escaped(text, out);
    out("\"");
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::quoted;

    #[test]
    fn keys_are_written_as_json() {
        let mut text = String::new();
        quoted("a\"b\\c\n", &mut |piece| text.push_str(piece));
        assert_eq!(text, r#""a\"b\\c\n""#);
    }
}
