//! Types a value by its shape: from text as it was written, or from JSON.
//!
//! What cannot be typed stays as it was given, so that whoever checks the arguments can say what
//! is wrong with them.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use crate::{
    Typed, decode_attribute, is_same_name,
    kinds::Kinds,
    literal::{self, Reader, Start, Word},
    number,
    shape::Shape,
};

/// How many times a text may be JSON that holds a text that is JSON.
const ENCODINGS_MAX: usize = 3;

/// A word as `true` or `false`, in any case.
pub(crate) fn boolean(word: &str) -> Option<bool> {
    [("true", true), ("false", false)]
        .into_iter()
        .find_map(|(name, value)| word.eq_ignore_ascii_case(name).then_some(value))
}

/// The word as declared: exactly, or the only one that differs in case or hyphens alone.
pub(crate) fn word_of<'a>(
    words: impl Iterator<Item = &'a str> + Clone,
    found: &str,
) -> Option<&'a str> {
    if let Some(word) = words.clone().find(|it| *it == found) {
        return Some(word);
    }
    let mut same = words.filter(|it| is_same_name(it, found));
    same.next().filter(|_| same.next().is_none())
}

/// Types one value, and knows how deep it is within others.
#[derive(Clone, Copy, Default)]
pub(crate) struct Typist {
    pub(crate) n_encodings: usize,
    /// How many brackets and elements it is within.
    pub(crate) depth: usize,
}

impl Typist {
    /// The source of a value in JSON, as a value of the shape; without one, as it was written.
    pub(crate) fn json(self, shape: Option<&Shape<'_>>, source: &str) -> Option<Typed> {
        let mut reader = Reader::within(source, self.depth);
        let value = self.value(shape, &mut reader).filter(|_| reader.is_over());
        value.or_else(|| self.text(shape?, source))
    }

    /// A text as a value of the shape, if it is one.
    pub(crate) fn text(self, shape: &Shape<'_>, text: &str) -> Option<Typed> {
        if shape.kinds.has(Kinds::TEXT) {
            return self.beside_text(shape, text);
        }
        let word = text.trim();
        scalar(shape.kinds, word)
            .or_else(|| self.container(shape, word))
            .or_else(|| self.unescaped(shape, word))
            .or_else(|| self.decoded_again(shape, word))
            .or_else(|| self.elements(shape, word))
    }

    /// Where text is allowed, a text is something else only if it is that to everybody.
    fn beside_text(self, shape: &Shape<'_>, text: &str) -> Option<Typed> {
        let words = shape.words();
        if shape.kinds == Kinds::TEXT && words.is_empty() || words.contains(&text) {
            return None;
        }
        let container = || {
            let mut reader = Reader::within(text, self.depth);
            let value = self.container_at(shape, &mut reader)?;
            (reader.is_over() && reader.is_json).then_some(value)
        };
        let word = || word_of(words.iter().copied(), text.trim());
        plain(shape.kinds, text)
            .or_else(container)
            .or_else(|| word().map(|it| Typed::Text(it.to_owned())))
    }

    /// An array or object, if the shape allows it and nothing stands beside it.
    fn container(self, shape: &Shape<'_>, word: &str) -> Option<Typed> {
        let mut reader = Reader::within(word, self.depth);
        let value = self.container_at(shape, &mut reader)?;
        reader.is_over().then_some(value)
    }

    /// Some models escape all that stands between tags.
    fn unescaped(self, shape: &Shape<'_>, word: &str) -> Option<Typed> {
        if !word.starts_with(['[', '{']) || !word.contains("&quot;") {
            return None;
        }
        self.container(shape, &decode_attribute(word))
    }

    fn container_at(self, shape: &Shape<'_>, reader: &mut Reader<'_>) -> Option<Typed> {
        let kind = match reader.start()? {
            Start::Array => Kinds::ARRAY,
            Start::Object => Kinds::OBJECT,
            Start::Text | Start::Word => return None,
        };
        if shape.kinds.has(kind) { self.value(Some(shape), reader) } else { None }
    }

    /// Some models encode twice: a text in quotes that holds the value.
    fn decoded_again(self, shape: &Shape<'_>, word: &str) -> Option<Typed> {
        let value = self.within_text()?.text(shape, &literal::unquoted(word)?)?;
        (!matches!(value, Typed::Number(_))).then_some(value)
    }

