//! Any text, cut anywhere: equal events, no panic, every byte in one span, linear work.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_testkit::targets;

fuzz_target!(|data: &[u8]| {
    if let Err(what) = targets::feed(data) {
        panic!("{what}");
    }
});
