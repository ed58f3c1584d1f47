//! Where the searched text stands in a file.

use crate::files::replace::lines::Line;

/// How strictly lines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Exact,
    TrailingBlanks,
    Indentation,
}

impl Level {
    fn is_equal(self, line: &str, search: &str) -> bool {
        match self {
            Self::Exact => line == search,
            Self::TrailingBlanks => line.trim_end() == search.trim_end(),
            Self::Indentation => line.trim() == search.trim(),
        }
    }
}

/// Where the searched text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    /// Whole lines, from this index.
    Lines {
        at: usize,
        level: Level,
    },
    /// Inside one line, at this byte of it.
    Inside {
        line: usize,
        at: usize,
    },
    /// More than once, at these line numbers.
    Several(Vec<usize>),
}

impl Found {
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Nothing { other() } else { self }
    }
}

/// Looks for whole lines exactly, then for a piece of one line, then less strictly.
pub(crate) fn find(lines: &[Line], search: &[&str]) -> Found {
    let inside = || match search {
        [piece] => found_inside(lines, piece),
        _ => Found::Nothing,
    };
    found_lines(lines, search, Level::Exact)
        .or_else(inside)
        .or_else(|| found_lines(lines, search, Level::TrailingBlanks))
        .or_else(|| found_lines(lines, search, Level::Indentation))
}

/// The indices from which whole lines stand there; some lines must be searched.
pub(crate) fn places(lines: &[Line], search: &[&str], level: Level) -> Vec<usize> {
    let is_there = |window: &[Line]| {
        window.iter().zip(search).all(|(line, search)| level.is_equal(&line.text, search))
    };
    let windows = lines.windows(search.len().max(1)).enumerate();
    windows.filter(|(_, window)| is_there(window)).map(|(at, _)| at).collect()
}

fn found_lines(lines: &[Line], search: &[&str], level: Level) -> Found {
    match places(lines, search, level).as_slice() {
        [] => Found::Nothing,
        [at] => Found::Lines { at: *at, level },
        several => Found::Several(several.iter().map(|at| at + 1).collect()),
    }
}

fn found_inside(lines: &[Line], piece: &str) -> Found {
    let matches = lines.iter().enumerate();
    let matches: Vec<_> = matches
        .flat_map(|(line, text)| text.text.match_indices(piece).map(move |(at, _)| (line, at)))
        .collect();
    match matches.as_slice() {
        [] => Found::Nothing,
        [(line, at)] => Found::Inside { line: *line, at: *at },
        _ => Found::Several(matches.iter().map(|(line, _)| line + 1).collect()),
    }
}
