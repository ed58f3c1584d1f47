//! The paths of a patch.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

use tagline_workspace::show_name;

/// What a `---` or `+++` line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// `/dev/null`: there is no file on this side.
    Null,
    /// A path, still with its `a/` or `b/`.
    Path(String),
}

impl Name {
    pub(super) fn path(self) -> Option<String> {
        match self {
            Self::Null => None,
            Self::Path(path) => Some(path),
        }
    }
}

/// Reads a name: a time behind a tab is left out, quotes are undone.
pub(super) fn name(text: &str) -> Name {
    let text = text.split('\t').next().unwrap_or_default().trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match inner {
        _ if text == "/dev/null" => Name::Null,
        Some(inner) => Name::Path(unquote(inner)),
        None => Name::Path(text.to_owned()),
    }
}

/// The two names of git's own line, which differ in `a/` and `b/` alone.
pub(super) fn quoted_pair(text: &str) -> Option<(Name, Name)> {
    let text = text.trim();
    let (old, new) = text.split_at_checked(text.len() / 2)?;
    let (old, new) = (name(old), name(new.strip_prefix(' ')?));
    let (one, other) = pair(&old, &new);
    (one.is_some() && one == other).then_some((old, new))
}

/// The paths of both sides, without git's `a/` and `b/`.
pub(super) fn pair(old: &Name, new: &Name) -> (Option<String>, Option<String>) {
    let has = |name: &Name, prefix| match name {
        Name::Null => true,
        Name::Path(path) => path.starts_with(prefix),
    };
    let are_prefixed = has(old, "a/") && has(new, "b/");
    let bare = |name: &Name| {
        let path = name.clone().path()?;
        Some(if are_prefixed { path.chars().skip(2).collect() } else { path })
    };
    (bare(old), bare(new))
}

/// Undoes the quotes of git: `\"`, `\\`, `\t`, `\n` and octal bytes. The path is then written as
/// this program writes one.
fn unquote(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let octal = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            bytes.push(byte);
            rest = after.get(3..).unwrap_or_default();
        } else if let Some((escaped, after)) = after.split_first() {
            bytes.push(match escaped {
                b't' => b'\t',
                b'n' => b'\n',
                other => *other,
            });
            rest = after;
        }
    }
    show_name(OsStr::from_bytes(&bytes))
}
