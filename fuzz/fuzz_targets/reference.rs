//! The parser tells of a native reply what the reference tells, a slow reader with the whole text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_testkit::targets;

fuzz_target!(|data: &[u8]| {
    if let Err(what) = targets::agree(data) {
        panic!("{what}");
    }
});
