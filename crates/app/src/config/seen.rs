//! The user's settings as they were last read: a file that lost its end must not give more rights.
//!
//! A file that is cut at a line's end is a valid file, only without what stood behind: a refusal, a
//! bound, the mode. Nothing in it can tell, so that what was read last is kept beside it.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use super::{
    error::ConfigError,
    file::{self, Entry},
    trust::digest,
};
use crate::paths::Paths;

/// Looks whether the text lost something that took rights away, and keeps it for the next time.
///
/// # Errors
///
/// [`ConfigError::Cut`] where it did.
pub(super) fn check(paths: &Paths, path: &Path, text: &str) -> Result<(), ConfigError> {
    let before = fs::read_to_string(kept(paths, path)).unwrap_or_default();
    if before == text {
        return Ok(());
    }
    let is_cut = before.len() > text.len() && before.starts_with(text);
    if is_cut && !lost(path, &before, text).is_empty() {
        let lost = lost(path, &before, text).into_iter().collect::<Vec<_>>().join(", ");
        let (n, of) = (text.len(), before.len());
        return Err(ConfigError::Cut { path: path.to_owned(), n, of, lost });
    }
    // What cannot be kept is missed the next time, and nothing else.
    let _ = accept(paths, path, text);
    Ok(())
}

/// Takes the text as it is now.
pub(crate) fn accept(paths: &Paths, path: &Path, text: &str) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&paths.state)?;
    let (kept, new) = (kept(paths, path), kept(paths, path).with_extension("new"));
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    fs::rename(new, kept)
}

fn kept(paths: &Paths, path: &Path) -> PathBuf {
    let name = digest(&path.to_string_lossy());
    paths.state.join(format!("settings-{}", name.get(..16).unwrap_or_default()))
}

/// The settings that took rights away and are no more, or are others.
fn lost(path: &Path, before: &str, now: &str) -> BTreeSet<String> {
    let restricting = |text: &str| {
        let file = file::parse("user", path, text).unwrap_or_default();
        let profiles = file.profiles.iter().flat_map(|(name, entries)| {
            entries.iter().map(move |entry| (format!("profiles.{name}."), entry))
        });
        let all = file.entries.iter().map(|entry| (String::new(), entry)).chain(profiles);
        let named = |(profile, entry): (String, &Entry)| {
            (format!("{profile}{}", entry.key.name), entry.value.to_string())
        };
        all.filter(|(_, entry)| takes_away(entry)).map(named).collect::<BTreeSet<_>>()
    };
    restricting(before).difference(&restricting(now)).map(|(name, _)| name.clone()).collect()
}

fn takes_away(entry: &Entry) -> bool {
    const NAMES: [&str; 5] = ["mode", "tools", "rules.ask", "rules.deny", "require_thinking"];
    NAMES.contains(&entry.key.name) || entry.key.name.starts_with("limits.")
}
