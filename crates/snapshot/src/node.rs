//! What stands under a name.

use std::fmt;

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tagline_workspace::ContentHash;

use crate::Name;

/// What stands under a name. Two that are equal cannot be told apart by content, permissions,
/// owner or the place a link leads to; times do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// Nothing.
    Absent,
    /// A regular file.
    File {
        /// Permissions.
        mode: Mode,
        /// Bytes.
        len: u64,
        /// Over its content, under which the store has it.
        #[serde(with = "hash_text")]
        hash: ContentHash,
    },
    /// A symbolic link.
    Link {
        /// What it leads to, as it is written.
        to: Name,
    },
    /// A folder.
    Folder {
        /// Permissions.
        mode: Mode,
    },
    /// Something that is not kept, such as a pipe.
    Other {
        /// What it is, with its article.
        what: String,
    },
}

impl Node {
    /// The content in the store, if it is a file.
    pub(crate) const fn hash(&self) -> Option<ContentHash> {
        match self {
            Self::File { hash, .. } => Some(*hash),
            Self::Absent | Self::Link { .. } | Self::Folder { .. } | Self::Other { .. } => None,
        }
    }

    /// Whether it is a folder.
    #[must_use]
    pub const fn is_folder(&self) -> bool {
        matches!(self, Self::Folder { .. })
    }

    /// Its permissions and owner, if it has some of its own.
    #[must_use]
    pub const fn mode(&self) -> Option<Mode> {
        match self {
            Self::File { mode, .. } | Self::Folder { mode } => Some(*mode),
            Self::Absent | Self::Link { .. } | Self::Other { .. } => None,
        }
    }
}

/// Permissions and owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// The lower twelve bits.
    pub bits: u32,
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

impl Mode {
    pub(crate) const fn of(stat: &Stat) -> Self {
        Self { bits: stat.st_mode & 0o7777, uid: stat.st_uid, gid: stat.st_gid }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04o}", self.bits)
    }
}

/// What the system says a thing is, with its article.
pub(crate) const fn what(kind: FileType) -> &'static str {
    match kind {
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        FileType::RegularFile => "a file",
        FileType::Directory => "a folder",
        FileType::Symlink => "a link",
        FileType::Unknown => "something of an unknown kind",
    }
}

/// A hash as its digits.
pub(crate) mod hash_text {
    use serde::de::Error as _;

    use super::{ContentHash, Deserialize as _, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(hash: &ContentHash, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(hash)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ContentHash, D::Error> {
        let text = String::deserialize(from)?;
        ContentHash::parse(&text).ok_or_else(|| D::Error::custom("expected 64 hexadecimal digits"))
    }
}
