//! The workspace over real folders.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod fixture;
mod hostile;
mod messages;
mod names;
mod removal;
mod writes;
