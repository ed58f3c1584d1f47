//! The project's own file: found upward, inert until its content is trusted.

use std::path::{Path, PathBuf};

use super::{error::ConfigError, file, trust};
use crate::{env::Env, paths::Paths};

/// A project's `.tagline/config.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) is_trusted: bool,
}

/// The nearest one.
pub(crate) fn find(env: &Env, paths: &Paths) -> Result<Option<Project>, ConfigError> {
    for folder in folders(env.cwd()) {
        let path = folder.join(".tagline/config.toml");
        // Our own folder may be a `.tagline` itself.
        if path.starts_with(&paths.config) {
            continue;
        }
        if let Some(text) = file::read(&path)? {
            let is_trusted = trust::is_trusted(paths, &path, &text)?;
            return Ok(Some(Project { path, text, is_trusted }));
        }
    }
    Ok(None)
}

/// The working directory and the folders above it, up to the root of its repository; outside of a
/// repository the working directory alone. Innermost first.
pub(crate) fn folders(cwd: &Path) -> Vec<&Path> {
    let root = cwd.ancestors().find(|folder| folder.join(".git").exists());
    let is_below = |folder: &&Path| root.is_none_or(|root| folder.starts_with(root));
    let n = if root.is_some() { usize::MAX } else { 1 };
    cwd.ancestors().take_while(is_below).take(n).collect()
}
