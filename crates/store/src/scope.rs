//! What of a journal can be seen.

use std::sync::Arc;

use crate::{SessionInfo, StoreError};

/// Every session, or those of one profile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope(Option<Arc<str>>);

impl Scope {
    pub(crate) fn of(profile: &str) -> Self {
        Self(Some(profile.into()))
    }

    /// The profile, if there is only one.
    pub(crate) fn profile(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Whose keys are meant.
    pub(crate) fn keys_of(&self) -> &str {
        self.profile().unwrap_or_default()
    }

    pub(crate) fn admits(&self, profile: &str) -> bool {
        self.profile().is_none_or(|own| own == profile)
    }

    /// Refuses a session that could not be seen once it is made.
    pub(crate) fn check(&self, info: &SessionInfo) -> Result<(), StoreError> {
        let Some(own) = self.profile().filter(|own| *own != info.profile) else { return Ok(()) };
        Err(StoreError::OtherProfile {
            session: info.id.clone(),
            expected: own.to_owned(),
            found: info.profile.clone(),
        })
    }
}
