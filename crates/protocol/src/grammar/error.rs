//! What a grammar cannot hold a model to.

use alloc::{borrow::ToOwned as _, format, string::String};

use serde_json::Value;

use super::shared::REPEAT_MAX;
use crate::{ArgSpec, ArgType, Toolset, bounds};

/// Keywords that bound a value in a way that no grammar of ours says.
const UNSAID: [&str; 9] = [
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "const",
    "contains",
    "minProperties",
    "maxProperties",
    "propertyNames",
];

/// Why what a grammar derives may not fit a tool. Read by whoever writes the tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// A bound that a grammar does not say.
    #[error(
        "`{arg}` of `{tool}`: expected bounds of numbers and lengths alone, but found `{keyword}`; a grammar cannot hold a model to it, so leave it out and check it in the tool"
    )]
    Keyword {
        /// The tool.
        tool: String,
        /// The argument, such as `step.status`.
        arg: String,
        /// The keyword of JSON Schema.
        keyword: &'static str,
    },
    /// A least length beyond what servers take in a grammar.
    #[error(
        "`{arg}` of `{tool}`: expected `{keyword}` up to 2000, but found {found}; servers refuse longer repetitions, so lower it"
    )]
    TooLong {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// `minLength` or `minItems`.
        keyword: &'static str,
        /// Its value.
        found: u64,
    },
    /// Bounds that no value meets.
    #[error(
        "`{arg}` of `{tool}`: expected a value within its bounds, but no value can be `{bounds}`; mend the bounds"
    )]
    NoValue {
        /// The tool.
        tool: String,
        /// The argument.
        arg: String,
        /// The two that exclude each other.
        bounds: String,
    },
}

impl Toolset {
    /// Whether whatever [`Toolset::grammar`] derives fits the tools: always so for tools read off
    /// our types, not always for schemas from elsewhere.
    ///
    /// # Errors
    ///
    /// [`GrammarError`] for the first argument of which a grammar cannot say all.
    pub fn check_grammar(&self) -> Result<(), GrammarError> {
        self.specs().iter().try_for_each(|spec| fields(&spec.name, "", &spec.args))
    }
}

fn fields(tool: &str, path: &str, args: &[ArgSpec]) -> Result<(), GrammarError> {
    args.iter().try_for_each(|arg| {
        let site = Site { tool, arg: &format!("{path}{}", arg.name) };
        site.value(&arg.ty, &arg.schema)
    })
}

/// Names for the messages.
struct Site<'a> {
    tool: &'a str,
    arg: &'a str,
}

impl Site<'_> {
    fn names(&self) -> (String, String) {
        (self.tool.to_owned(), self.arg.to_owned())
    }

    fn value(&self, ty: &ArgType, schema: &Value) -> Result<(), GrammarError> {
        let (tool, arg) = self.names();
        if let Some(keyword) = UNSAID.into_iter().find(|it| schema.get(it).is_some()) {
            return Err(GrammarError::Keyword { tool, arg, keyword });
        }
        for keyword in ["minLength", "minItems"] {
            let found = schema.get(keyword).and_then(Value::as_u64).unwrap_or(0);
            if REPEAT_MAX < found {
                return Err(GrammarError::TooLong { tool, arg, keyword, found });
            }
        }
        if let Some(bounds) = bounds::excluding(schema) {
            return Err(GrammarError::NoValue { tool, arg, bounds });
        }
        match ty {
            ArgType::List(item) => self.value(item, schema.get("items").unwrap_or(&Value::Null)),
            ArgType::Object(inner) => fields(self.tool, &format!("{}.", self.arg), inner),
            ArgType::String
            | ArgType::Integer
            | ArgType::Number
            | ArgType::Boolean
            | ArgType::Enum(_)
            | ArgType::Json => Ok(()),
        }
    }
}
