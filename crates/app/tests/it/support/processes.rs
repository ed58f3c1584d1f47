//! Processes of this machine, of whom none may be left.

use std::fs;

/// Processes whose command line holds this text.
pub(crate) fn that_name(text: &str) -> Vec<String> {
    let lines = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let folder = entry.ok()?.path();
        let line = fs::read_to_string(folder.join("cmdline")).ok()?;
        line.contains(text).then(|| format!("{}: {}", folder.display(), line.replace('\0', " ")))
    });
    lines.collect()
}
