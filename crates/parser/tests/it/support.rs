//! Tags and texts that the properties share.

use proptest::prelude::*;
use tagline_parser::{Finish, Limits, TagSet};
use tagline_testkit::{Choices, Mix, damage, marks, tags as sets};

pub(crate) use tagline_testkit::{Reading, Seen, cut, read};

/// Tags of every kind: body and none, raw and scalar, children, lists, an alias.
pub(crate) fn tags() -> TagSet {
    sets::tag_set(sets::EVERYDAY)
}

/// What a generator makes of bytes.
pub(crate) fn made<T: std::fmt::Debug>(
    make: impl Fn(&mut Choices<'_>) -> T,
) -> impl Strategy<Value = T> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    bytes.prop_map(move |bytes| make(&mut Choices::of_bytes(&bytes)))
}

/// Text as models write it, mostly broken: marks in any order, or calls with a little damage.
pub(crate) fn reply() -> impl Strategy<Value = String> {
    let mark = prop_oneof![
        10 => proptest::sample::select(marks::NATIVE).prop_map(str::to_owned),
        10 => proptest::sample::select(marks::EVERYDAY).prop_map(str::to_owned),
        1 => "[a-z <>/=\"'&;\\[\\]!`-]{0,6}",
    ];
    let soup = proptest::collection::vec(mark, 0..24).prop_map(|marks| marks.concat());
    let every = made(|choices| tagline_testkit::reply(choices, &tags(), Mix::Native));
    let damaged = made(|choices| {
        let reply = tagline_testkit::reply(choices, &tags(), Mix::Native);
        let twice = damage(choices, &reply);
        if choices.once_in(2) { damage(choices, &twice) } else { twice }
    });
    prop_oneof![soup, every, damaged]
}

/// Limits, often so small that they are reached.
pub(crate) fn limits() -> impl Strategy<Value = Limits> {
    let small = (8usize..80, 3usize..20, 4usize..60, 0usize..40, 0usize..3, 0usize..4).prop_map(
        |(start_tag, name, held, owned_value, depth, blocks)| Limits {
            start_tag,
            name: name.max(12),
            held,
            owned_value,
            depth,
            blocks,
        },
    );
    prop_oneof![Just(Limits::default()), small]
}

/// How many texts each property tries; failures are not written to files.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    ProptestConfig { cases: config.cases.max(1000), ..config }
}

/// How replies end.
pub(crate) fn finish() -> impl Strategy<Value = Finish> {
    prop_oneof![Just(Finish::Stop), Just(Finish::Length), Just(Finish::Cut)]
}
