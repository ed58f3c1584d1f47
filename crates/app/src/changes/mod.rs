//! What calls changed and what an undo would change, with the texts that it is shown by: on the
//! command line and by the server.

mod copied;
mod words;

use std::{collections::BTreeMap, path::PathBuf};

use tagline_snapshot::{Node, Record, Step, Store};

pub(crate) use self::copied::of_copy;
pub(crate) use self::words::{facts, not_covered, shown, text, verb, why_not};

/// Longest file that is compared line by line, in bytes.
const LONGEST: u64 = 1 << 20;

/// Something that is another afterwards.
pub(crate) struct Change<'a> {
    pub(crate) path: PathBuf,
    pub(crate) old: Node,
    pub(crate) new: Node,
    source: Source<'a>,
}

/// Where the texts are.
enum Source<'a> {
    Store(&'a Store),
    /// The old one stands there now.
    Step(&'a Store, &'a Step),
}

impl<'a> Change<'a> {
    /// What steps would do.
    pub(crate) fn of_steps(store: &'a Store, steps: &[&'a Step]) -> Vec<Self> {
        let change = |step: &&'a Step| Self {
            path: step.path(),
            old: step.now.clone(),
            new: step.target.clone(),
            source: Source::Step(store, step),
        };
        steps.iter().map(change).collect()
    }

    /// What records changed together.
    pub(crate) fn of_records(store: &'a Store, records: &[&Record]) -> Vec<Self> {
        let mut all: BTreeMap<PathBuf, (Node, Node)> = BTreeMap::new();
        for (root, name, before, after) in records.iter().flat_map(|record| record.changes()) {
            let known = all.entry(name.path(root));
            known.or_insert_with(|| (before.clone(), before.clone())).1 = after.clone();
        }
        let differs = |(_, (old, new)): &(PathBuf, (Node, Node))| old != new;
        let change = |(path, (old, new))| Self { path, old, new, source: Source::Store(store) };
        all.into_iter().filter(differs).map(change).collect()
    }

    /// The content before and after, of what is a file; `None` where it is too long to be shown.
    pub(crate) fn contents(&self) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let old = match &self.source {
            Source::Store(store) => content(store, &self.old),
            Source::Step(_, step) if is_file(&step.now) => step.content(LONGEST),
            Source::Step(..) => Some(Vec::new()),
        };
        let (Source::Store(store) | Source::Step(store, _)) = &self.source;
        (old, content(store, &self.new))
    }
}

fn content(store: &Store, node: &Node) -> Option<Vec<u8>> {
    if is_file(node) { store.content(node, LONGEST) } else { Some(Vec::new()) }
}

const fn is_file(node: &Node) -> bool {
    matches!(node, Node::File { .. })
}
