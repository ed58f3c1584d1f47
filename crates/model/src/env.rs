//! The environment, as data: only the application reads the real one.

use std::{collections::BTreeMap, fmt};

use tagline_secret::Secret;

/// Environment variables. An empty one counts as unset.
///
/// Its `Debug` form shows names alone, since values may be keys.
///
/// # Examples
///
/// ```
/// use tagline_model::Env;
///
/// let env = Env::from_iter([("OPENAI_API_KEY", "sk-1"), ("OPENAI_BASE_URL", "")]);
/// assert_eq!(env.get("OPENAI_API_KEY"), Some("sk-1"));
/// assert_eq!(env.get("OPENAI_BASE_URL"), None);
/// assert_eq!(format!("{env:?}"), r#"Env({"OPENAI_API_KEY"})"#);
/// ```
#[derive(Clone, Default)]
pub struct Env(BTreeMap<String, String>);

impl Env {
    /// The value of a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The first of these variables that is set, with its name.
    pub(crate) fn first(&self, names: &[&'static str]) -> Option<(&'static str, &str)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    pub(crate) fn secret(&self, name: &str) -> Option<Secret> {
        self.get(name).map(Secret::from)
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Env {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(pairs: T) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self(pairs.filter(|(_, value): &(String, String)| !value.trim().is_empty()).collect())
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Names<'a>(&'a BTreeMap<String, String>);
        impl fmt::Debug for Names<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.0.keys()).finish()
            }
        }
        f.debug_tuple("Env").field(&Names(&self.0)).finish()
    }
}
