//! Where the hunks of a patch fit into a file: all of them, or none.

use crate::files::{
    patch::parse::{Hunk, PatchLine},
    replace::{
        find::{Level, places},
        lines::{Line, split, usual_end},
        near::nearest,
        put::{reindent, shift},
    },
};

/// Why a hunk does not apply. Its number counts from 1 within its file, its line is that of the
/// patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FitFault {
    #[error(
        "hunk {number} (line {line} of the patch): its ` ` and `-` lines are not in the file; {near}"
    )]
    NoMatch { number: usize, line: usize, near: String },
    #[error(
        "hunk {number} (line {line} of the patch): its change is there already, from line {at}; \
         leave the hunk out"
    )]
    Applied { number: usize, line: usize, at: usize },
    #[error(
        "hunk {number} (line {line} of the patch): its ` ` and `-` lines stand there {} times, at \
         lines {}; give more lines around the change",
        .at.len(),
        join(.at)
    )]
    Several { number: usize, line: usize, at: Vec<usize> },
    #[error(
        "hunk {number} (line {line} of the patch): it only adds, but the file holds {n_lines} \
         lines; give the lines around the place as they stand there, each with a blank in front"
    )]
    NoContext { number: usize, line: usize, n_lines: usize },
}

fn join(lines: &[usize]) -> String {
    let shown: Vec<_> = lines.iter().take(10).map(ToString::to_string).collect();
    let rest = if lines.len() > 10 { ", …" } else { "" };
    shown.join(", ") + rest
}

/// Applies the hunks one after the other, each to the result of the ones before.
pub(crate) fn all(text: &str, hunks: &[Hunk<'_>]) -> Result<String, FitFault> {
    let mut fit = Fit { lines: split(text), grown: 0, behind: 0 };
    for (i, hunk) in hunks.iter().enumerate() {
        fit.apply(i + 1, hunk)?;
    }
    Ok(fit.lines.iter().flat_map(|line| [line.text.as_str(), line.end]).collect())
}

struct Fit {
    lines: Vec<Line>,
    /// How many lines the earlier hunks added, less those that they removed.
    grown: isize,
    /// The index behind the last change.
    behind: usize,
}

impl Fit {
    fn apply(&mut self, number: usize, hunk: &Hunk<'_>) -> Result<(), FitFault> {
        let (old, line) = (hunk.lines_before(), hunk.line);
        if old.is_empty() {
            return self.fill(number, hunk);
        }
        for level in [Level::Exact, Level::TrailingBlanks, Level::Indentation] {
            let found = places(&self.lines, &old, level);
            match self.choose(&found, hunk) {
                Some(at) => {
                    self.put(at, hunk, level);
                    return Ok(());
                }
                None if found.is_empty() => {}
                None => {
                    let at = found.iter().map(|at| at + 1).collect();
                    return Err(FitFault::Several { number, line, at });
                }
            }
        }
        let new = hunk.lines_after();
        let adds = hunk.lines.iter().any(|line| matches!(line, PatchLine::Add(_)));
        let is_telling = adds && new.len() > 1;
        match places(&self.lines, &new, Level::Exact).first().filter(|_| is_telling) {
            Some(at) => Err(FitFault::Applied { number, line, at: at + 1 }),
            None => {
                let near = nearest(&self.lines, &old, "give the lines as they stand there");
                Err(FitFault::NoMatch { number, line, near })
            }
        }
    }

    /// Which of several places is meant: the one at the line that the hunk names, else the first
    /// behind its headings, else the only one behind the hunk before.
    fn choose(&self, found: &[usize], hunk: &Hunk<'_>) -> Option<usize> {
        if let [at] = found {
            return Some(*at);
        }
        let named =
            hunk.start.and_then(|start| start.saturating_sub(1).checked_add_signed(self.grown));
        if let Some(named) = named.filter(|named| found.contains(named)) {
            return Some(named);
        }
        if let Some(heading) = self.behind_headings(&hunk.headings) {
            return found.iter().find(|at| **at >= heading).copied();
        }
        let mut behind = found.iter().filter(|at| **at >= self.behind);
        let first = behind.next().copied();
        if behind.next().is_none() { first } else { None }
    }

    /// The index behind the last of the headings, if each stands there once behind the one before.
    fn behind_headings(&self, headings: &[&str]) -> Option<usize> {
        let mut from = 0;
        for heading in headings {
            let rest = self.lines.iter().enumerate().skip(from);
            let mut fitting = rest.filter(|(_, line)| line.text.trim().starts_with(heading));
            let (at, _) = fitting.next()?;
            if fitting.next().is_some() {
                return None;
            }
            from = at + 1;
        }
        (!headings.is_empty()).then_some(from)
    }

    /// Fills an empty file.
    fn fill(&mut self, number: usize, hunk: &Hunk<'_>) -> Result<(), FitFault> {
        if self.lines.iter().any(|line| !line.text.is_empty()) {
            let n_lines = self.lines.len();
            return Err(FitFault::NoContext { number, line: hunk.line, n_lines });
        }
        let line = |text: &&str| Line { text: (*text).to_owned(), end: "\n" };
        self.lines = hunk.lines_after().iter().map(line).collect();
        self.end(hunk, "\n");
        self.behind = self.lines.len();
        Ok(())
    }

    /// Puts the new lines there. Lines that stay keep their own text and line end, also where the
    /// hunk has other blanks.
    fn put(&mut self, at: usize, hunk: &Hunk<'_>, level: Level) {
        let usual = usual_end(&self.lines);
        let old = hunk.lines_before();
        let taken: Vec<Line> = self.lines.splice(at..at + old.len(), []).collect();
        let is_at_end = at == self.lines.len();
        let last_end = taken.last().map_or("\n", |line| line.end);
        let indent = if level == Level::Indentation { shift(&taken, &old) } else { None };
        let add = |text: &str| match &indent {
            Some((from, to)) => reindent(text, from, to),
            None => text.to_owned(),
        };
        let mut rest = taken.into_iter();
        let mut new: Vec<Line> = Vec::new();
        for line in &hunk.lines {
            match line {
                PatchLine::Keep(_) => new.extend(rest.next()),
                PatchLine::Remove(_) => drop(rest.next()),
                PatchLine::Add(text) => new.push(Line { text: add(text), end: usual }),
            }
        }
        // Only the last line of a file may lack its end.
        new.iter_mut().filter(|line| line.end.is_empty()).for_each(|line| line.end = usual);
        self.behind = at + new.len();
        self.grown += new.len().cast_signed() - old.len().cast_signed();
        self.lines.splice(at..at, new);
        if is_at_end {
            self.end(hunk, last_end);
        }
    }

    /// Gives the last line its end: as the hunk says, else as the old last line had it.
    fn end(&mut self, hunk: &Hunk<'_>, old_end: &'static str) {
        let usual = usual_end(&self.lines);
        let Some(last) = self.lines.last_mut() else { return };
        let is_unended = match (hunk.is_old_unended, hunk.is_new_unended) {
            (_, true) => true,
            (true, false) => false,
            (false, false) => old_end.is_empty(),
        };
        last.end = if is_unended { "" } else { usual };
    }
}
