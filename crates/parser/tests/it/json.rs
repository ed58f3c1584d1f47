//! Arguments in JSON, in every dialect that has them: what JSON says is what the call holds, and
//! what is no JSON is named as mended.

use proptest::prelude::*;
use tagline_testkit::json::Call;

use crate::support::made;

proptest! {
    #![proptest_config(crate::support::config())]

    /// JSON passes unchanged, value for value as `serde_json` reads it.
    #[test]
    fn json_passes_unchanged(call in made(|choices| Call::of(choices, 0))) {
        let held = call.holds();
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }

    /// Damage is named, values are JSON nevertheless, and they only grow while they stream.
    #[test]
    fn damaged_json_is_mended_and_named(
        call in made(|choices| {
            let n_damages = 1 + choices.below(3);
            Call::of(choices, n_damages)
        }),
    ) {
        let held = call.holds();
        prop_assert!(held.is_ok(), "{}", held.unwrap_err());
    }
}
