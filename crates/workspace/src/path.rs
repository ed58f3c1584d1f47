//! A path as a model writes it, taken apart without looking at the disk.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Component, Path, PathBuf},
};

use crate::Problem;

/// Longest path, in bytes, as on Linux.
const MAX_PATH: usize = 4096;
/// Longest name between two slashes, in bytes.
const MAX_NAME: usize = 255;

/// Which root a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// Nothing: the workspace.
    Relative,
    /// `home:/…`, the assistant's own folder.
    Home,
    /// `device:/…` or `~/…`, the user's home.
    Device,
    /// `/…`.
    Absolute,
}

/// A path taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Which root.
    pub(crate) scheme: Scheme,
    /// Names and `..` below the root, or the absolute path; empty for the root itself.
    pub(crate) rest: PathBuf,
    /// It ends in a slash, so only a folder is meant.
    pub(crate) is_folder: bool,
}

/// Takes a path apart.
pub(crate) fn parse(asked: &str) -> Result<Asked, Problem> {
    check_whole(asked)?;
    let (scheme, rest) = split_scheme(asked)?;
    let mut path = PathBuf::from(if scheme == Scheme::Absolute { "/" } else { "" });
    for name in rest.split('/').filter(|name| !name.is_empty() && *name != ".") {
        path.push(parse_name(name)?);
    }
    let is_folder = rest.ends_with('/') || rest.ends_with("/.") || rest == ".";
    Ok(Asked { scheme, rest: path, is_folder })
}

fn check_whole(asked: &str) -> Result<(), Problem> {
    if asked.trim().is_empty() {
        return Err(Problem::Empty);
    }
    if asked.len() > MAX_PATH {
        return Err(Problem::TooLong { limit: MAX_PATH, found: asked.len() });
    }
    match asked.chars().find(|c| c.is_control()) {
        Some(c) => Err(Problem::Control(u32::from(c))),
        None => Ok(()),
    }
}

fn split_scheme(asked: &str) -> Result<(Scheme, &str), Problem> {
    let schemes = [("home:", Scheme::Home), ("device:", Scheme::Device), ("~/", Scheme::Device)];
    for (prefix, scheme) in schemes {
        if let Some(rest) = asked.strip_prefix(prefix) {
            return Ok((scheme, rest.trim_start_matches('/')));
        }
    }
    if asked == "~" {
        return Ok((Scheme::Device, ""));
    }
    if asked.contains("://") {
        return Err(Problem::Address("the workspace".to_owned()));
    }
    let scheme = if asked.starts_with('/') { Scheme::Absolute } else { Scheme::Relative };
    Ok((scheme, asked))
}

/// One name between slashes, escapes undone.
fn parse_name(name: &str) -> Result<OsString, Problem> {
    let bytes = unescape(name)?;
    if bytes.len() > MAX_NAME {
        return Err(Problem::TooLong { limit: MAX_NAME, found: bytes.len() });
    }
    if name != ".." && is_alias(&String::from_utf8_lossy(&bytes)) {
        return Err(Problem::Alias(name.to_owned()));
    }
    Ok(OsString::from_vec(bytes))
}

/// Undoes `\xHH`, the one escape that [`show_name`] writes.
fn unescape(name: &str) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let digits = after.strip_prefix('x').and_then(|after| after.get(..2));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if byte != 0 && byte != b'/' => bytes.push(byte),
            _ => return Err(Problem::Backslash(name.replace('\\', "/"))),
        }
        rest = after.get(3..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// Whether some system takes the name for another file or for a device.
fn is_alias(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let is_port = |rest: &str| rest.chars().count() == 1 && rest.contains(PORTS);
    let is_device_stem =
        matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
            || ["com", "lpt"].iter().any(|port| stem.strip_prefix(port).is_some_and(is_port));
    let is_device = is_device_stem && (cfg!(windows) || stem.len() == name.len());
    let is_stream = name.contains("::") || name.contains(":$");
    let is_drive = name.len() == 2 && name.ends_with(':');
    let is_dotted = name.starts_with('.') || name.starts_with(is_unseen);
    name.ends_with(['.', ' '])
        || is_device
        || is_stream
        || is_drive
        || is_short(&stem)
        || (is_dotted && name.contains(is_unseen))
}

/// What stands behind `com` and `lpt` in the name of a device.
const PORTS: [char; 12] =
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '\u{b9}', '\u{b2}', '\u{b3}'];

/// The short form that Windows makes of a name that others obey, such as `git~1` of `.git`.
fn is_short(stem: &str) -> bool {
    let number = ["git~", "taglin~"].iter().find_map(|short| stem.strip_prefix(short));
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// Characters that some systems leave out of names, so that `.g\u{200c}it` is `.git` there.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// A name or path as text that [`Workspace`](crate::Workspace) reads back as the very same bytes:
/// bytes that are not UTF-8, control characters and backslashes become `\xHH`.
///
/// # Examples
///
/// ```
/// use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
///
/// let name = OsStr::from_bytes(&[b'f', 0xFF, b'o']);
/// assert_eq!(tagline_workspace::show_name(name), r"f\xffo");
/// ```
#[must_use]
pub fn show_name(name: &OsStr) -> String {
    let mut shown = String::with_capacity(name.len());
    for chunk in name.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || c == '\\' {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| push_escape(&mut shown, byte));
            } else {
                shown.push(c);
            }
        }
        chunk.invalid().iter().for_each(|byte| push_escape(&mut shown, *byte));
    }
    shown
}

fn push_escape(shown: &mut String, byte: u8) {
    shown.push_str(&format!("\\x{byte:02x}"));
}

/// Whether `..` leads above the start of a relative path, read as text.
pub(crate) fn climbs_out(path: &Path) -> bool {
    let mut depth = 0_usize;
    for component in path.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    false
}
