//! From a tool's constants to how it presents itself.

use tagline_protocol::{SpecError, SpecHeader, ToolSpec};

use crate::Tool;

/// How a tool presents itself.
pub(crate) fn of<T: Tool>() -> Result<ToolSpec, SpecError> {
    ToolSpec::of::<T>(SpecHeader {
        name: T::NAME,
        aliases: T::ALIASES,
        examples: T::EXAMPLES,
        effect: T::EFFECT,
        role: T::ROLE,
        is_voiced: T::VOICED,
        feeds_back: T::FEEDS_BACK,
        is_lenient_eof: T::LENIENT_EOF,
        card: T::card(),
    })
}
