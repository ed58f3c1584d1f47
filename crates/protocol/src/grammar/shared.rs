//! The rules that tools share, and the classes of characters behind them.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{GrammarOptions, terms::run};

/// Letters, digits and what paths are made of.
const PATH: &str = "[a-zA-Z0-9_./-]";

/// Blanks are trimmed off scalars, so one that must not be empty begins with something else.
const BLANKS: &str =
    r"\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF";

/// A rule of its own, shared by tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Text on a start tag.
    Attribute,
    /// Text between tags, trimmed and decoded.
    Text,
    /// Text inside a CDATA section that ends behind it.
    Raw,
    /// Text inside a CDATA section, and the section's end.
    Cdata,
    /// Any JSON.
    Json,
    /// A JSON object.
    JsonObject,
    /// A line of text outside of calls.
    Line,
}

/// How long a text is, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) least: u64,
    pub(super) most: Option<u64>,
}

impl Shared {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Attribute => "attribute",
            Self::Text => "text",
            Self::Raw => "raw",
            Self::Cdata => "cdata",
            Self::Json => "json",
            Self::JsonObject => "json-object",
            Self::Line => "line",
        }
    }

    /// The usual length: not empty, and what the options say.
    pub(super) fn length(self, options: &GrammarOptions) -> Length {
        let most = match self {
            Self::Attribute => options.max_attribute,
            Self::Text | Self::Raw | Self::Line => options.max_text,
            Self::Cdata | Self::Json | Self::JsonObject => None,
        };
        Length { least: 1, most: most.map(u64::from) }
    }

    /// Text of that length. Only texts have one.
    pub(super) fn of_length(self, options: &GrammarOptions, length: Length) -> String {
        let Length { least, most } = length;
        let (first, rest) = match self {
            Self::Attribute if options.max_attribute.is_some() => (PATH.into(), PATH.into()),
            Self::Attribute => (format!("[^\"<&{BLANKS}]"), r#"[^"<&\x01-\x1F\x7F]"#.to_string()),
            Self::Text if options.max_text.is_some() => {
                (format!(r"[^<&\]{{{BLANKS}]"), r"[^<&\]\x01-\x09\x0B-\x1F]".to_string())
            }
            Self::Text => (format!("[^<&{{{BLANKS}]"), r"[^<&\x01-\x09\x0B-\x1F]".to_string()),
            Self::Line => (r"[^<`~{\[\x01-\x20]".to_string(), r"[^<`~{\[\x01-\x1F]".to_string()),
            Self::Raw | Self::Cdata | Self::Json | Self::JsonObject => {
                // A line break directly behind the start of a section is layout.
                (r"[^\]<\n\r]".to_string(), r"[^\]<]".to_string())
            }
        };
        run(&first, &rest, least, most)
    }

    /// The rules behind the name, that of the name first.
    pub(super) fn rules(self, options: &GrammarOptions) -> Vec<(&'static str, String)> {
        match self {
            Self::Attribute | Self::Text | Self::Raw => {
                Vec::from([(self.name(), self.of_length(options, self.length(options)))])
            }
            Self::Cdata => cdata(),
            Self::Json => Vec::from([(
                "json",
                r#"json-object | "[" (json ("," json)*)? "]" | json-string | json-number | "true" | "false" | "null""#.to_string(),
            )]),
            Self::JsonObject => json_object(),
            Self::Line => Vec::from([("line", self.of_length(options, self.length(options)))]),
        }
    }

    /// Other rules that these refer to.
    pub(super) const fn needs(self) -> Option<Self> {
        match self {
            Self::Json => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::Json),
            Self::Attribute | Self::Text | Self::Raw | Self::Cdata | Self::Line => None,
        }
    }
}

/// Any text without `]]>`, then `]]>`: the states of the search for it, one a rule.
fn cdata() -> Vec<(&'static str, String)> {
    Vec::from([
        ("cdata", r#"[^\]] cdata | "]" cdata-one"#.to_string()),
        ("cdata-one", r#"[^\]] cdata | "]" cdata-two"#.to_string()),
        ("cdata-two", r#"">" | "]" cdata-two | [^\]>] cdata"#.to_string()),
    ])
}

/// Strings without `]` and `<`, so that no JSON ends a section early.
fn json_object() -> Vec<(&'static str, String)> {
    let member = r#"json-string ":" json"#;
    Vec::from([
        ("json-object", format!(r#""{{" ({member} ("," {member})*)? "}}""#)),
        ("json-string", r#""\"" ([^"\\\]<\x01-\x1F] | "\\" ["\\/bfnrt])* "\"""#.to_string()),
        ("json-number", r#""-"? ("0" | [1-9] [0-9]{0,8}) ("." [0-9]{1,4})?"#.to_string()),
    ])
}
