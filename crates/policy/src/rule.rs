//! What the user said beforehand.

use crate::{BadScope, Scope};

/// What a [`Rule`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// It may run.
    Allow,
    /// A person is asked, in every mode.
    Ask,
    /// It must not run, in any mode.
    Deny,
}

impl Answer {
    /// The word of the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One thing the user said. Where rules disagree the strictest wins; their order means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    answer: Answer,
    scope: Scope,
    holds_when_tainted: bool,
}

impl Rule {
    /// Lets calls run without a question, until the turn has read what neither the user nor we
    /// wrote.
    ///
    /// # Errors
    ///
    /// [`BadScope`] where the scope would allow a whole language, or nearly everything.
    pub fn allow(scope: Scope) -> Result<Self, BadScope> {
        scope.check_allowed()?;
        Ok(Self { answer: Answer::Allow, scope, holds_when_tainted: false })
    }

    /// Lets calls run without a question, whatever the turn has read.
    ///
    /// # Errors
    ///
    /// As [`Rule::allow`].
    pub fn allow_also_when_tainted(scope: Scope) -> Result<Self, BadScope> {
        Ok(Self { holds_when_tainted: true, ..Self::allow(scope)? })
    }

    /// Has calls ask in every mode.
    #[must_use]
    pub const fn ask(scope: Scope) -> Self {
        Self { answer: Answer::Ask, scope, holds_when_tainted: true }
    }

    /// Refuses calls in every mode.
    #[must_use]
    pub const fn deny(scope: Scope) -> Self {
        Self { answer: Answer::Deny, scope, holds_when_tainted: true }
    }

    /// What it says.
    #[must_use]
    pub const fn answer(&self) -> Answer {
        self.answer
    }

    /// Where it applies.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Whether it holds where the turn has read what neither the user nor we wrote.
    #[must_use]
    pub const fn holds_when_tainted(&self) -> bool {
        self.holds_when_tainted
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.answer.as_str(), self.scope)
    }
}
