//! What of a text is a key.

use tagline_secret::Secret;

/// Longest key, in bytes.
pub(crate) const LONGEST: usize = 8 * 1024;

/// Why a text is no key. Nothing of the text is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoKey {
    /// There is none.
    Empty,
    /// It has only so many bytes.
    Short(usize),
    /// It is longer than any.
    Long,
    /// It has several lines, or characters that no key has.
    Control,
}

impl NoKey {
    /// In words.
    pub(crate) fn found(self) -> String {
        match self {
            Self::Empty => "nothing".to_owned(),
            Self::Short(n) => format!("{n} bytes"),
            Self::Long => format!("more than {LONGEST} bytes"),
            Self::Control => "several lines, or control characters".to_owned(),
        }
    }
}

/// The key, without the blanks around it.
pub(crate) fn key_of(text: &str) -> Result<Secret, NoKey> {
    let key = text.trim();
    match key.len() {
        0 => Err(NoKey::Empty),
        n if n > LONGEST => Err(NoKey::Long),
        _ if key.contains(char::is_control) => Err(NoKey::Control),
        n if n < Secret::SHORTEST => Err(NoKey::Short(n)),
        _ => Ok(Secret::from(key)),
    }
}
