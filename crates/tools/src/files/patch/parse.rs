//! A patch as a model writes it: a unified diff, or sections between `*** Begin Patch` lines.
//!
//! Numbers in hunk headers are hints, and counts in them are not read at all: models get both
//! wrong. What a hunk holds is told by the first character of each of its lines.

use std::collections::BTreeSet;

use crate::files::patch::{
    draft::Draft,
    names::{Name, name, quoted_pair},
};

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePatch<'t> {
    /// Where it starts in the patch, from 1.
    pub(crate) line: usize,
    pub(crate) deed: Deed,
    /// The file; a new file's name where it is created.
    pub(crate) path: String,
    /// Its new name, if it gets one.
    pub(crate) to: Option<String>,
    pub(crate) hunks: Vec<Hunk<'t>>,
    /// Its new permissions, if it gets some.
    pub(crate) mode: Option<u32>,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Create,
    Change,
    Delete,
}

/// Lines that change together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunk<'t> {
    /// Where it starts in the patch, from 1.
    pub(crate) line: usize,
    /// The line of the old file, from 1, at which it is said to start.
    pub(crate) start: Option<usize>,
    /// What stands behind `@@`: a line of the file further up.
    pub(crate) headings: Vec<&'t str>,
    pub(crate) lines: Vec<PatchLine<'t>>,
    /// The old text's last line is said to have no line break.
    pub(crate) is_old_unended: bool,
    /// The new text's last line is said to have no line break.
    pub(crate) is_new_unended: bool,
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchLine<'t> {
    Keep(&'t str),
    Remove(&'t str),
    Add(&'t str),
}

impl<'t> Hunk<'t> {
    /// The lines that must stand in the file.
    pub(crate) fn lines_before(&self) -> Vec<&'t str> {
        let old = self.lines.iter().filter_map(|line| match line {
            PatchLine::Keep(text) | PatchLine::Remove(text) => Some(*text),
            PatchLine::Add(_) => None,
        });
        old.collect()
    }

    /// The lines that stand there afterwards.
    pub(crate) fn lines_after(&self) -> Vec<&'t str> {
        let new = self.lines.iter().filter_map(|line| match line {
            PatchLine::Keep(text) | PatchLine::Add(text) => Some(*text),
            PatchLine::Remove(_) => None,
        });
        new.collect()
    }
}

/// Why text is no patch. Line numbers are those of the patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatchFault {
    #[error(
        "expected a unified diff, but found no file in it; begin each file with a `--- a/path` and \
         a `+++ b/path` line"
    )]
    None,
    #[error(
        "line {line} of the patch: expected a `--- a/path` line, but found `{found}`; write nothing \
         but the diff"
    )]
    Stray { line: usize, found: String },
    #[error(
        "line {0} of the patch: expected the two paths of a file, but found none that is whole; \
         write `--- a/path` and `+++ b/path`"
    )]
    NoName(usize),
    #[error(
        "line {line} of the patch: expected one path, but found `{old}` and `{new}`; say `rename \
         from` and `rename to` if it is to be renamed"
    )]
    TwoNames { line: usize, old: String, new: String },
    #[error(
        "line {line} of the patch: expected hunks for `{path}`, but found none; begin each with an \
         `@@` line"
    )]
    NoHunk { line: usize, path: String },
    #[error(
        "line {line} of the patch: expected only `+` lines for the new file `{path}`, but found \
         others; a file that is there is changed under its own name, without `/dev/null`"
    )]
    OldLines { line: usize, path: String },
    #[error(
        "line {0} of the patch: expected text, but found a binary change; write the file another way"
    )]
    Binary(usize),
    #[error(
        "line {0} of the patch: expected a change in place, but found a copy; write the new file"
    )]
    Copy(usize),
}

/// Takes a patch apart. A Markdown fence around it is ignored, and so are lines of git that say
/// nothing of the content.
pub(crate) fn parse(text: &str) -> Result<Vec<FilePatch<'_>>, PatchFault> {
    let lines: Vec<&str> = text.lines().collect();
    let mut reader = Reader { lines, at: 0, draft: None, files: Vec::new() };
    while reader.at < reader.lines.len() {
        reader.step()?;
    }
    reader.finish()?;
    if reader.files.is_empty() { Err(PatchFault::None) } else { Ok(reader.files) }
}

/// The patch with those hunks alone that `take` numbers, from 0 over all files, and how many there
/// are. A file of which no hunk is left goes with its head. `None` where it is no patch.
pub(crate) fn only(text: &str, take: &BTreeSet<usize>) -> Option<(String, usize)> {
    let (mut n, mut starts) = (0, Vec::new());
    for file in &parse(text).ok()? {
        let hunks = file.hunks.iter().zip(n..);
        let hunks: Vec<_> = hunks.map(|(hunk, at)| (hunk.line, take.contains(&at))).collect();
        n += hunks.len();
        let is_kept = hunks.is_empty() || hunks.iter().any(|(_, is_taken)| *is_taken);
        starts.push((file.line, is_kept));
        starts.extend(hunks);
    }
    let is_kept = |(at, _): &(usize, &str)| {
        starts.iter().rev().find(|(line, _)| *line <= at + 1).is_none_or(|(_, is_kept)| *is_kept)
    };
    let kept = text.split_inclusive('\n').enumerate().filter(is_kept);
    Some((kept.map(|(_, line)| line).collect(), n))
}

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    draft: Option<Draft<'t>>,
    files: Vec<FilePatch<'t>>,
}

