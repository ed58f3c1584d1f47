//! How much is kept of the values of a call.

use crate::{Limits, block::Slot};

/// Longest child that is kept where values are not.
const SHORT: usize = 4096;

/// Most values that a call may have besides its body.
/// `[L9]`
pub(crate) const MOST_VALUES: usize = 10_000;

/// Most bytes of a value that are kept.
/// `[L4]` `[L5]`
pub(crate) const fn longest(slot: &Slot, limits: &Limits) -> usize {
    match (limits.owned_value, slot) {
        (0, Slot::Body) => 0,
        (0, Slot::Child { .. }) => SHORT,
        (limit, _) => limit,
    }
}

/// What is kept of a call so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    n_values: usize,
    n_bytes: usize,
}

impl Kept {
    /// Whether there is room for one more value of so many bytes, which is then taken.
    /// `[L9]`
    pub(crate) fn take(&mut self, n_bytes: usize, limits: &Limits) -> bool {
        let n_bytes = self.n_bytes.saturating_add(n_bytes);
        let most = if limits.owned_value == 0 { limits.held } else { limits.owned_value };
        let has_room = self.n_values < MOST_VALUES && n_bytes <= most;
        if has_room {
            self.n_values += 1;
            self.n_bytes = n_bytes;
        }
        has_room
    }
}
