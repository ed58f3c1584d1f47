//! Providers, their keys and the user's settings, as the routes see them.

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;
use tagline_secret::Secret;

/// What can be done about models and keys. The app asks the providers and writes the files.
pub trait Setup: Send + Sync {
    /// Every provider, with what it says for itself. Those that can be asked are, for a bounded time.
    fn providers(&self) -> Settled<'_, Vec<ProviderRow>>;
    /// Keeps a key once its provider takes it.
    fn keep_key<'a>(
        &'a self,
        provider: &'a str,
        key: Secret,
        unreachable: IfUnreachable,
    ) -> Settled<'a, KeyKept>;
    /// Forgets a key that is kept.
    fn forget_key<'a>(&'a self, provider: &'a str) -> Settled<'a, ()>;
    /// Sets a setting in the user's file; `None` takes it out of there.
    fn set<'a>(&'a self, name: &'a str, value: Option<&'a str>) -> Settled<'a, SettingKept>;
}

/// What came of it.
pub type Settled<'a, T> = BoxFuture<'a, Result<T, SetupProblem>>;

/// What becomes of a key whose provider cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfUnreachable {
    /// It is not kept.
    Refuse,
    /// It is kept, and may be wrong.
    Keep,
}

/// A provider. No key is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProviderRow {
    /// Its name, as in `name/model`.
    pub name: String,
    /// Where it is asked; absent where no address is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Whether it is a server that people run for themselves.
    pub is_server: bool,
    /// Whether a key can be kept for it.
    pub takes_key: bool,
    /// From where its key comes; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<KeySource>,
    /// How it is.
    pub state: ProviderStanding,
    /// What it or the way to it said, in a sentence, where something is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its models, by the names under which they are asked; at most 500.
    pub models: Vec<String>,
}

/// From where a key comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeySource {
    /// The place that counts.
    pub from: KeyPlace,
    /// The variable, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// Whether another one is kept, which counts once the variable is gone.
    pub is_another_kept: bool,
}

/// Where a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// In a variable of the environment that the server was started in.
    Environment,
    /// In the keyring of the system.
    Keyring,
    /// In the file of keys.
    File,
}

/// How a provider is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderStanding {
    /// It answers, and takes the key if it has one.
    Ready,
    /// It answers, but shows its models to everybody, so that the key may be wrong.
    Unproven,
    /// It does not take the key.
    KeyRefused,
    /// It does not answer.
    Unreachable,
    /// It was not asked, because there is no key.
    NoKey,
    /// It was not asked, because there is no address.
    NoAddress,
}

/// A key was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyKept {
    /// The provider as it is now.
    pub provider: ProviderRow,
    /// Whether the provider took the key.
    pub is_proven: bool,
    /// What is to be known about it, in sentences.
    pub notes: Vec<String>,
}

/// A setting was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingKept {
    /// Its name.
    pub name: String,
    /// What counts now; absent where nothing is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What goes before the user's file and says otherwise, such as `environment TAGLINE_MODEL`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// Why it was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupProblem {
    /// No such provider, or one that takes no key.
    #[error("provider `{name}`: expected one of {known}, but found another name")]
    NoProvider {
        /// As given.
        name: String,
        /// All there are.
        known: String,
    },
    /// It is no key.
    #[error("expected one line with a key of {least} to {most} bytes, but found {found}")]
    NoKey {
        /// Fewest bytes.
        least: usize,
        /// Most bytes.
        most: usize,
        /// In words, without the text.
        found: String,
    },
    /// The provider says no.
    #[error("the key was not kept, because the provider does not take it: {0}")]
    Refused(String),
    /// The provider did not answer.
    #[error("the key was not kept, because it could not be tried: {0}")]
    Unreachable(String),
    /// Nothing is kept for it.
    #[error("no key of `{0}` is kept")]
    NotKept(String),
    /// A setting that is none, or not for this way.
    #[error("there is no setting `{name}` here: expected one of {known}")]
    NoSetting {
        /// As given.
        name: String,
        /// All there are.
        known: String,
    },
    /// A value that does not fit.
    #[error("`{name}`: expected {expected}, but found {found}")]
    Value {
        /// The setting.
        name: String,
        /// In words.
        expected: String,
        /// In words.
        found: String,
    },
    /// The administrator of the machine says what it is.
    #[error("`{0}` is locked by the administrator of this machine")]
    Locked(String),
    /// What the files or the system say.
    #[error("{0}")]
    Files(String),
}
