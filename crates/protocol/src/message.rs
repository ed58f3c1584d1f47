//! What the model is sent.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Media;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions.
    System,
    /// The user, and results of calls.
    User,
    /// The model.
    Assistant,
}

/// One message of the transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// Images that go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
}

impl Message {
    /// A message without images.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), media: Vec::new() }
    }
}

/// What the user says: words, and images that go with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserInput {
    /// The words.
    pub text: String,
    /// The images.
    pub media: Vec<Media>,
}

impl<T: Into<String>> From<T> for UserInput {
    fn from(text: T) -> Self {
        Self { text: text.into(), media: Vec::new() }
    }
}
