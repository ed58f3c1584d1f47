//! Which registered names a wrong one may have meant.

use alloc::{string::String, vec::Vec};

use crate::chars::fold;

/// Most names handed out.
const MOST: usize = 3;

/// Registered names, best first, for the message about an unknown one.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut ranked: Vec<(usize, &str)> = names.map(|it| (rank(name, it), it)).collect();
    ranked.retain(|(rank, it)| *rank <= it.len().max(name.len()) * 2 / 3);
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().take(MOST).map(|(_, it)| it.into()).collect()
}

/// Whether a name is so near to a registered one that it was meant to be it. Short names are near
/// to everything, so they are near to nothing.
pub(crate) fn is_near(name: &str, registered: &str) -> bool {
    let longest = name.len().max(registered.len());
    let allowed = match longest {
        0..=4 => return false,
        5..=7 => 1,
        8..=11 => 2,
        12.. => 3,
    };
    plain(name).eq(plain(registered)) || distance(name, registered) <= allowed
}

/// Letters and digits alone.
fn plain(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().map(fold).filter(|byte| *byte != b'_')
}

/// Names that share a word are nearer than their letters say.
fn rank(name: &str, registered: &str) -> usize {
    let shared = words(name).any(|word| words(registered).any(|it| it.eq_ignore_ascii_case(word)));
    let distance = distance(name, registered);
    if shared { distance / 2 } else { distance }
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '-']).filter(|word| word.len() > 2)
}

/// Edits between two names: insert, delete, replace, swap neighbors. Names are at most 256 bytes,
/// so the square is bounded.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<u8> = a.bytes().map(fold).take(64).collect();
    let b: Vec<u8> = b.bytes().map(fold).take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = alloc::vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], n: usize| row.get(n).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let is_swap = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if is_swap {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{is_near, nearest};

    #[test]
    fn slips_are_near_and_other_words_are_not() {
        assert!(is_near("serach", "search"));
        assert!(is_near("readFile", "read_file"));
        assert!(is_near("write_fle", "write_file"));
        assert!(!is_near("task", "ask"));
        assert!(!is_near("reader", "read"));
        assert!(!is_near("open_file", "read_file"));
    }

    #[test]
    fn names_that_share_a_word_come_first() {
        let names = ["say", "read_file", "search"];
        assert_eq!(nearest("open_file", names.into_iter()), ["read_file"]);
    }
}
