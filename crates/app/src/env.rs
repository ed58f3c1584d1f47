//! The environment, read once.
//!
//! Everything else gets it as data, so that a test, or a second run in the same process, can have
//! another one.

use std::{collections::HashMap, path::PathBuf};

/// Variables and the working directory, as they were at the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    vars: HashMap<String, String>,
    cwd: PathBuf,
}

impl Env {
    /// Reads the process's own. Variables that are no Unicode are left out, and so are empty ones:
    /// an empty variable counts as unset.
    pub(crate) fn read() -> Self {
        let vars = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        // Where the folder is gone, relative paths fail later, each with its own words.
        Self { vars, cwd: std::env::current_dir().unwrap_or_default() }
    }

    /// The variable, if it is set to something.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }

    /// Every variable that is set to something.
    pub(crate) const fn vars(&self) -> &HashMap<String, String> {
        &self.vars
    }

    /// The working directory.
    pub(crate) fn cwd(&self) -> &std::path::Path {
        &self.cwd
    }

    /// The same environment in another working directory.
    pub(crate) fn at(mut self, folder: &std::path::Path) -> Self {
        self.cwd = self.cwd.join(folder);
        self
    }

    #[cfg(test)]
    pub(crate) fn of(vars: &[(&str, &str)]) -> Self {
        let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self { vars: vars.collect(), cwd: PathBuf::from("/") }
    }
}
