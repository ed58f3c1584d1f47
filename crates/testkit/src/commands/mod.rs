//! Commands that mean harm, harmless ones beside them, and other spellings of each: what a policy
//! judges, and what the binary is made to be asked for.

mod cases;
mod mutate;

pub use cases::{CASES, Case, Expect, real};
pub use mutate::mutated;