impl<'t> Reader<'t> {
    fn line(&self, at: usize) -> &'t str {
        self.lines.get(at).copied().unwrap_or_default()
    }

    fn step(&mut self) -> Result<(), PatchFault> {
        let line = self.line(self.at);
        let number = self.at + 1;
        self.at += 1;
        if self.is_signature(number - 1) {
            self.at = self.lines.len();
        } else if let Some(rest) = line.strip_prefix("*** ") {
            return self.section(rest.trim(), number);
        } else if line.starts_with("@@") {
            return self.hunk(line, number);
        } else if let Some(rest) = line.strip_prefix("diff --git ") {
            self.begin(number)?.git = quoted_pair(rest);
        } else if let Some(rest) = line.strip_prefix("--- ") {
            if self.draft.as_ref().is_none_or(Draft::has_names) {
                self.begin(number)?;
            }
            self.draft(number)?.old = Some(name(rest));
        } else if let Some(rest) = line.strip_prefix("+++ ") {
            if self.draft.as_ref().is_none_or(|draft| draft.new.is_some()) {
                self.begin(number)?;
            }
            self.draft(number)?.new = Some(name(rest));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(PatchFault::Binary(number));
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(PatchFault::Copy(number));
        } else if !self.extended(line) && !is_noise(line) && self.has_begun() {
            let found = line.chars().take(60).collect();
            return Err(PatchFault::Stray { line: number, found });
        }
        Ok(())
    }

    /// Whether a file came; words in front of the first one are nobody's.
    fn has_begun(&self) -> bool {
        self.draft.is_some() || !self.files.is_empty()
    }

    /// A line of the form with stars.
    fn section(&mut self, text: &str, number: usize) -> Result<(), PatchFault> {
        let (word, path) = text.split_once(':').unwrap_or((text, ""));
        let path = Name::Path(path.trim().to_owned());
        match word {
            "Add File" => {
                let draft = self.begin_plain(number)?;
                (draft.old, draft.new) = (Some(Name::Null), Some(path));
                self.body(number, Hunk { line: number, ..Hunk::default() });
            }
            "Delete File" => {
                let draft = self.begin_plain(number)?;
                (draft.old, draft.new) = (Some(path), Some(Name::Null));
            }
            "Update File" => {
                let draft = self.begin_plain(number)?;
                (draft.old, draft.new) = (Some(path.clone()), Some(path));
                self.headless(number);
            }
            "Move to" => {
                self.draft(number)?.rename_to = path.path();
                self.headless(number);
            }
            "Begin Patch" | "End Patch" => self.finish()?,
            _ => {}
        }
        Ok(())
    }

    /// The first hunk of a section may come without its `@@` line.
    fn headless(&mut self, number: usize) {
        if !self.is_next(self.at) && !self.line(self.at).trim().is_empty() {
            self.body(number, Hunk { line: number + 1, ..Hunk::default() });
        }
    }

    fn hunk(&mut self, line: &'t str, number: usize) -> Result<(), PatchFault> {
        let (start, heading) = header(line);
        let draft = self.draft(number)?;
        // Several headings in a row lead to the place step by step.
        let mut hunk = match draft.hunks.pop_if(|last| last.lines.is_empty()) {
            Some(hunk) => hunk,
            None => Hunk { line: number, ..Hunk::default() },
        };
        hunk.start = hunk.start.or(start);
        hunk.headings.extend(heading);
        self.body(number, hunk);
        Ok(())
    }

    /// Reads a hunk's lines up to what begins something else.
    fn body(&mut self, number: usize, mut hunk: Hunk<'t>) {
        let mut n_blank = 0;
        while self.at < self.lines.len() && !self.is_next(self.at) {
            let line = self.line(self.at);
            self.at += 1;
            n_blank = if line.is_empty() { n_blank + 1 } else { 0 };
            push(&mut hunk, line);
        }
        // Blank lines at its end separate it from what follows.
        hunk.lines.truncate(hunk.lines.len() - n_blank);
        if let Ok(draft) = self.draft(number) {
            draft.hunks.push(hunk);
        }
    }

    /// Whether something else than a hunk's line begins there.
    fn is_next(&self, at: usize) -> bool {
        let line = self.line(at);
        let is_names = line.starts_with("--- ") && self.line(at + 1).starts_with("+++ ") && {
            let behind = self.line(at + 2);
            behind.starts_with("@@") || at + 2 >= self.lines.len()
        };
        let is_fence = line.starts_with("```") && {
            let rest = self.lines.get(at + 1..).unwrap_or_default();
            rest.iter().all(|line| line.trim().is_empty())
        };
        let starts = ["@@", "diff --git ", "*** ", "Index: "];
        starts.iter().any(|start| line.starts_with(start))
            || is_names
            || is_fence
            || self.is_signature(at)
    }

    /// Whether a patch of a mail ends there: `-- `, and the version of git.
    fn is_signature(&self, at: usize) -> bool {
        let rest = self.lines.get(at + 2..).unwrap_or_default();
        self.line(at) == "-- "
            && self.line(at + 1).starts_with(|c: char| c.is_ascii_digit())
            && rest.iter().all(|line| line.trim().is_empty())
    }

    /// A line of git between the names; says whether it is one.
    fn extended(&mut self, line: &str) -> bool {
        let Some(draft) = &mut self.draft else { return false };
        let mode =
            |digits: &str| u32::from_str_radix(digits.trim(), 8).ok().map(|mode| mode & 0o777);
        if let Some(digits) = line.strip_prefix("new file mode ") {
            // The usual mode is what the system gives to a new file.
            (draft.is_new, draft.mode) = (true, mode(digits).filter(|mode| mode & 0o111 != 0));
        } else if let Some(digits) = line.strip_prefix("new mode ") {
            draft.mode = mode(digits);
        } else if line.starts_with("deleted file mode ") {
            draft.is_deleted = true;
        } else if let Some(path) = line.strip_prefix("rename from ") {
            draft.rename_from = name(path).path();
        } else if let Some(path) = line.strip_prefix("rename to ") {
            draft.rename_to = name(path).path();
        } else {
            let told = ["index ", "old mode ", "similarity index ", "dissimilarity index "];
            return told.iter().any(|start| line.starts_with(start));
        }
        true
    }

    /// The file that the lines belong to.
    fn draft(&mut self, number: usize) -> Result<&mut Draft<'t>, PatchFault> {
        self.draft.as_mut().ok_or(PatchFault::NoName(number))
    }

    fn begin(&mut self, number: usize) -> Result<&mut Draft<'t>, PatchFault> {
        self.finish()?;
        Ok(self.draft.insert(Draft::new(number)))
    }

    fn begin_plain(&mut self, number: usize) -> Result<&mut Draft<'t>, PatchFault> {
        let draft = self.begin(number)?;
        draft.is_plain = true;
        Ok(draft)
    }

    fn finish(&mut self) -> Result<(), PatchFault> {
        let Some(draft) = self.draft.take() else { return Ok(()) };
        let file = draft.finish()?;
        // A file that comes again goes on where it was left.
        let is_plain = |it: &FilePatch<'_>| it.deed == Deed::Change && it.to.is_none();
        let before = self.files.iter_mut().find(|it| it.path == file.path && is_plain(it));
        match before.filter(|_| is_plain(&file)) {
            Some(before) => {
                before.hunks.extend(file.hunks);
                before.mode = file.mode.or(before.mode);
            }
            None => self.files.push(file),
        }
        Ok(())
    }
}

