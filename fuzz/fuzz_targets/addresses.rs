//! An address means the same however it is written, and the guard says of it what an independent
//! table says; what it reads of any text reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/net/tests/it/meaning.rs"]
mod meaning;
#[path = "../../crates/net/tests/it/reference.rs"]
mod reference;

fuzz_target!(|data: &[u8]| meaning::holds(data));
