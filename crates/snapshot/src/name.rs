//! The name of a thing below a root: bytes, as the system has them.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    fmt::Write as _,
    os::unix::ffi::OsStrExt as _,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use tagline_workspace::show_name;

/// A path below a root, its parts joined with `/`; empty for the root itself. Written down as
/// text in which `%XX` stands for a byte that is no UTF-8, and `%25` for `%`.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Vec<u8>);

impl Name {
    /// The root itself.
    pub(crate) const ROOT: Self = Self(Vec::new());

    /// These bytes, unread: what a link leads to, or a path that is known to be plain.
    pub(crate) const fn of(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The name of an absolute path below a root; `None` where it is not below it, or not plain.
    pub(crate) fn below(root: &Path, path: &Path) -> Option<Self> {
        let rest = path.strip_prefix(root).ok()?;
        let part = |part| match part {
            Component::Normal(part) => Some(part),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        };
        let mut parts = rest.components().map(part);
        let join = |name: Self, part: Option<&OsStr>| Some(name.join(part?.as_bytes()));
        parts.try_fold(Self::ROOT, join)
    }

    /// The name of a part of this folder.
    pub(crate) fn join(&self, part: &[u8]) -> Self {
        if self.is_root() {
            return Self(part.to_vec());
        }
        Self([&self.0, part].join(&b'/'))
    }

    /// Whether it is the root.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The folder that holds it; none holds the root.
    pub(crate) fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        let end = self.0.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        Some(Self(self.0.get(..end).unwrap_or_default().to_vec()))
    }

    /// The folders that hold it, the innermost first, the root last.
    pub(crate) fn above(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), Self::parent)
    }

    /// Its last part; empty for the root.
    pub(crate) fn last(&self) -> &[u8] {
        self.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    /// Its parts; none for the root.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/').filter(|part| !part.is_empty())
    }

    /// The path of it below this root.
    #[must_use]
    pub fn path(&self, root: &Path) -> PathBuf {
        if self.is_root() { root.to_owned() } else { root.join(OsStr::from_bytes(&self.0)) }
    }

    fn text(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            text.push_str(&chunk.valid().replace('%', "%25"));
            for byte in chunk.invalid() {
                let written = write!(text, "%{byte:02X}");
                debug_assert!(written.is_ok(), "a `String` takes every write");
            }
        }
        text
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('%');
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            let (code, rest) = part.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            bytes.extend_from_slice(rest.as_bytes());
        }
        Some(Self(bytes))
    }
}

/// As a person reads it, and as a tool takes it.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            if self.is_root() { ".".to_owned() } else { show_name(OsStr::from_bytes(&self.0)) };
        f.write_str(&text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text())
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::read(&text)
            .ok_or_else(|| D::Error::custom("expected two hexadecimal digits behind %"))
    }
}

/// An absolute path, written down as a [`Name`] is.
pub(crate) mod path_text {
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

    use super::{
        Deserialize as _, Deserializer, Name, OsString, Path, PathBuf, Serialize as _, Serializer,
    };

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        Name::of(path.as_os_str().as_bytes().to_vec()).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(PathBuf::from(OsString::from_vec(Name::deserialize(from)?.0)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_is_read_as_it_was_written(bytes in any::<Vec<u8>>()) {
            let name = Name::of(bytes);
            prop_assert_eq!(Name::read(&name.text()), Some(name));
        }
    }

    #[test]
    fn a_name_is_taken_apart() {
        let name = Name::below(Path::new("/r"), Path::new("/r/a/b/c")).unwrap();
        let above: Vec<_> = name.above().map(|name| name.to_string()).collect();
        assert_eq!(above, ["a/b", "a", "."]);
        assert_eq!((name.last(), name.parts().count()), (b"c".as_slice(), 3));
        assert_eq!(Name::below(Path::new("/r"), Path::new("/s")), None);
        assert_eq!(Name::below(Path::new("/r"), Path::new("/r/../s")), None);
        assert_eq!(Name::below(Path::new("/r"), Path::new("/r")), Some(Name::ROOT));
    }
}
