//! The type.

use std::{convert::Infallible, fmt, str::FromStr};

use secrecy::{ExposeSecret as _, SecretString};

/// A key, token or password. It has no way into text but [`Secret::expose`], and is wiped when it
/// goes.
///
/// # Examples
///
/// ```
/// use tagline_secret::Secret;
///
/// let key = Secret::from("sk-0123456789");
/// assert_eq!(format!("{key:?}"), "Secret(…)");
/// assert_eq!(key.expose(), "sk-0123456789");
/// ```
///
/// It is not shown:
///
/// ```compile_fail
/// let key = tagline_secret::Secret::from("sk-0123456789");
/// let shown = key.to_string();
/// ```
///
/// And not written down:
///
/// ```compile_fail
/// let key = tagline_secret::Secret::from("sk-0123456789");
/// let json = serde_json::to_string(&key);
/// ```
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Fewest bytes of a secret that is looked for in text. What is shorter, such as `x` for a
    /// local server, is a word that may stand anywhere.
    pub const SHORTEST: usize = 8;

    /// What it holds. Wherever this is called, it leaves the process or is compared.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(SecretString::from(text))
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::from(text))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
