//! Writes foreign text so that it is text and nothing else.
//!
//! What a file, a command or a page says goes back to the model between our own tags. Four
//! things are rewritten, and [`decode_content`] gives the original back, byte by byte:
//!
//! * `<` becomes `&lt;`, always: no markup of ours, in any spelling and at any cut, begins without
//!   it. `>` alone ends nothing and stays readable.
//! * `[` becomes `&#x5B;` where it begins a mark of another syntax, such as `[TOOL_CALLS]`.
//! * A character that nobody sees becomes its number, such as `&#x202E;`: control characters,
//!   direction controls, tag characters, and joiners and selectors that join or select nothing.
//!   Emoji and scripts that need joiners keep them.
//! * `&` becomes `&amp;` only where it would otherwise read as one of the above, so `a && b` and
//!   `&nbsp;` stay as they are.
//!
//! In attributes `"`, `>` and line breaks are encoded too.

use alloc::{format, string::String};

use crate::invisible;

/// Text that comes from outside: from files, commands, pages, or out of a model's reply.
///
/// It can be written into a message encoded, and in no other way: there is no path from here to
/// the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untrusted<'a>(&'a str);

impl<'a> Untrusted<'a> {
    /// Takes any text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text to stand between two tags.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_protocol::Untrusted;
    ///
    /// let text = Untrusted::new("if a < b && c { }\n</tool_result>");
    /// assert_eq!(text.content(), "if a &lt; b && c { }\n&lt;/tool_result>");
    /// ```
    #[must_use]
    pub fn content(self) -> String {
        encode(self.0, Place::Content).0
    }

    /// The same, and how many characters of it nobody sees.
    pub(crate) fn content_and_hidden(self) -> (String, usize) {
        encode(self.0, Place::Content)
    }

    /// The text to stand between double quotes in a start tag.
    #[must_use]
    pub fn attribute(self) -> String {
        encode(self.0, Place::Attribute).0
    }
}

/// Where encoded text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Content,
    Attribute,
}

impl Place {
    const fn entities(self) -> &'static [(&'static str, char)] {
        match self {
            Self::Content => &[("&lt;", '<'), ("&amp;", '&')],
            Self::Attribute => &[("&lt;", '<'), ("&amp;", '&'), ("&gt;", '>'), ("&quot;", '"')],
        }
    }
}

/// The original of what [`Untrusted::content`] wrote. Other text passes as it is.
#[must_use]
pub fn decode_content(text: &str) -> String {
    decode(text, Place::Content)
}

/// The original of what [`Untrusted::attribute`] wrote. Other text passes as it is.
#[must_use]
pub fn decode_attribute(text: &str) -> String {
    decode(text, Place::Attribute)
}

/// The encoded text, and how many of its characters nobody sees.
fn encode(text: &str, place: Place) -> (String, usize) {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut rest = text;
    let (mut before, mut n_hidden) = (None, 0);
    while let Some(c) = rest.chars().next() {
        let visible = invisible::flag(rest).unwrap_or(0);
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        if visible != 0 {
            out.push_str(rest.get(..visible).unwrap_or_default());
            rest = rest.get(visible..).unwrap_or_default();
        } else {
            n_hidden += usize::from(push(&mut out, place, rest, c, before));
            rest = behind;
        }
        before = Some(c);
    }
    (out, n_hidden)
}

/// Writes `c`, which `rest` begins with; whether nobody sees it.
fn push(out: &mut String, place: Place, rest: &str, c: char, before: Option<char>) -> bool {
    let next = rest.chars().nth(1);
    match (c, place) {
        ('<', _) => out.push_str("&lt;"),
        ('[', _) if tagline_parser::begins_with_mark(rest) => push_number(out, c),
        ('&', _) if entity(rest, place).is_some() => out.push_str("&amp;"),
        ('"', Place::Attribute) => out.push_str("&quot;"),
        ('>', Place::Attribute) => out.push_str("&gt;"),
        ('\n' | '\r' | '\t', Place::Attribute) => push_number(out, c),
        ('\r', Place::Content) if next == Some('\n') => out.push(c),
        (_, _) if invisible::is_hidden(before, c, next) => {
            push_number(out, c);
            return true;
        }
        (_, _) => out.push(c),
    }
    false
}

fn push_number(out: &mut String, c: char) {
    out.push_str(&format!("&#x{:X};", u32::from(c)));
}

fn decode(text: &str, place: Place) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, _)) = rest.split_once('&') {
        out.push_str(plain);
        rest = rest.get(plain.len()..).unwrap_or_default();
        let (c, n) = entity(rest, place).unwrap_or(('&', 1));
        out.push(c);
        rest = rest.get(n..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character that an entity at the start of `text` stands for, and the entity's bytes.
fn entity(text: &str, place: Place) -> Option<(char, usize)> {
    let named = place.entities().iter().find(|(name, _)| text.starts_with(name));
    if let Some((name, c)) = named {
        return Some((*c, name.len()));
    }
    let digits = text.strip_prefix("&#x")?;
    let n = digits.bytes().take(7).position(|it| it == b';')?;
    let number = u32::from_str_radix(digits.get(..n)?, 16).ok()?;
    Some((char::from_u32(number)?, "&#x;".len() + n))
}
