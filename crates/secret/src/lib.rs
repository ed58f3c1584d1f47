//! Keys, tokens and passwords.
//!
//! A [`Secret`] tells nobody what it holds: it is not printed, not serialised, and wiped when it
//! goes. A [`Redactor`] knows the secrets of a process and writes a marker over each wherever text
//! leaves it, also where the secret is encoded or comes in pieces.
//!
//! # Invariants
//!
//! 1. **A secret is never shown.** [`Secret`] has no `Display` and no `Serialize`; its `Debug` names nothing.
//! 2. **Cuts change nothing.** However a text is cut into pieces, a [`Stream`] covers what it would cover whole.

mod forms;
mod redactor;
mod secret;
mod stream;

pub use redactor::Redactor;
pub use secret::Secret;
pub use stream::{Part, Stream};
