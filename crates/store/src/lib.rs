//! The journal: an append-only event log per session.

mod journal;

pub use journal::{Durability, Journal, NewEvent, SessionInfo, StoreError};
