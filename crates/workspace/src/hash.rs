//! The fingerprint of a file's content.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 of a file's bytes; shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Of these bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// let hash = tagline_workspace::ContentHash::of(b"abc").to_string();
    /// assert!(hash.starts_with("ba7816bf"));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The one that is shown so: 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let mut hash = [0; 32];
        if digits.len() != 2 * hash.len() {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = str::from_utf8(pair).ok().filter(|pair| !pair.starts_with('+'))?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(Self(hash))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// Makes a [`ContentHash`] of bytes that come piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Of all bytes taken.
    #[must_use]
    pub fn finish(self) -> ContentHash {
        ContentHash(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_read() {
        let hash = ContentHash::of(b"abc");
        assert_eq!(ContentHash::parse(&hash.to_string()), Some(hash));
        for text in ["", "ba78", &"g".repeat(64), &"+1".repeat(32), &"é".repeat(32)] {
            assert_eq!(ContentHash::parse(text).map(|_| text), None);
        }
    }
}
