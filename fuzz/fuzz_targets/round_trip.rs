//! A rendered block reads as the same block, whatever its values and however it is cut.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_testkit::targets;

fuzz_target!(|data: &[u8]| {
    if let Err(what) = targets::round_trip(data) {
        panic!("{what}");
    }
});
