//! From a tool's type to how it presents itself.

use serde_json::Value;
use tagline_protocol::ToolSpec;

use crate::Tool;

/// How a tool presents itself.
pub(crate) fn of<T: Tool>() -> ToolSpec {
    let schema = schemars::schema_for!(T).to_value();
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    ToolSpec {
        name: T::NAME.to_owned(),
        aliases: T::ALIASES.iter().map(|&alias| alias.to_owned()).collect(),
        description: description.to_owned(),
        args: Vec::new(),
        examples: T::EXAMPLES.iter().map(|&example| example.to_owned()).collect(),
        effect: T::EFFECT,
        role: T::ROLE,
        is_voiced: T::VOICED,
        feeds_back: T::FEEDS_BACK,
        is_lenient_eof: T::LENIENT_EOF,
        card: T::card(),
        schema,
    }
}
