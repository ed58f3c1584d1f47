//! The parser beside the reference: a slow reader of the native dialect that has the whole text, is
//! written from the specification, and knows no chunks.

use proptest::prelude::*;
use tagline_parser::{Finish, TagSet};
use tagline_testkit::{
    Choices, Mix, damage,
    reference::{Unread, agrees, tell, told_by},
    tags as sets,
};

use crate::{cases, spec, support};

/// The cases that it leaves to the parser: they are written in other dialects.
const LEFT: [(&str, Unread); 3] =
    [("unk-002", Unread::Element), ("unk-003", Unread::Element), ("unk-004", Unread::Element)];

#[test]
fn the_reference_reads_the_cases() {
    let mut left = Vec::new();
    for case in cases::cases(cases::INLINE) {
        let (tags, finish) = (cases::tag_set(&case), cases::finish(&case));
        let input = case["input"].as_str().unwrap();
        match agrees(&tags, &[input], finish) {
            Some(agreed) => assert_eq!(agreed, Ok(()), "{}", case["id"]),
            None => left.push((case["id"].clone(), tell(&tags, input, finish).unwrap_err())),
        }
    }
    assert_eq!(left, LEFT.map(|(id, why)| (id.into(), why)));
}

#[test]
fn the_reference_reads_the_chapters_of_the_native_dialect() {
    let (mut n_read, mut left) = (0, Vec::new());
    for (place, tags, input, finish) in spec::native_examples() {
        match agrees(&tags, &[&input], finish) {
            Some(agreed) => {
                assert_eq!(agreed, Ok(()), "{place}");
                n_read += 1;
            }
            None => left.push(place),
        }
    }
    assert!(n_read > 100 && left.len() < 20, "{n_read} are read, not {left:?}");
}

/// Replies of which they once told different things: the parser was wrong.
#[test]
fn what_was_told_differently_is_told_the_same() {
    let tags = support::tags();
    for reply in [
        // Inline code behind a call that ends in another line than it begins.
        "A ` mark. <say tone=\"a\">\nx\n</say> and `<say>no</say>` so.",
        // An empty body, its end tag alone on its line.
        "<write_file path=\"a\">\n</write_file>\nIt ends with </write_file> so.",
        // Brackets before a section's end that words follow.
        "<write_file path=\"a\"><![CDATA[a[b[0]]]]> done </write_file>\n",
    ] {
        assert_eq!(agrees(&tags, &[reply], Finish::Stop), Some(Ok(())));
    }
}

fn any_set(choices: &mut Choices<'_>) -> TagSet {
    sets::sets()[choices.below(3)].clone()
}

/// How much the reference leaves unread: enough is read that the property says something.
#[test]
fn the_reference_reads_most_replies() {
    let is_read = |seed: &u64| {
        let mut choices = Choices::of_seed(*seed);
        let tags = any_set(&mut choices);
        let reply = tagline_testkit::reply(&mut choices, &tags, Mix::Native);
        tell(&tags, &reply, Finish::Stop).is_ok()
    };
    let n_read = (0..1000).filter(is_read).count();
    assert!(n_read > 850, "{n_read} of 1000");
}

#[test]
fn the_reference_tells_texts_calls_and_faults() {
    let tags = support::tags();
    let reply = "Hi.\n<say tone=\"a\">b</say>\n</search>\n";
    let reading = support::read(&tags, tagline_parser::Limits::default(), &[reply], Finish::Stop);
    let told = tell(&tags, reply, Finish::Stop).unwrap();
    assert_eq!(told, told_by(&reading));
    assert_eq!(told.len(), 5, "{told:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..support::config() })]

    /// A reply as models write it, with what they get wrong, whole and damaged.
    #[test]
    fn the_parser_tells_what_the_reference_tells(
        (tags, reply) in support::made(|choices| {
            let tags = any_set(choices);
            let mix = if choices.once_in(3) { Mix::Clean } else { Mix::Native };
            let mut reply = tagline_testkit::reply(choices, &tags, mix);
            for _ in 0..choices.below(3) {
                reply = damage(choices, &reply);
            }
            (tags, reply)
        }),
        finish in support::finish(),
        sizes in proptest::collection::vec(1usize..40, 1..6),
    ) {
        let chunks = support::cut(&reply, &sizes);
        let agreed = agrees(&tags, &chunks, finish).unwrap_or(Ok(()));
        prop_assert!(agreed.is_ok(), "{}", agreed.unwrap_err());
    }
}
