//! The block that streams.

use alloc::string::{String, ToString as _};

use tagline_parser::{BlockId, ValueName};
use tagline_protocol::{CallId, Event, TurnRole};

/// A block whose start tag was seen and whose end was not.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) block: BlockId,
    pub(crate) call: CallId,
    /// The registered name.
    pub(crate) tool: String,
    pub(crate) role: TurnRole,
    /// How words to the user are meant.
    pub(crate) tone: Option<String>,
}

impl Open {
    /// Whether it is shown as a call; words and reasoning are shown as themselves.
    pub(crate) const fn is_shown(&self) -> bool {
        match self.role {
            TurnRole::Ordinary | TurnRole::Completes | TurnRole::Asks => true,
            TurnRole::Speaks | TurnRole::Thinks => false,
        }
    }
}

/// The wire's event for a piece of a value.
pub(crate) fn body(value: ValueName, delta: String) -> Event {
    let child = match value {
        ValueName::Body => None,
        ValueName::Child(name, 0) => Some(name),
        ValueName::Child(name, n) => Some(name + "#" + &(n + 1).to_string()),
    };
    Event::ToolBody { child, delta }
}
