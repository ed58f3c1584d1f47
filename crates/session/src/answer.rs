//! Whether an answer is the one that was asked for.

use std::{fmt, sync::Arc};

/// Looks at the answer of a turn before it counts.
#[derive(Clone)]
pub struct AnswerCheck(Arc<Look>);

type Look = dyn Fn(&str) -> Result<String, String> + Send + Sync;

impl AnswerCheck {
    /// `look` gives the answer as it counts, or says what was found instead, to stand behind
    /// `expected …, but found`. It must not block.
    pub fn new(look: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }

    pub(crate) fn look(&self, answer: &str) -> Result<String, String> {
        (self.0)(answer)
    }
}

impl fmt::Debug for AnswerCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnswerCheck")
    }
}
