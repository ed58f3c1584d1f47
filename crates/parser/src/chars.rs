//! Which characters count as what. Tags are ASCII, so bytes are enough.

/// A blank of one byte. The no-break space counts too, but has two: see `Input::blank_at`.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// What a name may begin with.
pub(crate) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// What a name may consist of.
pub(crate) fn is_name(byte: u8) -> bool {
    NAMES.get(usize::from(byte)).is_some_and(|&is_name| is_name)
}

/// Which bytes a name may consist of.
#[expect(clippy::indexing_slicing, reason = "the compiler computes it")]
const NAMES: [bool; 256] = {
    let mut names = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        names[byte] = c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.' | b':');
        byte += 1;
    }
    names
};

/// One form for all spellings of a name: ASCII case does not count, a hyphen equals an underscore.
/// `[B1]`
pub(crate) const fn fold(byte: u8) -> u8 {
    match byte {
        b'-' => b'_',
        other => other.to_ascii_lowercase(),
    }
}

/// Whether two names are spellings of one.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().map(fold).eq(b.bytes().map(fold))
}

/// Text without blanks at its ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace())
}
