//! What holds for every text, however it is cut.

use proptest::prelude::*;
use tagline_parser::{Finish, Limits};
use tagline_testkit::{Mix, damage, holds, tags as sets};

use crate::support::{finish, limits, reply, tags};

proptest! {
    #![proptest_config(crate::support::config())]

    /// P1 to P5: where a reply is cut never shows and nothing panics, every byte lies in one span,
    /// work and what is held are bounded, and deltas are the final text.
    #[test]
    fn whatever_the_text_and_the_cuts(
        text in reply(),
        sizes in proptest::collection::vec(1usize..9, 1..6),
        limits in limits(),
        finish in finish(),
    ) {
        let held = holds::everything(&tags(), limits, &text, &sizes, finish);
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }

    /// The same, with tags that other agents declare.
    #[test]
    fn whatever_the_tags(
        (set, text) in crate::support::made(|choices| {
            let sets = sets::sets();
            let set = sets[choices.below(sets.len())].clone();
            let text = tagline_testkit::reply(choices, &set, Mix::Native);
            (set, damage(choices, &text))
        }),
        sizes in proptest::collection::vec(1usize..9, 1..6),
        finish in finish(),
    ) {
        let held = holds::everything(&set, Limits::default(), &text, &sizes, finish);
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }

    /// A block that the reply's end cut is never handed out as complete, and goes on when more of
    /// the reply comes.
    #[test]
    fn a_cut_reply_goes_on(text in reply(), more in reply()) {
        let mut parser = tagline_parser::Parser::new(&tags(), Limits::default());
        parser.feed(&text);
        let before: Vec<_> = parser.drain().collect();
        parser.flush(Finish::Length);
        let at_cut: Vec<_> = parser.drain().collect();
        let is_partial = matches!(at_cut.last(), Some(tagline_parser::Event::End(block)) if block.is_partial);
        if !is_partial || at_cut.len() != 1 {
            return Ok(());
        }
        parser.feed(&more);
        parser.flush(Finish::Stop);
        let after: Vec<_> = parser.drain().collect();
        let mut whole = tagline_parser::Parser::new(&tags(), Limits::default());
        whole.feed(&text);
        let mut expected: Vec<_> = whole.drain().collect();
        prop_assert_eq!(&before, &expected);
        whole.feed(&more);
        whole.flush(Finish::Stop);
        expected = whole.drain().collect();
        prop_assert_eq!(after, expected);
    }
}
