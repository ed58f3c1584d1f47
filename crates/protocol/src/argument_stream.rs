//! The arguments of a native call, which arrive as pieces of JSON.

use alloc::{format, string::String, vec::Vec};
use core::mem;

use crate::{Api, BadArguments, Decoded, ToolSpec, literal};

/// A piece of a top-level argument that is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentDelta {
    /// The argument's name, as written.
    pub name: String,
    /// What was added to its text.
    pub text: String,
}

/// Takes the arguments of one native call as they arrive, cut anywhere.
///
/// Each byte is looked at once. The text is kept whole, so whoever feeds it bounds it.
///
/// # Examples
///
/// ```
/// use tagline_protocol::ArgumentStream;
///
/// let mut stream = ArgumentStream::default();
/// assert!(stream.feed(r#"{"path": "a."#).iter().any(|it| it.text == "a."));
/// let deltas = stream.feed(r#"txt", "content": "one\"#);
/// assert_eq!((deltas[0].text.as_str(), deltas[1].text.as_str()), ("txt", "one"));
/// assert_eq!(stream.feed(r#"ntwo"}"#)[0].text, "\ntwo");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ArgumentStream {
    source: String,
    state: State,
    deltas: Vec<ArgumentDelta>,
}

/// What comes next.
#[derive(Clone, Debug, Default)]
enum State {
    /// The bracket of the object.
    #[default]
    Start,
    /// A name, or the end.
    Member,
    /// The rest of a name.
    Name(Text),
    /// The colon behind a name.
    Colon(String),
    /// A value.
    Value(String),
    /// The rest of a text.
    Text(String, Text),
    /// The rest of another value.
    Other(Other),
    /// Nothing that matters here.
    Over,
}

/// A text in quotes.
#[derive(Clone, Debug, Default)]
struct Text {
    plain: String,
    /// An escape that may not be complete.
    escape: String,
}

/// A value that is no text.
#[derive(Clone, Debug, Default)]
struct Other {
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
}

impl ArgumentStream {
    /// Takes the next piece; what it adds to top-level texts, in order.
    pub fn feed(&mut self, piece: &str) -> Vec<ArgumentDelta> {
        self.source.push_str(piece);
        for c in piece.chars() {
            self.state = self.step(c);
        }
        if let State::Text(name, text) = &mut self.state {
            let (name, text) = (name.clone(), mem::take(&mut text.plain));
            self.give(name, text);
        }
        mem::take(&mut self.deltas)
    }

    /// All that arrived.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The typed call, now that all has arrived.
    ///
    /// # Errors
    ///
    /// [`BadArguments`] as [`ToolSpec::of_native`].
    pub fn finish(&self, spec: &ToolSpec, api: Api) -> Result<Decoded, BadArguments> {
        spec.of_native(api, &self.source)
    }

    fn give(&mut self, name: String, text: String) {
        if !text.is_empty() {
            self.deltas.push(ArgumentDelta { name, text });
        }
    }

    fn step(&mut self, c: char) -> State {
        match mem::take(&mut self.state) {
            State::Start if c == '{' => State::Member,
            State::Start if c.is_whitespace() => State::Start,
            State::Member if c == '"' => State::Name(Text::default()),
            State::Member if c == ',' || c.is_whitespace() => State::Member,
            State::Name(text) => match text.push(c) {
                Ok(name) => State::Colon(name),
                Err(text) => State::Name(text),
            },
            State::Colon(name) if c == ':' => State::Value(name),
            State::Colon(name) if c.is_whitespace() => State::Colon(name),
            State::Value(name) if c == '"' => State::Text(name, Text::default()),
            State::Value(name) if c.is_whitespace() => State::Value(name),
            State::Value(_) => Other::default().push(c),
            State::Text(name, text) => match text.push(c) {
                Ok(text) => {
                    self.give(name, text);
                    State::Member
                }
                Err(text) => State::Text(name, text),
            },
            State::Other(other) => other.push(c),
            State::Start | State::Member | State::Colon(_) | State::Over => State::Over,
        }
    }
}

impl Text {
    /// Takes a character; the whole text once its quote came.
    fn push(mut self, c: char) -> Result<String, Self> {
        if self.escape.is_empty() || self.is_half_alone(c) {
            self.complete();
            match c {
                '"' => return Ok(self.plain),
                '\\' => self.escape.push(c),
                _ => self.plain.push(c),
            }
            return Err(self);
        }
        self.escape.push(c);
        if self.is_complete() {
            self.complete();
        }
        Err(self)
    }

    /// Whether the escape is half of a character, and `c` does not begin the other half.
    fn is_half_alone(&self, c: char) -> bool {
        self.escape.len() == 6 && c != '\\'
    }

    fn is_complete(&self) -> bool {
        let mut escape = self.escape.chars();
        match (escape.nth(1), self.escape.len()) {
            (Some('u'), 6) => !is_first_half(&self.escape),
            (Some('u'), 8) => !self.escape.ends_with('u'),
            (Some('u'), n) => n == 12,
            (Some(_), _) => true,
            (None, _) => false,
        }
    }

    /// Decodes the escape, whether or not it is one.
    fn complete(&mut self) {
        let escape = mem::take(&mut self.escape);
        self.plain.push_str(&literal::unquoted(&format!("\"{escape}\"")).unwrap_or(escape));
    }
}

/// Whether this is the first of the two escapes that a character beyond the basic plane has.
fn is_first_half(escape: &str) -> bool {
    let code = escape.get(2..).and_then(|it| u32::from_str_radix(it, 16).ok());
    code.is_some_and(|it| (0xd800..0xdc00).contains(&it))
}

impl Other {
    /// Takes a character; a value ends before the comma or the bracket that is not its own.
    fn push(mut self, c: char) -> State {
        if self.is_in_text {
            self.is_in_text = self.is_escaped || c != '"';
            self.is_escaped = !self.is_escaped && c == '\\';
            return State::Other(self);
        }
        match c {
            '"' => self.is_in_text = true,
            '[' | '{' => self.depth += 1,
            ',' if self.depth == 0 => return State::Member,
            ']' | '}' if self.depth == 0 => return State::Over,
            ']' | '}' => self.depth -= 1,
            _ => (),
        }
        State::Other(self)
    }
}
