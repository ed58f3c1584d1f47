//! One file of a patch, while its lines are read.

use crate::files::patch::{
    names::{Name, pair},
    parse::{Deed, FilePatch, Hunk, PatchFault, PatchLine},
};

/// What has been said of a file so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft<'t> {
    line: usize,
    pub(super) old: Option<Name>,
    pub(super) new: Option<Name>,
    /// The names of git's own line, which comes without others for an empty file.
    pub(super) git: Option<(Name, Name)>,
    /// The names of the form with stars have no `a/` and `b/`.
    pub(super) is_plain: bool,
    pub(super) rename_from: Option<String>,
    pub(super) rename_to: Option<String>,
    pub(super) is_new: bool,
    pub(super) is_deleted: bool,
    pub(super) mode: Option<u32>,
    pub(super) hunks: Vec<Hunk<'t>>,
}

impl<'t> Draft<'t> {
    pub(super) fn new(line: usize) -> Self {
        Self { line, ..Self::default() }
    }

    /// Whether the next `---` line begins another file.
    pub(super) fn has_names(&self) -> bool {
        self.old.is_some() || !self.hunks.is_empty()
    }

    pub(super) fn finish(self) -> Result<FilePatch<'t>, PatchFault> {
        let (line, mode) = (self.line, self.mode);
        let (deed, path) = self.deed()?;
        let mut hunks = self.hunks;
        hunks.retain(|hunk| !hunk.lines.is_empty());
        let to = self.rename_to.filter(|to| *to != path);
        match deed {
            Deed::Create => only_added(&mut hunks)
                .ok_or_else(|| PatchFault::OldLines { line, path: path.clone() })?,
            Deed::Change if hunks.is_empty() && to.is_none() && mode.is_none() => {
                return Err(PatchFault::NoHunk { line, path });
            }
            Deed::Change | Deed::Delete => {}
        }
        Ok(FilePatch { line, deed, path, to, hunks, mode })
    }

    /// What happens, and to which file.
    fn deed(&self) -> Result<(Deed, String), PatchFault> {
        let line = self.line;
        if let Some(from) = &self.rename_from {
            return Ok((Deed::Change, from.clone()));
        }
        let (old, new) = match (&self.old, &self.new, &self.git) {
            (None, None, None) => return Err(PatchFault::NoName(line)),
            (None, None, Some((old, new))) => (old, new),
            (Some(old), Some(new), _) => (old, new),
            (Some(one), None, _) | (None, Some(one), _) => (one, one),
        };
        let is_new = self.is_new || *old == Name::Null;
        let is_deleted = self.is_deleted || *new == Name::Null;
        let (old, new) = match self.is_plain {
            true => (old.clone().path(), new.clone().path()),
            false => pair(old, new),
        };
        match (is_new, is_deleted, old, new) {
            (true, false, _, Some(path)) => Ok((Deed::Create, path)),
            (false, true, Some(path), _) => Ok((Deed::Delete, path)),
            (false, false, Some(old), Some(new)) if old == new => Ok((Deed::Change, old)),
            (false, false, Some(old), Some(new)) => Err(PatchFault::TwoNames { line, old, new }),
            _ => Err(PatchFault::NoName(line)),
        }
    }
}

/// Makes sure that a new file's hunks only add. An empty line of the patch is one of the file.
fn only_added(hunks: &mut [Hunk<'_>]) -> Option<()> {
    for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
        match line {
            PatchLine::Add(_) => {}
            PatchLine::Keep("") => *line = PatchLine::Add(""),
            PatchLine::Keep(_) | PatchLine::Remove(_) => return None,
        }
    }
    Some(())
}
