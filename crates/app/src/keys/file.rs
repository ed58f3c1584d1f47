//! The file of keys.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::json;
use tagline_protocol::system_words;
use tagline_secret::Secret;

use super::KeyError;
use crate::beside;

/// The newest version of the file that is read, and the one that is written.
pub(super) const VERSION: u64 = 1;

/// What is in it.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Keys by provider.
    pub(super) keys: BTreeMap<String, Secret>,
    /// Providers whose keys are in the keyring.
    pub(super) in_keyring: BTreeSet<String>,
}

/// The same as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    v: u64,
    #[serde(default)]
    keys: BTreeMap<String, String>,
    #[serde(default)]
    in_keyring: BTreeSet<String>,
}

/// Where it lies.
#[derive(Debug)]
pub(super) struct File(PathBuf);

impl File {
    pub(super) const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// What it holds; nothing where it is not there.
    pub(super) fn read(&self) -> Result<Kept, KeyError> {
        let metadata = match fs::metadata(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
            found => found.map_err(|error| self.system(&error))?,
        };
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(KeyError::Open { path: self.0.clone(), mode });
        }
        let text = fs::read_to_string(&self.0).map_err(|error| self.system(&error))?;
        self.parse(&text)
    }

    fn parse(&self, text: &str) -> Result<Kept, KeyError> {
        // Its own words would repeat what stands in the file.
        let refuse = |error: serde_json::Error| KeyError::Malformed {
            path: self.0.clone(),
            found: format!("line {} goes wrong at column {}", error.line(), error.column()),
        };
        let Written { v, keys, in_keyring } = serde_json::from_str(text).map_err(refuse)?;
        if v > VERSION {
            return Err(KeyError::TooNew { path: self.0.clone(), found: v });
        }
        let keys = keys.into_iter().map(|(provider, key)| (provider, Secret::from(key))).collect();
        Ok(Kept { keys, in_keyring })
    }

    /// Writes the keys, readable by nobody else from the first byte.
    pub(super) fn write(&self, kept: &Kept) -> Result<(), KeyError> {
        beside::write(&self.0, &text(kept), 0o600).map_err(|error| self.system(&error))
    }

    fn system(&self, error: &io::Error) -> KeyError {
        KeyError::System { path: self.0.clone(), words: system_words(error) }
    }
}

fn text(kept: &Kept) -> String {
    let keys: BTreeMap<_, _> = kept.keys.iter().map(|(it, key)| (it, key.expose())).collect();
    let value = json!({ "v": VERSION, "keys": keys, "in_keyring": kept.in_keyring });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(text: &str, mode: u32, expected: Expect) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let read = File::at(path).read();
        let shown = read.map_or_else(|error| error.to_string(), |kept| format!("{kept:?}"));
        expected.assert_eq(&shown.replace(&folder.path().display().to_string(), "[folder]"));
    }

    #[test]
    fn the_format_is_as_reviewed() {
        let kept = Kept {
            keys: [("openai".to_owned(), Secret::from("sk-\"0123"))].into(),
            in_keyring: ["anthropic".to_owned()].into(),
        };
        expect![[r#"
            {
              "v": 1,
              "keys": {
                "openai": "sk-\"0123"
              },
              "in_keyring": [
                "anthropic"
              ]
            }
        "#]]
        .assert_eq(&text(&kept));
        let read = File::at("k".into()).parse(&text(&kept)).unwrap();
        assert_eq!(text(&read), text(&kept));
    }

    #[test]
    fn a_file_is_replaced_and_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::at(folder.path().join("new/keys.json"));
        for key in ["0123456789", "9876543210"] {
            let keys = [("openai".to_owned(), Secret::from(key))].into();
            file.write(&Kept { keys, ..Kept::default() }).unwrap();
            let mode = fs::metadata(file.path()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            assert_eq!(file.read().unwrap().keys["openai"].expose(), key);
        }
        assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_file_of_keys_is_refused_without_its_text() {
        check(
            r#"{"v":1,"keys":{"openai":"sk-0123456789"}}"#,
            0o600,
            expect![[r#"Kept { keys: {"openai": Secret(…)}, in_keyring: {} }"#]],
        );
        check(
            r#"{"v":1,"keys":{"openai":"sk-0123456789"}}"#,
            0o640,
            expect![
                "the keys in `[folder]/keys.json`: expected a file that you alone can read, mode 0600, but found mode 0640; `chmod 600` it, and replace the keys if somebody else uses this machine"
            ],
        );
        check(
            r#"{"v":1,"keys":{"openai":sk-0123456789}}"#,
            0o600,
            expect![
                "the keys in `[folder]/keys.json`: expected what `tagline keys set` writes, but line 1 goes wrong at column 25; mend it, or remove it and set the keys again"
            ],
        );
        check(
            r#"{"v":1,"sk-0123456789":true}"#,
            0o600,
            expect![
                "the keys in `[folder]/keys.json`: expected what `tagline keys set` writes, but line 1 goes wrong at column 22; mend it, or remove it and set the keys again"
            ],
        );
        check(
            r#"{"v":2}"#,
            0o600,
            expect![
                "the keys in `[folder]/keys.json`: expected version 1 at most, but found version 2; use a newer tagline"
            ],
        );
    }
}
