//! What is written down of a call: what changed, and what nobody knows of.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tagline_workspace::ContentHash;

use crate::{
    Name, Node, SnapshotError, Why, error::At as _, name::path_text, objects::Temp, stamp::Moment,
    tree::Difference,
};

/// Version of the form of a record.
const VERSION: u32 = 1;
/// Most things that are named as left out; the others are counted.
pub(crate) const NAMED: usize = 50;
/// The file of a record in its folder.
const FILE: &str = "record.json";

/// What changed things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A call.
    Call {
        /// Its id, such as `t2.1`: the first call of the second turn.
        id: String,
        /// The tool.
        tool: String,
        /// The path or the command, to know it by.
        target: String,
    },
    /// Something that was brought back.
    Undo {
        /// Its id, such as `u1`.
        id: String,
        /// The numbers of the records that it brought back.
        of: Vec<u64>,
    },
    /// Something that a command made, and that was put aside.
    Aside {
        /// Its id, such as `a1`.
        id: String,
        /// The call that started the command.
        call: String,
    },
}

impl What {
    /// How people name it.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Call { id, .. } | Self::Undo { id, .. } | Self::Aside { id, .. } => id,
        }
    }

    /// The turn of a call, from 1.
    #[must_use]
    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Call { id, .. } => turn_of(id),
            Self::Undo { .. } | Self::Aside { .. } => None,
        }
    }

    /// The turn of the call that started what made something that was put aside.
    #[must_use]
    pub fn turn_put_aside(&self) -> Option<u32> {
        match self {
            Self::Aside { call, .. } => turn_of(call),
            Self::Call { .. } | Self::Undo { .. } => None,
        }
    }
}

fn turn_of(call: &str) -> Option<u32> {
    call.strip_prefix('t')?.split('.').next()?.parse().ok()
}

/// A part of the machine that a call may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    #[serde(with = "path_text")]
    pub(crate) root: PathBuf,
    /// These, and what is below them; `None`: all of it.
    pub(crate) names: Option<Vec<Name>>,
}

/// What changed below a root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Changed {
    #[serde(with = "path_text")]
    pub(crate) root: PathBuf,
    pub(crate) changes: Vec<Difference>,
}

/// Something of which nobody knows whether it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its absolute path.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// Why.
    pub why: Why,
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// It may have begun. What stood before it lies beside the record, a file for each part.
    Open { parts: Vec<Part> },
    /// It is over.
    Closed { changed: Vec<Changed> },
}

/// A call, or an undo, and what it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub(crate) v: u32,
    /// Its place in the order of its session.
    pub number: u64,
    /// What it was.
    pub what: What,
    /// Whether it could change anything below the roots, as a command can.
    pub is_whole: bool,
    /// When it began and ended, by the file system's clock.
    #[serde(default)]
    pub(crate) time: Option<(Moment, Moment)>,
    pub(crate) stage: Stage,
    /// Of what nobody knows: the first of it.
    pub left_out: Vec<LeftOut>,
    /// Of how many things nobody knows.
    pub n_left_out: usize,
}

impl Record {
    pub(crate) fn open(number: u64, what: What, parts: Vec<Part>, now: Moment) -> Self {
        let is_whole = parts.iter().any(|part| part.names.is_none());
        let (time, stage) = (Some((now, now)), Stage::Open { parts });
        Self {
            v: VERSION,
            number,
            what,
            is_whole,
            time,
            stage,
            left_out: Vec::new(),
            n_left_out: 0,
        }
    }

    /// The end of one of which nobody knows any more what stood before it.
    pub(crate) fn lost(self, parts: &[Part]) -> Self {
        let why =
            Why::Unreadable("what stood there before is damaged in the undo store".to_owned());
        let left_out =
            parts.iter().map(|part| LeftOut { path: part.root.clone(), why: why.clone() });
        let left_out: Vec<_> = left_out.collect();
        let n_left_out = left_out.len();
        Self { stage: Stage::Closed { changed: Vec::new() }, left_out, n_left_out, ..self }
    }

    /// Whether both ran at the same time.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self.time, other.time) {
            (Some((began, ended)), Some((others_began, others_ended))) => {
                began <= others_ended && others_began <= ended
            }
            (None, _) | (_, None) => false,
        }
    }

    /// Whether its end was not seen: it still runs, or was killed.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open { .. })
    }

    /// What changed: the root, the name below it, what stood there before and after.
    pub fn changes(&self) -> impl Iterator<Item = (&Path, &Name, &Node, &Node)> {
        let changed = match &self.stage {
            Stage::Open { .. } => &[],
            Stage::Closed { changed } => changed.as_slice(),
        };
        changed.iter().flat_map(|Changed { root, changes }| {
            changes.iter().map(move |it| (root.as_path(), &it.name, &it.before, &it.after))
        })
    }

    /// The roots below which it may have changed something.
    pub(crate) fn roots(&self) -> Vec<&Path> {
        match &self.stage {
            Stage::Open { parts } => parts.iter().map(|part| part.root.as_path()).collect(),
            Stage::Closed { changed } => changed.iter().map(|it| it.root.as_path()).collect(),
        }
    }

    /// The contents that it needs.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = ContentHash> {
        self.changes().flat_map(|(_, _, before, after)| [before.hash(), after.hash()]).flatten()
    }

    /// Writes it into its folder, whole or not at all.
    pub(crate) fn save(&self, temp: Temp, folder: &Path) -> Result<(), SnapshotError> {
        let path = folder.join(FILE);
        let mut out = BufWriter::new(&temp.file);
        let written = serde_json::to_writer(&mut out, self).map_err(Into::into);
        written.and_then(|()| out.flush()).at(&path)?;
        drop(out);
        temp.put(&path)
    }

    /// Reads the one of a folder; `None` where none was written.
    pub(crate) fn load(folder: &Path) -> Result<Option<Self>, SnapshotError> {
        let path = folder.join(FILE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.at(&path)?,
        };
        let record: Self =
            serde_json::from_slice(&text).map_err(|error| SnapshotError::damaged(&path, error))?;
        if record.v != VERSION {
            let said = format!("it is of version {}", record.v);
            return Err(SnapshotError::damaged(&path, said));
        }
        Ok(Some(record))
    }
}

/// When a record was written last, for the order in which they leave.
pub(crate) fn written(folder: &Path) -> std::time::SystemTime {
    let modified = File::open(folder.join(FILE)).and_then(|file| file.metadata()?.modified());
    modified.unwrap_or(std::time::SystemTime::UNIX_EPOCH)
}

/// Where what stood before lies, in the record's folder.
pub(crate) fn before(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("before-{part}"))
}
