//! Replies as models write them, in every dialect, with a little damage: what `feed` holds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_testkit::targets;

fuzz_target!(|data: &[u8]| {
    if let Err(what) = targets::replies(data) {
        panic!("{what}");
    }
});
