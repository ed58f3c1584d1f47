//! What is wrong with the configuration, in words.

use std::path::PathBuf;

use crate::exit::Exit;

/// A place in a file: `path:line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    /// From 1.
    pub(crate) line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}

/// The configuration cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{}: cannot be read: {message}; mend or remove it", path.display())]
    Unreadable { path: PathBuf, message: String },
    #[error("{place}: {message}; nothing was started, because a setting may be lost")]
    Syntax { place: Place, message: String },
    #[error("{place}: `{key}`: expected {expected}, but found {found}; mend the line")]
    Value { place: Place, key: String, expected: String, found: String },
    #[error("{place}: unknown key `{key}`{hint}")]
    Unknown { place: Place, key: String, hint: String },
    #[error(
        "{}: ends after {n} bytes, where {of} were read before, and lacks {lost}; \
         nothing was started, because it may be cut; mend it, or take it as it is now with `tagline config accept`",
        path.display()
    )]
    Cut { path: PathBuf, n: usize, of: usize, lost: String },
    #[error("environment {name}: expected {expected}, but found `{found}`; mend or unset it")]
    Variable { name: String, expected: String, found: String },
    #[error("--{flag}: expected {expected}, but found `{found}`")]
    Flag { flag: String, expected: String, found: String },
    #[error("--set {text}: expected key=value with a TOML value, but found {found}")]
    Set { text: String, found: String },
    #[error("profile `{name}`: expected a table `[profiles.{name}]`, but found none{hint}")]
    Profile { name: String, hint: String },
}

impl ConfigError {
    /// The line it is about, where it is about one.
    pub(crate) const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { place, .. }
            | Self::Value { place, .. }
            | Self::Unknown { place, .. } => Some(place.line),
            Self::Unreadable { .. }
            | Self::Cut { .. }
            | Self::Variable { .. }
            | Self::Flag { .. }
            | Self::Set { .. }
            | Self::Profile { .. } => None,
        }
    }

    /// What was typed wrong is a usage error; everything else is the configuration's fault.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Flag { .. } | Self::Set { .. } => Exit::Usage,
            Self::Unreadable { .. }
            | Self::Cut { .. }
            | Self::Syntax { .. }
            | Self::Value { .. }
            | Self::Unknown { .. }
            | Self::Variable { .. }
            | Self::Profile { .. } => Exit::Setup,
        }
    }
}

/// `; did you mean …?` where something is near.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
