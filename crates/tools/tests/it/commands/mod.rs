//! The commands family.

mod aside;
pub(crate) mod escapes;
mod execute;
pub(crate) mod limits;
mod look;
mod output;
mod secrets;
mod terminal;
mod wait;
