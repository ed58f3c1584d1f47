//! Why there is no model.

use crate::{CassetteError, ModelFault, ScriptError};

/// Why no model could be connected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The name cannot be read.
    #[error(
        "model `{text}`: expected `provider/model` or an address such as `http://127.0.0.1:8080`; `tagline \
         models` lists what there is"
    )]
    BadReference {
        /// As given.
        text: String,
    },
    /// There is no such provider.
    #[error("model provider `{name}`: expected one of {}; correct the name", listed(.known))]
    UnknownProvider {
        /// As given.
        name: String,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// The address cannot be used.
    #[error("address `{address}` from {origin}: expected {expected}; correct it")]
    BadAddress {
        /// As given, without credentials.
        address: String,
        /// Which variable or setting it comes from.
        origin: String,
        /// In words.
        expected: &'static str,
    },
    /// The provider has no address that all customers share.
    #[error(
        "model provider `{provider}`: expected an address, but `{variable}` is not set; set it"
    )]
    MissingAddress {
        /// Which.
        provider: String,
        /// Where it is looked for.
        variable: &'static str,
    },
    /// No key was found.
    #[error("model provider `{provider}`: expected a key in {}, but found none; set it, or choose another model (`tagline models`)", listed(.variables))]
    MissingKey {
        /// Which.
        provider: String,
        /// Where it is looked for.
        variables: Vec<&'static str>,
    },
    /// Only the provider was named, and it lists none.
    #[error(
        "`{address}`: expected a model in the server's list, but found none; load one, or name it as `{provider}/MODEL`"
    )]
    NoModel {
        /// Which.
        provider: String,
        /// Where it was asked.
        address: String,
    },
    /// A file that is played has no provider behind it.
    #[error(
        "model `{model}`: expected a provider whose stream can be recorded, but it plays a file; name a provider or leave recording out"
    )]
    NothingToRecord {
        /// As given.
        model: String,
    },
    /// The server does not answer.
    #[error("{0}")]
    Unreachable(ModelFault),
    /// The script cannot be played.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// The cassette cannot be played, or written.
    #[error("{0}")]
    Cassette(#[from] CassetteError),
}

impl ConnectError {
    /// Whether the provider could not be reached; everything else is a matter of setup.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        match self {
            Self::Unreachable(fault) => !fault.is_setup(),
            Self::BadReference { .. }
            | Self::UnknownProvider { .. }
            | Self::BadAddress { .. }
            | Self::MissingAddress { .. }
            | Self::MissingKey { .. }
            | Self::NoModel { .. }
            | Self::NothingToRecord { .. }
            | Self::Script(_)
            | Self::Cassette(_) => false,
        }
    }
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}
