//! A build without a keyring.

use tagline_secret::Secret;

use super::KeyError;

pub(super) const fn get(_: &str) -> Result<Secret, KeyError> {
    Err(KeyError::NoKeyring)
}

pub(super) const fn set(_: &str, _: &Secret) -> Result<(), KeyError> {
    Err(KeyError::NoKeyring)
}

pub(super) const fn remove(_: &str) -> Result<(), KeyError> {
    Err(KeyError::NoKeyring)
}