    fn within_text(self) -> Option<Self> {
        let n_encodings = self.n_encodings + 1;
        (n_encodings <= ENCODINGS_MAX).then_some(Self { n_encodings, ..self })
    }

    /// The value that the reader stands before.
    fn value(self, shape: Option<&Shape<'_>>, reader: &mut Reader<'_>) -> Option<Typed> {
        let Some(shape) = shape else { return reader.value() };
        match reader.start()? {
            Start::Text => {
                let text = reader.string()?;
                let inside = Self { depth: reader.depth, ..self };
                Some(inside.string(shape, &text).unwrap_or(Typed::Text(text)))
            }
            Start::Word => {
                let (word, source) = reader.with_source(Reader::word)?;
                Some(typed_word(shape.kinds, word, source))
            }
            Start::Array if !is_text_instead(shape, Kinds::ARRAY) => {
                let of_items = shape.items();
                let mut items = Vec::new();
                reader
                    .array(&mut |it| self.value(of_items.as_ref(), it).map(|it| items.push(it)))?;
                Some(Typed::Array(items))
            }
            Start::Object if !is_text_instead(shape, Kinds::OBJECT) => {
                let mut members = Vec::new();
                reader.object(&mut |it, name| {
                    let (name, shape) = shape.property(&name);
                    let value = self.value(shape.as_ref(), it)?;
                    members.push((name.into_owned(), value));
                    Some(())
                })?;
                Some(Typed::object(members))
            }
            Start::Array | Start::Object => Some(Typed::Text(reader.skip()?.to_owned())),
        }
    }

    /// A text that was meant as text, as something else only where the shape allows no text.
    pub(crate) fn string(self, shape: &Shape<'_>, text: &str) -> Option<Typed> {
        if !shape.kinds.has(Kinds::TEXT) {
            return self.within_text()?.text(shape, text);
        }
        let words = shape.words();
        word_of(words.iter().copied(), text.trim()).map(|it| Typed::Text(it.to_owned()))
    }
}

/// A word as the first kind it fits.
fn scalar(kinds: Kinds, word: &str) -> Option<Typed> {
    match word {
        "null" | "None" => Some(Typed::Null),
        _ => boolean(word)
            .filter(|_| kinds.has(Kinds::BOOLEAN))
            .map(Typed::Boolean)
            .or_else(|| number(kinds, word).map(Typed::Number)),
    }
}

/// A text as a kind that prints as the same text.
fn plain(kinds: Kinds, text: &str) -> Option<Typed> {
    match text {
        "null" if kinds.has(Kinds::NULL) => Some(Typed::Null),
        "true" | "false" if kinds.has(Kinds::BOOLEAN) => Some(Typed::Boolean(text == "true")),
        _ => number(kinds, text)
            .filter(|it| it == text && number::prints_back(text))
            .map(Typed::Number),
    }
}

fn number(kinds: Kinds, word: &str) -> Option<String> {
    let lexeme = number::lexeme(word).filter(|_| kinds.has(Kinds::NUMBER))?;
    if kinds.has(Kinds::FRACTION) {
        return Some(lexeme.to_owned());
    }
    number::whole(lexeme).map(String::from)
}

/// A value without quotes. `null` is the absence of a value whatever its shape; what is text by its
/// shape is the source.
fn typed_word(kinds: Kinds, word: Word<'_>, source: &str) -> Typed {
    let is_text = kinds.has(Kinds::TEXT);
    match word {
        Word::Null => Typed::Null,
        Word::Boolean(_) if is_text && !kinds.has(Kinds::BOOLEAN) => Typed::Text(source.to_owned()),
        Word::Boolean(it) => Typed::Boolean(it),
        Word::Number(lexeme) => match number(kinds, lexeme) {
            Some(number) => Typed::Number(number),
            None if is_text => Typed::Text(source.to_owned()),
            None => Typed::Number(lexeme.to_owned()),
        },
    }
}

/// Whether an array or object stands where the shape wants a text.
fn is_text_instead(shape: &Shape<'_>, kind: Kinds) -> bool {
    shape.kinds.has(Kinds::TEXT) && !shape.kinds.has(kind)
}
