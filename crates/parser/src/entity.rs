//! Entities and numeric references, decoded once (XML 1.0, sections 4.1 and 4.6).

use alloc::{borrow::Cow, string::String};

/// The longest reference that is decoded, from `&` to `;`.
pub(crate) const LONGEST: usize = 12;

/// Decodes the five named entities and numeric references. Anything else stays as it is.
/// `[A4]` `[V2]`
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let (before, mut rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len());
    out.push_str(before);
    while !rest.is_empty() {
        let (piece, behind) = reference(rest).unwrap_or_else(|| literal(rest));
        match piece {
            Piece::Char(c) => out.push(c),
            Piece::Text(text) => out.push_str(text),
        }
        rest = behind;
    }
    Cow::Owned(out)
}

enum Piece<'a> {
    Char(char),
    Text(&'a str),
}

/// A reference at the start of the text, and what follows it.
fn reference(text: &str) -> Option<(Piece<'_>, &str)> {
    let inner = text.strip_prefix('&')?;
    let end = memchr::memchr(b';', inner.as_bytes().get(..LONGEST.min(inner.len()))?)?;
    let c = character(inner.get(..end)?)?;
    Some((Piece::Char(c), inner.get(end + 1..)?))
}

/// Everything up to the next `&`, and the rest.
fn literal(text: &str) -> (Piece<'_>, &str) {
    let behind_first = text.bytes().next().map_or(0, |_| 1);
    let next = text.as_bytes().get(behind_first..).and_then(|rest| memchr::memchr(b'&', rest));
    let (piece, rest) = text.split_at(next.map_or(text.len(), |n| n + behind_first));
    (Piece::Text(piece), rest)
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => numeric(name.strip_prefix('#')?),
    }
}

fn numeric(digits: &str) -> Option<char> {
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16),
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse(),
        Some(_) | None => return None,
    };
    code.ok().filter(|&code| code != 0).and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes_once_and_leaves_lookalikes() {
        assert_eq!(decode("a &amp;lt; &#65;&#x42;&quot;"), "a &lt; AB\"");
        assert_eq!(
            decode("x?a=1&order=2 && &nope; &#xZZ; &#0; &"),
            "x?a=1&order=2 && &nope; &#xZZ; &#0; &"
        );
        assert_eq!(decode("é&gt;é"), "é>é");
    }
}
