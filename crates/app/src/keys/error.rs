//! Why keys cannot be kept or read.

use std::path::PathBuf;

/// What is wrong with the keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeyError {
    /// The system does not let us.
    #[error("the keys in `{at}`: {words}; mend its permissions or make room", at = .path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        words: String,
    },
    /// Others can read it.
    #[error(
        "the keys in `{at}`: expected a file that you alone can read, mode 0600, but found mode {mode:04o}; \
         `chmod 600` it, and replace the keys if somebody else uses this machine",
        at = .path.display()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It is no list of keys.
    #[error(
        "the keys in `{at}`: expected what `tagline keys set` writes, but {found}; mend it, or remove it \
         and set the keys again",
        at = .path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong, without its text.
        found: String,
    },
    /// A newer version wrote it.
    #[error(
        "the keys in `{at}`: expected version {known} at most, but found version {found}; use a newer tagline",
        at = .path.display(), known = super::file::VERSION
    )]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// This program was built without it.
    #[error("this build has no keyring of the system; it is built with `--features keyring`")]
    NoKeyring,
    /// The keyring does not do it.
    #[cfg(feature = "keyring")]
    #[error(
        "the keyring of the system, for `{provider}`: {words}; unlock or start it, or use `--file`"
    )]
    Keyring {
        /// Whose key.
        provider: String,
        /// What it says.
        words: String,
    },
}
