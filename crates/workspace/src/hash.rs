//! The fingerprint of a file's content.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 of a file's bytes; shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
