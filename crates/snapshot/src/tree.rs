//! A tree as it was seen, and what changed from one to the next.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::Path,
};

use serde::{Deserialize, Serialize};
use tagline_workspace::ContentHash;

use crate::{Name, Node, SnapshotError, Why, error::At as _, objects::Temp, stamp::Stamp};

/// What stands under a name, and how to see that it still does without reading it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) node: Node,
    /// Of a file; `None` where only reading it can tell.
    pub(crate) stamp: Option<Stamp>,
}

/// What stands below a root, or in the parts of it that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub(crate) entries: BTreeMap<Name, Entry>,
    /// What is not kept: these, and everything below them.
    pub(crate) left_out: BTreeMap<Name, Why>,
}

/// One thing that is another now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Difference {
    pub(crate) name: Name,
    pub(crate) before: Node,
    pub(crate) after: Node,
}

/// A line of a tree in its file.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(rename = "n")]
    name: Name,
    #[serde(rename = "is", default, skip_serializing_if = "Option::is_none")]
    node: Option<Node>,
    #[serde(rename = "at", default, skip_serializing_if = "Option::is_none")]
    stamp: Option<Stamp>,
    #[serde(rename = "out", default, skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

impl Tree {
    pub(crate) fn node(&self, name: &Name) -> Node {
        self.entries.get(name).map_or(Node::Absent, |entry| entry.node.clone())
    }

    /// The contents that it needs.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = ContentHash> {
        self.entries.values().filter_map(|entry| entry.node.hash())
    }

    /// What is another in `after`. What either of them left out, and everything below it, is not
    /// among it: of that nobody knows what became.
    pub(crate) fn differences(&self, after: &Self) -> Vec<Difference> {
        let names: BTreeSet<_> = self.entries.keys().chain(after.entries.keys()).collect();
        let difference = |name: &Name| {
            let (before, after) = (self.node(name), after.node(name));
            (before != after).then(|| Difference { name: name.clone(), before, after })
        };
        let changed = names.into_iter().filter_map(difference);
        changed.filter(|it| !self.leaves_out(&it.name) && !after.leaves_out(&it.name)).collect()
    }

    fn leaves_out(&self, name: &Name) -> bool {
        let is_out = |name: &Name| self.left_out.contains_key(name);
        !self.left_out.is_empty() && (is_out(name) || name.above().any(|name| is_out(&name)))
    }

    /// Writes it to a file, whole or not at all.
    pub(crate) fn save(&self, temp: Temp, path: &Path) -> Result<(), SnapshotError> {
        let mut out = BufWriter::new(&temp.file);
        let entries = self.entries.iter().map(|(name, entry)| Row {
            name: name.clone(),
            node: Some(entry.node.clone()),
            stamp: entry.stamp,
            why: None,
        });
        let left_out = self.left_out.iter().map(|(name, why)| Row {
            name: name.clone(),
            node: None,
            stamp: None,
            why: Some(why.clone()),
        });
        for row in entries.chain(left_out) {
            let written = serde_json::to_writer(&mut out, &row).map_err(Into::into);
            written.and_then(|()| out.write_all(b"\n")).at(path)?;
        }
        out.flush().at(path)?;
        drop(out);
        temp.put(path)
    }

    /// Reads one that was saved.
    pub(crate) fn load(path: &Path) -> Result<Self, SnapshotError> {
        let mut tree = Self::default();
        for line in BufReader::new(File::open(path).at(path)?).lines() {
            let row = serde_json::from_str(&line.at(path)?);
            let row: Row = row.map_err(|error| SnapshotError::damaged(path, error))?;
            if let Some(node) = row.node {
                tree.entries.insert(row.name.clone(), Entry { node, stamp: row.stamp });
            }
            if let Some(why) = row.why {
                tree.left_out.insert(row.name, why);
            }
        }
        Ok(tree)
    }
}
