//! Names that come from outside, reduced to ones that cannot climb, hide or be misread.

use std::fmt;

/// Most bytes of a name.
const MOST: usize = 200;

/// One component of a path: no separator, no control character, not `.` or `..`, no name that some
/// system reads as a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName(String);

/// Why a name is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing is left of it.
    #[error("`{0}` is no name of a file")]
    Name(String),
    /// A part of a path is none.
    #[error("`{part}` in `{path}` is no name of a file or folder")]
    Part {
        /// The whole.
        path: String,
        /// The part.
        part: String,
    },
    /// The root is not known.
    #[error("`{0}` begins in no folder that may be used; begin with `home:/` or name a session")]
    Root(String),
}

impl FileName {
    /// Takes a name exactly as it is, or not at all.
    #[must_use]
    pub fn exact(text: &str) -> Option<Self> {
        let is_plain = |c: char| {
            !c.is_control()
                && !matches!(c, '/' | '\\' | ':' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        };
        let is_whole = !text.is_empty()
            && text.len() <= MOST
            && text.chars().all(is_plain)
            && !text.ends_with(['.', ' '])
            && !text.starts_with(' ')
            && !is_device(text);
        is_whole.then(|| Self(text.to_owned()))
    }

    /// Makes a name of whatever a browser or another machine calls a file: the last component,
    /// without what cannot be in a name.
    #[must_use]
    pub fn reduced(text: &str) -> Option<Self> {
        let last = text.rsplit(['/', '\\', ':']).next().unwrap_or_default();
        let kept: String = last
            .chars()
            .filter(|c| Self::exact(&c.to_string()).is_some() || matches!(c, '.' | ' '))
            .collect();
        let mut end = kept.len().min(MOST);
        while !kept.is_char_boundary(end) {
            end -= 1;
        }
        let kept = kept.get(..end).unwrap_or_default();
        Self::exact(kept.trim_start_matches(' ').trim_end_matches(['.', ' ']))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Names that Windows reads as devices, whatever their ending.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_numbered = |start: &str| {
        let rest = stem.strip_prefix(start);
        rest.is_some_and(|rest| {
            rest.chars().count() == 1 && rest.chars().all(|c| "0123456789¹²³".contains(c))
        })
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || is_numbered("com")
        || is_numbered("lpt")
}

/// Where a path begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The assistant's own folder.
    Home,
    /// The folder of this session.
    Workspace(String),
}

/// A place below a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath {
    /// Where it begins.
    pub root: Root,
    /// The components below; none of them climbs.
    pub names: Vec<FileName>,
}

impl FilePath {
    /// Reads `home:/a/b`, or `a/b` below the folder of `session`.
    ///
    /// # Errors
    ///
    /// Names that are none, and paths without a root.
    pub fn read(text: &str, session: Option<&str>) -> Result<Self, NameError> {
        let (root, below) = match (text.strip_prefix("home:/"), session) {
            (Some(below), _) => (Root::Home, below),
            (None, Some(session)) => (Root::Workspace(session.to_owned()), text),
            (None, None) => return Err(NameError::Root(text.to_owned())),
        };
        let names = below.split('/').filter(|part| !part.is_empty()).map(|part| {
            let wrong = || NameError::Part { path: text.to_owned(), part: part.to_owned() };
            FileName::exact(part).ok_or_else(wrong)
        });
        let is_absolute = below.starts_with('/');
        let names = names.collect::<Result<Vec<_>, _>>()?;
        if is_absolute {
            return Err(NameError::Root(text.to_owned()));
        }
        Ok(Self { root, names })
    }

    /// The place of this name in it.
    #[must_use]
    pub fn join(mut self, name: FileName) -> Self {
        self.names.push(name);
        self
    }

    /// The folder it is in; `None` for a root.
    #[must_use]
    pub fn folder(&self) -> Option<Self> {
        let (_, above) = self.names.split_last()?;
        Some(Self { root: self.root.clone(), names: above.to_vec() })
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.root == Root::Home {
            f.write_str("home:/")?;
        }
        let names: Vec<&str> = self.names.iter().map(FileName::as_str).collect();
        f.write_str(&names.join("/"))
    }
}