/// What may stand between files without saying anything.
fn is_noise(line: &str) -> bool {
    let line = line.trim();
    let starts = ["```", "Index: ", "====", "\\ No newline"];
    line.is_empty() || starts.iter().any(|start| line.starts_with(start))
}

/// The line number and the heading of `@@ -1,2 +3,4 @@ heading` or `@@ heading`.
fn header(line: &str) -> (Option<usize>, Option<&str>) {
    let rest = line.trim_start_matches('@');
    let (numbers, heading) = rest.split_once("@@").unwrap_or((rest, ""));
    let mut parts = numbers.split_whitespace();
    let range = |part: Option<&str>, sign: char| -> Option<usize> {
        part?.strip_prefix(sign)?.split(',').next()?.parse().ok()
    };
    let (old, new) = (range(parts.next(), '-'), range(parts.next(), '+'));
    let text = if old.is_some() || new.is_some() { heading.trim() } else { numbers.trim() };
    let is_told = text.chars().any(char::is_alphanumeric);
    (old.or(new), is_told.then_some(text))
}

/// Takes a line into a hunk. One without a mark counts as text that stays: the blank in front is
/// what models forget.
fn push<'t>(hunk: &mut Hunk<'t>, line: &'t str) {
    let rest = line.get(1..).unwrap_or_default();
    match line.as_bytes().first() {
        Some(b'+') => hunk.lines.push(PatchLine::Add(rest)),
        Some(b'-') => hunk.lines.push(PatchLine::Remove(rest)),
        Some(b' ') => hunk.lines.push(PatchLine::Keep(rest)),
        Some(b'\\') if rest.trim_start().to_lowercase().starts_with("no newline") => {
            let last = hunk.lines.last();
            hunk.is_new_unended |= matches!(last, Some(PatchLine::Add(_) | PatchLine::Keep(_)));
            hunk.is_old_unended |= matches!(last, Some(PatchLine::Remove(_) | PatchLine::Keep(_)));
        }
        Some(_) | None => hunk.lines.push(PatchLine::Keep(line)),
    }
}
