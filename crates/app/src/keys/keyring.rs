//! The keyring of the system: the Secret Service on Linux, the keychain on macOS.

use keyring::Entry;
use tagline_secret::Secret;

use super::KeyError;

/// Under which name our keys are found in it.
const SERVICE: &str = "tagline";

pub(super) fn get(provider: &str) -> Result<Secret, KeyError> {
    let got = entry(provider)?.get_password();
    got.map(Secret::from).map_err(|error| refuse(provider, &error))
}

pub(super) fn set(provider: &str, key: &Secret) -> Result<(), KeyError> {
    entry(provider)?.set_password(key.expose()).map_err(|error| refuse(provider, &error))
}

pub(super) fn remove(provider: &str) -> Result<(), KeyError> {
    match entry(provider)?.delete_credential() {
        Err(keyring::Error::NoEntry) => Ok(()),
        done => done.map_err(|error| refuse(provider, &error)),
    }
}

fn entry(provider: &str) -> Result<Entry, KeyError> {
    if let Err(error) = Entry::store_status() {
        return Err(refuse(provider, error));
    }
    Entry::new(SERVICE, provider).map_err(|error| refuse(provider, &error))
}

fn refuse(provider: &str, error: &keyring::Error) -> KeyError {
    KeyError::Keyring { provider: provider.to_owned(), words: error.to_string() }
}
