//! Puts new lines in the place of found ones.

use crate::files::replace::{
    find::Level,
    lines::{Line, usual_end},
};

/// Replaces whole lines. The new ones take the line end of the lines they replace; the last one
/// takes the last one's, so that a missing line break at the end stays missing.
pub(crate) fn put_lines(
    mut lines: Vec<Line>,
    at: usize,
    search: &[&str],
    replace: &[&str],
    level: Level,
) -> Vec<Line> {
    let usual = usual_end(&lines);
    let old: Vec<Line> = lines.splice(at..at + search.len(), []).collect();
    let first_end = old.first().map_or(usual, |line| line.end);
    let end = if first_end.is_empty() { usual } else { first_end };
    let last_end = old.last().map_or(end, |line| line.end);
    let indent = match level {
        Level::Exact | Level::TrailingBlanks => None,
        Level::Indentation => shift(&old, search),
    };
    let n = replace.len();
    let new = replace.iter().enumerate().map(|(i, text)| Line {
        text: indent
            .as_ref()
            .map_or_else(|| (*text).to_owned(), |(from, to)| reindent(text, from, to)),
        end: if i + 1 == n { last_end } else { end },
    });
    let is_at_end = at == lines.len();
    let new: Vec<_> = new.collect();
    if new.is_empty() && is_at_end && last_end.is_empty() {
        // The last lines of a file without a line break at its end went away.
        if let Some(line) = at.checked_sub(1).and_then(|at| lines.get_mut(at)) {
            line.end = "";
        }
    }
    lines.splice(at..at, new);
    lines
}

/// The indentation of the searched text and of what was found, at the first line with text.
pub(crate) fn shift(old: &[Line], search: &[&str]) -> Option<(String, String)> {
    let (line, search) = old.iter().zip(search).find(|(_, search)| !search.trim().is_empty())?;
    Some((indent_of(search).to_owned(), indent_of(&line.text).to_owned()))
}

fn indent_of(line: &str) -> &str {
    line.strip_suffix(line.trim_start()).unwrap_or_default()
}

/// A new line with the indentation that the found text has where the searched one has another.
pub(crate) fn reindent(line: &str, from: &str, to: &str) -> String {
    if line.trim().is_empty() {
        return line.to_owned();
    }
    if let Some(rest) = line.strip_prefix(from) {
        return format!("{to}{rest}");
    }
    // It is indented less than the searched text: it loses as much as it has.
    let missing = from.chars().count() - indent_of(line).chars().count().min(from.chars().count());
    let kept = to.chars().count().saturating_sub(missing);
    let to: String = to.chars().take(kept).collect();
    format!("{to}{}", line.trim_start())
}

/// Replaces a piece of one line.
pub(crate) fn put_inside(
    mut lines: Vec<Line>,
    line: usize,
    at: usize,
    search: &[&str],
    replace: &[&str],
) -> Vec<Line> {
    let usual = usual_end(&lines);
    let piece = search.first().copied().unwrap_or_default();
    let Some(old) = lines.get(line) else { return lines };
    let (before, rest) = old.text.split_at_checked(at).unwrap_or((&old.text, ""));
    let after = rest.strip_prefix(piece).unwrap_or_default();
    let joined = format!("{before}{}{after}", replace.join("\n"));
    let last_end = old.end;
    let end = if last_end.is_empty() { usual } else { last_end };
    let texts: Vec<_> = joined.split('\n').map(str::to_owned).collect();
    let n = texts.len();
    let new = texts.into_iter().enumerate();
    let new = new.map(|(i, text)| Line { text, end: if i + 1 == n { last_end } else { end } });
    let new: Vec<_> = new.collect();
    lines.splice(line..=line, new);
    lines
}
