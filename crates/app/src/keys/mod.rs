//! Keys that the user gave us to keep, and the secrets that this process holds.
//!
//! A key from the environment goes before a kept one. What is kept lies in the keyring of the
//! system, where this build has one and it answers, or else in a file that its owner alone reads.

mod error;
mod file;
mod held;
#[cfg(feature = "keyring")]
mod keyring;
#[cfg(not(feature = "keyring"))]
#[path = "no_keyring.rs"]
mod keyring;
mod text;

use std::path::Path;

use tagline_secret::Secret;

use self::file::{File, Kept};
pub(crate) use self::{
    error::KeyError,
    held::held,
    text::{LONGEST, key_of},
};

/// Where a key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The keyring of the system.
    Keyring,
    /// The file in the folder of the configuration.
    File,
}

impl Place {
    /// As it is printed.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Keyring => "keyring",
            Self::File => "file",
        }
    }
}

/// The keys that are kept.
#[derive(Debug)]
pub(crate) struct Keys {
    file: File,
}

impl Keys {
    /// Those in this folder. Reads nothing yet.
    pub(crate) fn of(config: &Path) -> Self {
        Self { file: File::at(config.join("keys.json")) }
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// For which providers a key is kept, and where.
    pub(crate) fn list(&self) -> Result<Vec<(String, Place)>, KeyError> {
        let kept = self.file.read()?;
        let in_file = kept.keys.into_keys().map(|provider| (provider, Place::File));
        let in_keyring = kept.in_keyring.into_iter().map(|provider| (provider, Place::Keyring));
        let mut all: Vec<_> = in_file.chain(in_keyring).collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(all)
    }

    /// Every key that is kept, by provider.
    pub(crate) fn all(&self) -> Result<Vec<(String, Secret)>, KeyError> {
        let Kept { keys, in_keyring } = self.file.read()?;
        let mut all: Vec<_> = keys.into_iter().collect();
        for provider in in_keyring {
            let key = keyring::get(&provider)?;
            all.push((provider, key));
        }
        Ok(all)
    }

    /// Keeps a key, in place of another one of this provider; where, and why not in the keyring.
    /// `is_file` asks for the file.
    pub(crate) fn set(
        &self,
        provider: &str,
        key: &Secret,
        is_file: bool,
    ) -> Result<(Place, Option<KeyError>), KeyError> {
        let mut kept = self.file.read()?;
        let (place, why_not) = match is_file {
            true => (Place::File, None),
            false => match keyring::set(provider, key) {
                Ok(()) => (Place::Keyring, None),
                Err(error) => (Place::File, Some(error)),
            },
        };
        let was_in_keyring = kept.in_keyring.remove(provider);
        kept.keys.remove(provider);
        match place {
            Place::Keyring => {
                kept.in_keyring.insert(provider.to_owned());
            }
            Place::File => {
                if was_in_keyring {
                    keyring::remove(provider)?;
                }
                kept.keys.insert(provider.to_owned(), key.clone());
            }
        }
        self.file.write(&kept)?;
        Ok((place, why_not))
    }

    /// Forgets a key; where it was, if there was one.
    pub(crate) fn remove(&self, provider: &str) -> Result<Option<Place>, KeyError> {
        let mut kept = self.file.read()?;
        if kept.in_keyring.remove(provider) {
            keyring::remove(provider)?;
            self.file.write(&kept)?;
            return Ok(Some(Place::Keyring));
        }
        if kept.keys.remove(provider).is_none() {
            return Ok(None);
        }
        self.file.write(&kept)?;
        Ok(Some(Place::File))
    }
}
