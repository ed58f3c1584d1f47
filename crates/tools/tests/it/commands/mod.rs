//! The commands family.

mod escapes;
mod execute;
mod look;
mod output;
mod wait;
