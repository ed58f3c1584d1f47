//! Values of settings, where they come from, and whether they fit.

use std::{fmt, path::PathBuf};

use super::keys::Kind;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// Text.
    Text(String),
    /// A whole number.
    Count(i64),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Switch(bool),
    /// Names.
    Names(Vec<String>),
}

/// As TOML has it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{}", toml::Value::from(text.as_str())),
            Self::Count(n) => write!(f, "{n}"),
            Self::Number(n) => write!(f, "{n:?}"),
            Self::Switch(is_on) => write!(f, "{is_on}"),
            Self::Names(names) => write!(f, "{}", toml::Value::from(names.clone())),
        }
    }
}

/// Where a value was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody set it.
    BuiltIn,
    /// A line of a file.
    File {
        /// The layer, such as `user` or `profile work`.
        layer: String,
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A variable, by its name.
    Variable(String),
    /// A flag, by its name.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File { layer, path, line } => write!(f, "{layer} {}:{line}", path.display()),
            Self::Variable(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

impl Kind {
    /// What fits, in words.
    pub(crate) fn expected(&self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Line { most } => format!("one line of 1 to {most} characters"),
            Self::Prose { most } => format!("text of 1 to {most} characters"),
            Self::File => "a file's path".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Count { least, most: i64::MAX } => format!("a whole number of at least {least}"),
            Self::Count { least, most } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most } => format!("a number from {least} to {most}"),
            Self::Switch => "true or false".to_owned(),
            Self::Names => "a list of names".to_owned(),
        }
    }

    /// The value, if it fits.
    pub(crate) fn check(&self, value: Value) -> Option<Value> {
        match (self, &value) {
            (Self::Text | Self::File, Value::Text(text)) => !text.is_empty(),
            (Self::Line { most }, Value::Text(text)) => {
                is_worded(text, *most) && !text.contains(char::is_control)
            }
            (Self::Prose { most }, Value::Text(text)) => {
                let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
                is_worded(text, *most) && !text.contains(is_odd)
            }
            (Self::Word(words), Value::Text(text)) => words.contains(&text.as_str()),
            (Self::Count { least, most }, Value::Count(n)) => (least..=most).contains(&n),
            (Self::Number { least, most }, Value::Number(n)) => (least..=most).contains(&n),
            (Self::Number { .. }, Value::Count(n)) => {
                let n = f64::from(i32::try_from(*n).ok()?);
                return self.check(Value::Number(n));
            }
            (Self::Switch, Value::Switch(_)) | (Self::Names, Value::Names(_)) => true,
            _ => false,
        }
        .then_some(value)
    }

    /// The value of a text from a flag or a variable, if it fits.
    pub(crate) fn read(&self, text: &str) -> Option<Value> {
        let value = match self {
            Self::Text | Self::Line { .. } | Self::Prose { .. } | Self::File | Self::Word(_) => {
                Value::Text(text.to_owned())
            }
            Self::Count { .. } => Value::Count(text.replace('_', "").parse().ok()?),
            Self::Number { .. } => Value::Number(text.parse().ok()?),
            Self::Switch => Value::Switch(read_switch(text)?),
            Self::Names => Value::Names(
                text.split(',')
                    .map(str::trim)
                    .filter(|n| !n.is_empty())
                    .map(str::to_owned)
                    .collect(),
            ),
        };
        self.check(value)
    }
}

/// Whether it says something, in so many characters.
fn is_worded(text: &str, most: usize) -> bool {
    !text.trim().is_empty() && text.chars().count() <= most
}

/// What people write for yes and no.
pub(crate) fn read_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
