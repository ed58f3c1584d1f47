//! How a model is named.

use std::{fmt, str::FromStr};

use super::{error::ConnectError, known::SERVER};

/// A model's name: `provider/model`, a provider alone, an address, or a file.
///
/// An address after `@` replaces the provider's own; the provider's key is not sent there.
///
/// # Examples
///
/// ```
/// use tagline_model::ModelRef;
///
/// let show = |text: &str| ModelRef::parse(text).map(|model| {
///     (model.provider, model.model, model.address)
/// });
/// assert_eq!(show("ollama/qwen3:8b")?.1.as_deref(), Some("qwen3:8b"));
/// assert_eq!(show("openrouter/meta/llama")?.1.as_deref(), Some("meta/llama"));
/// assert_eq!(show("http://127.0.0.1:8099")?.0, "server");
/// assert_eq!(show("llamacpp@http://127.0.0.1:8099")?.0, "llamacpp");
/// assert_eq!(show("script/site.script")?.1.as_deref(), Some("site.script"));
/// # Ok::<(), tagline_model::ConnectError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRef {
    /// Which provider; `server` for one that is named by its address alone, `script` or
    /// `cassette` for a file.
    pub provider: String,
    /// The provider's own name of the model, or the file's path; `None` takes the first or usual one.
    pub model: Option<String>,
    /// Where it is, if not where the provider usually is.
    pub address: Option<String>,
}

impl ModelRef {
    /// Reads a name. `http://host/v1#model` names a model at an address.
    ///
    /// # Errors
    ///
    /// [`ConnectError::BadReference`] if a part is empty.
    pub fn parse(text: &str) -> Result<Self, ConnectError> {
        let text = text.trim();
        let bad = || ConnectError::BadReference { text: text.to_owned() };
        if is_address(text) {
            return Ok(Self::at(SERVER.name, None, text));
        }
        let split = text.find("@http://").or_else(|| text.find("@https://"));
        let (name, address) = match split.and_then(|at| text.split_at_checked(at)) {
            Some((name, address)) => (name, Some(address.trim_start_matches('@'))),
            None => (text, None),
        };
        let (provider, model) = match name.split_once('/') {
            Some((provider, model)) => (provider, Some(model.to_owned())),
            None => (name, None),
        };
        if provider.is_empty() || model.as_deref() == Some("") {
            return Err(bad());
        }
        Ok(match address {
            Some(address) => Self::at(provider, model, address),
            None => Self { provider: provider.to_owned(), model, address: None },
        })
    }

    fn at(provider: &str, model: Option<String>, address: &str) -> Self {
        let (address, named) = match address.split_once('#') {
            Some((address, named)) => (address, Some(named.to_owned())),
            None => (address, None),
        };
        Self {
            provider: provider.to_owned(),
            model: model.or(named).filter(|model| !model.is_empty()),
            address: Some(address.to_owned()),
        }
    }
}

impl FromStr for ModelRef {
    type Err = ConnectError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.provider)?;
        if let Some(model) = &self.model {
            write!(f, "/{model}")?;
        }
        match &self.address {
            Some(address) => write!(f, "@{address}"),
            None => Ok(()),
        }
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
