//! Scalars: trimmed, then decoded once. `[V2]` `[A4]`

/// The longest reference, without its `&`.
const LONGEST: usize = 12;

/// A scalar from its source.
pub(super) fn scalar(source: &str) -> String {
    decoded(source.trim())
}

/// The five named entities and numeric references decoded; anything else as it stands.
pub(super) fn decoded(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let reference = rest.strip_prefix('&').and_then(|inner| {
            let end = inner.find(';').filter(|end| *end < LONGEST)?;
            Some((character(inner.get(..end)?)?, end + 2))
        });
        let (c, len) = reference.unwrap_or((c, c.len_utf8()));
        out.push(c);
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

fn character(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) if hex.chars().all(|c| c.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16),
        None if number.chars().all(|c| c.is_ascii_digit()) => number.parse(),
        Some(_) | None => return None,
    };
    code.ok().filter(|code| *code != 0).and_then(char::from_u32)
}
