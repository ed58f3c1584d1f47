//! P4: work is linear in the text, whatever it is and however it is cut. Bytes looked at are
//! counted, not time.

use tagline_parser::Limits;
use tagline_testkit::families::{Family, MOST_VISITS, NATIVE, all, text, work};

use crate::support::tags;

/// No family is above the bound, and none holds more than the limits say.
#[track_caller]
fn check(families: &[Family], len: usize, sizes: &[usize], limits: Limits) {
    let room = 4 * (limits.held + limits.start_tag + limits.name) as u64 + 1024;
    let mut beyond = Vec::new();
    for family in families {
        let text = text(*family, len);
        for size in sizes {
            let work = work(&tags(), limits, &text, *size);
            if work.each > MOST_VISITS || work.held > room {
                beyond.push(format!("{family:?} in {size}s: {work:?}"));
            }
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}

#[test]
fn work_is_linear_on_texts_that_invite_looking_again() {
    check(&all(), 12_000, &[1, 8, 4096], Limits::default());
}

#[test]
fn work_is_linear_where_limits_are_reached() {
    let limits = Limits { held: 700, start_tag: 300, blocks: usize::MAX, ..Limits::default() };
    check(&all(), 12_000, &[1, 4096], limits);
}

#[test]
fn work_is_linear_on_half_a_megabyte() {
    check(NATIVE, 512 << 10, &[4096], Limits::default());
}
