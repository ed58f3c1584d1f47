//! Fences that hold calls and no code, as Gemini and Continue write them.
//! `[DP12]`

use crate::machine::{Cx, Flow, Machine};

use super::Manner;

/// What closes such a fence, at least three times.
pub(super) const TICK: u8 = b'`';

/// What stands behind the ticks of a fence around calls.
const CALLS: [&str; 3] = ["tool_code", "tool_call", "tool"];

/// What stands there before a result.
const RESULTS: [&str; 2] = ["tool_outputs", "tool_output"];

impl Machine {
    /// Whether a fence with these words holds calls, or a result that was invented.
    pub(crate) fn is_fence_of_calls(&self, words: &str) -> bool {
        CALLS.contains(&words.trim()) || (self.n_blocks > 0 && RESULTS.contains(&words.trim()))
    }

    /// Opens such a fence, whose first line ends at `behind`.
    pub(crate) fn open_fenced(
        &mut self,
        words: &str,
        at: usize,
        behind: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        if RESULTS.contains(&words.trim()) {
            return self.invented_at(at, behind, cx);
        }
        self.open_foreign(Manner { closer: TICK, ..Manner::open(at) }, behind, cx)
    }
}
