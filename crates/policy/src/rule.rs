//! What the user said beforehand.

use std::{fmt, str::FromStr};

use crate::language;

/// Where a [`Rule`] applies.
///
/// Written `command cargo test` or `tool write_file`.
///
/// # Examples
///
/// ```
/// use tagline_policy::Scope;
///
/// let scope: Scope = "command cargo test".parse()?;
/// assert_eq!(scope.to_string(), "command cargo test");
/// # Ok::<(), tagline_policy::BadScope>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Commands that begin with these words: whole words, options included.
    Command(Vec<String>),
    /// Calls of the tool of this registered name.
    Tool(String),
}

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

/// One thing the user said. Where rules disagree the strictest wins; their order means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    answer: Answer,
    scope: Scope,
}

impl Rule {
    /// Lets calls run without a question.
    ///
    /// # Errors
    ///
    /// [`BadScope`] where the scope would allow a whole language.
    pub fn allow(scope: Scope) -> Result<Self, BadScope> {
        if let Scope::Command(words) = &scope {
            language::check_allowed(words)?;
        }
        Ok(Self { answer: Answer::Allow, scope })
    }

    /// Has calls ask in every mode.
    #[must_use]
    pub const fn ask(scope: Scope) -> Self {
        Self { answer: Answer::Ask, scope }
    }

    /// Refuses calls in every mode.
    #[must_use]
    pub const fn deny(scope: Scope) -> Self {
        Self { answer: Answer::Deny, scope }
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
}

/// Why there is no such scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadScope {
    /// It does not begin with a known word.
    #[error("scope `{0}`: expected `command`, then words, or `tool`, then a name")]
    Unknown(String),
    /// It names a program that runs other programs or code.
    #[error(
        "scope `command {words}`: `{program}` runs whatever it is given; allow what it runs instead, such as `command {example}`"
    )]
    Language {
        /// The words of the scope.
        words: String,
        /// The program.
        program: String,
        /// A narrower scope.
        example: &'static str,
    },
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(words) => write!(f, "command {}", words.join(" ")),
            Self::Tool(name) => write!(f, "tool {name}"),
        }
    }
}

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, BadScope> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let unknown = || BadScope::Unknown(text.to_owned());
        match (words.next().as_deref(), words.collect::<Vec<_>>()) {
            (Some("command"), words) if !words.is_empty() => Ok(Self::Command(words)),
            (Some("tool"), words) => match <[String; 1]>::try_from(words) {
                Ok([name]) => Ok(Self::Tool(name)),
                Err(_) => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }
}
