//! Arguments in JSON: well-formed they pass unchanged, damaged they are mended and that is named.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_testkit::targets;

fuzz_target!(|data: &[u8]| {
    if let Err(what) = targets::json_repair(data) {
        panic!("{what}");
    }
});
