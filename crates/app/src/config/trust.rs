//! Which project files are trusted: by place and content, so that a change asks again.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{error::ConfigError, file};
use crate::paths::Paths;

/// The SHA-256 of a text, in hexadecimal.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Whether exactly this content was trusted at exactly this place.
pub(crate) fn is_trusted(paths: &Paths, path: &Path, text: &str) -> Result<bool, ConfigError> {
    let list = file::read(&list(paths))?.unwrap_or_default();
    let wanted = line(path, text);
    Ok(list.lines().any(|line| line == wanted.trim_end()))
}

/// Trusts this content at this place.
pub(crate) fn trust(paths: &Paths, path: &Path, text: &str) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&paths.state)?;
    let mut list = OpenOptions::new().append(true).create(true).mode(0o600).open(list(paths))?;
    list.write_all(line(path, text).as_bytes())
}

fn list(paths: &Paths) -> PathBuf {
    paths.state.join("trusted")
}

fn line(path: &Path, text: &str) -> String {
    format!("{} {}\n", digest(text), path.display())
}
