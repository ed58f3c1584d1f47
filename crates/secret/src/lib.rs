//! Keys, tokens and passwords.
//!
//! A [`Secret`] tells nobody what it holds: it is not printed, not serialised, and wiped when it
//! goes. A [`Redactor`] knows the secrets of a process and writes a marker over each wherever text
//! leaves it, also where the secret is encoded or comes in pieces.

mod forms;
mod redactor;
mod secret;
mod stream;

pub use redactor::Redactor;
pub use secret::Secret;
pub use stream::Stream;
