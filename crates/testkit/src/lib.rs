//! What tests of the parser share: replies as models write them, and what must hold of each.
//!
//! Property tests and fuzz targets build replies with [`reply`] out of [`Choices`], damage them
//! with [`damage`], read them with [`read()`], and ask [`holds`]. It knows the parser's public face
//! alone, and no tool.
//!
//! # Invariants
//!
//! * **The same choices give the same reply**, so that a finding can be played again.
//! * **No judgement without a reason:** each check of [`holds`] says what does not hold.

mod choices;
pub mod commands;
mod damage;
pub mod families;
pub mod forms;
pub mod holds;
pub mod json;
pub mod marks;
mod reading;
pub mod reference;
mod reply;
pub mod tags;
pub mod targets;

pub use choices::Choices;
pub use damage::damage;
pub use reading::{Reading, Seen, cut, read, read_so_far};
pub use reply::{Mix, reply, text};
