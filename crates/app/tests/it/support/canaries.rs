//! Secrets that stand in the environment of every test, and must be nowhere else.

use std::{fs, io::Read as _, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// Set in every test.
pub(crate) const PLANTED: [(&str, &str); 3] = [
    ("GITHUB_TOKEN", "ghp-canary-8c1f06d2"),
    ("AWS_SECRET_ACCESS_KEY", "aws/canary+5be2937a"),
    ("CANARY_PROXY_URL", "http://me:canary-pass-90d4@127.0.0.1:9"),
];

/// The file that may hold a key, since it is the one that keeps them.
const KEEPS: &str = "keys.json";

/// Bytes that are looked into of a file: larger ones are holes that a test made.
const MOST: u64 = 64 << 20;

/// The folder that holds bytes as they were: `docs/secrets.md`.
const RAW: &str = "undo/objects";

/// The values of these variables that are secrets.
fn secrets(vars: &[(String, String)]) -> impl Iterator<Item = &str> {
    vars.iter().filter_map(|(name, value)| {
        let ends = ["_KEY", "_TOKEN", "_PASSWORD", "_SECRET"];
        let is_secret = ends.iter().any(|end| name.ends_with(end)) && value.len() >= 8;
        let password = || value.split_once("://me:").and_then(|(_, rest)| rest.split('@').next());
        if is_secret { Some(value.as_str()) } else { password().filter(|it| it.len() >= 8) }
    })
}

/// Fails where a secret of these variables stands in `bytes`, plain or in base64.
#[track_caller]
pub(crate) fn hold(vars: &[(String, String)], place: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for secret in secrets(vars) {
        for form in [secret, STANDARD.encode(secret).trim_end_matches('=')] {
            assert!(!text.contains(form), "{place}: the secret `{form}` is told:\n{text}");
        }
    }
}

/// Fails where a secret of these variables stands in a file below `folder`, or in its name.
#[track_caller]
pub(crate) fn search(vars: &[(String, String)], folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let shown = path.display().to_string();
        hold(vars, &shown, shown.as_bytes());
        match entry.file_type() {
            // What an undo brings back is kept as it was, for the user alone.
            Ok(kind) if kind.is_dir() && path.ends_with(RAW) => {}
            Ok(kind) if kind.is_dir() => search(vars, &path),
            Ok(kind) if kind.is_file() && entry.file_name() != KEEPS => {
                let mut bytes = Vec::new();
                let file = fs::File::open(&path).map(|file| file.take(MOST));
                // What is gone by now, or closed to us, holds nothing of ours.
                let _ = file.and_then(|mut file| file.read_to_end(&mut bytes));
                hold(vars, &shown, &bytes);
            }
            Ok(_) | Err(_) => {}
        }
    }
}

#[test]
#[should_panic = "is told"]
fn a_secret_in_a_file_is_noticed() {
    let bench = super::Bench::new().write("home/data/x", "<aws/canary+5be2937a>");
    drop(bench);
}

#[test]
#[should_panic = "is told"]
fn a_secret_in_base64_is_noticed() {
    let text = STANDARD.encode("ghp-canary-8c1f06d2");
    drop(super::Bench::new().write("work/deep/er/x", &text));
}
