//! `tagline config show`: the settings in force, as TOML, each with where it was set.

use super::{file::Entry, merge::Config};

/// Each setting on a line; with `origins`, behind it where it was set.
pub(crate) fn show(config: &Config, origins: Origins) -> String {
    let width = config.entries.iter().map(|entry| line(entry).chars().count()).max().unwrap_or(0);
    config.entries.iter().fold(String::new(), |text, entry| {
        let line = line(entry);
        let shown = match origins {
            Origins::Hidden => line,
            Origins::Shown => {
                let lock = if config.locked.contains(&entry.key.name) { " (locked)" } else { "" };
                format!("{line:<width$}  # {}{lock}", entry.origin)
            }
        };
        text + &shown + "\n"
    })
}

/// Each setting by name, with its value and where it was set.
pub(crate) fn as_json(config: &Config) -> serde_json::Value {
    let settings = config.entries.iter().map(|entry| {
        let is_locked = config.locked.contains(&entry.key.name);
        let value = serde_json::json!({
            "value": entry.value, "origin": entry.origin.to_string(), "locked": is_locked,
        });
        (entry.key.name.to_owned(), value)
    });
    serde_json::Value::Object(settings.collect())
}

/// Whether origins are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origins {
    /// They are not.
    Hidden,
    /// They are.
    Shown,
}

fn line(entry: &Entry) -> String {
    format!("{} = {}", entry.key.name, entry.value)
}
