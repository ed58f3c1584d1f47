//! The text of the file that is most like what was searched.

use std::{collections::HashSet, fmt::Write as _};

use crate::files::replace::lines::Line;

/// Most lines that are shown.
const SHOWN: usize = 12;
/// Most lines of the file that are compared.
const COMPARED: usize = 20_000;
/// Longest piece of a line that is compared or shown, in characters.
const WIDTH: usize = 160;

/// The lines that are most like the searched ones, with their numbers, in a sentence that ends in
/// `advice`.
pub(crate) fn nearest(lines: &[Line], search: &[&str], advice: &str) -> String {
    let Some(at) = best(lines, search) else {
        return "read the file again, nothing in it is like it".to_owned();
    };
    let mut shown = format!("the nearest text there, from line {}, is:\n", at + 1);
    let n = search.len().clamp(1, SHOWN);
    for (i, line) in lines.iter().enumerate().skip(at).take(n) {
        let text: String = line.text.chars().take(WIDTH).collect();
        let _ = writeln!(shown, "{} | {text}", i + 1);
    }
    shown.push_str(advice);
    shown
}

/// Where the most alike window starts; `None` where nothing is alike.
fn best(lines: &[Line], search: &[&str]) -> Option<usize> {
    let wanted: Vec<_> = search.iter().map(|line| pairs(line)).collect();
    let found: Vec<_> = lines.iter().take(COMPARED).map(|line| pairs(&line.text)).collect();
    let n = wanted.len().min(SHOWN);
    let score = |at: usize| -> usize {
        let window = found.iter().skip(at).take(n);
        window.zip(&wanted).map(|(line, wanted)| alike(line, wanted)).sum()
    };
    let best = (0..found.len()).map(|at| (score(at), at)).max_by_key(|(score, at)| {
        // Of equally alike places the first.
        (*score, usize::MAX - at)
    });
    // A third alike on average, in percent.
    best.filter(|(score, _)| *score >= 33 * n.max(1)).map(|(_, at)| at)
}

/// The pairs of neighboring characters of a line, blanks left out.
fn pairs(line: &str) -> HashSet<(char, char)> {
    let chars: Vec<_> = line.chars().filter(|c| !c.is_whitespace()).take(WIDTH).collect();
    let next = chars.iter().skip(1).copied().chain(std::iter::once('\n'));
    chars.iter().copied().map(|c| c.to_ascii_lowercase()).zip(next).collect()
}

/// How alike two lines are, in percent (Sørensen–Dice).
fn alike(a: &HashSet<(char, char)>, b: &HashSet<(char, char)>) -> usize {
    if a.is_empty() && b.is_empty() {
        return 100;
    }
    let n_common = a.intersection(b).count();
    200 * n_common / (a.len() + b.len())
}
