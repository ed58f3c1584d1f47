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
    let is_short = name.len().abs_diff(registered.len()) > allowed;
    plain(name).eq(plain(registered)) || (!is_short && distance(name, registered) <= allowed)
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

/// The part of a name that is compared.
const COMPARED: usize = 64;

/// Edits between two names: insert, delete, replace, swap neighbors. Names are compared up to
/// [`COMPARED`] bytes, so the square is bounded.
fn distance(a: &str, b: &str) -> usize {
    let folded = |name: &str| {
        let mut bytes = [0; COMPARED];
        bytes.iter_mut().zip(name.bytes()).for_each(|(to, byte)| *to = fold(byte));
        bytes
    };
    let n_b = b.len().min(COMPARED);
    let (a_bytes, b_bytes) = (folded(a), folded(b));
    let (mut before, mut last) = ([0; COMPARED + 1], [0; COMPARED + 1]);
    (0_u8..).zip(&mut last).for_each(|(n, it)| *it = n);
    let mut x_before = None;
    for (i, &x) in (0_u8..).zip(a_bytes.iter().take(a.len())) {
        let mut row = [0; COMPARED + 1];
        let (mut left, mut diagonal, mut y_before) = (i + 1, i, None);
        // Of the row before the last one, two places to the left.
        let swaps = [0].into_iter().chain(before);
        let columns = row.iter_mut().zip(b_bytes.iter().take(n_b)).zip(last.iter().skip(1));
        for (((to, &y), &above), swapped) in columns.zip(swaps) {
            let mut best = (diagonal + u8::from(x != y)).min(above + 1).min(left + 1);
            if y_before == Some(x) && x_before == Some(y) {
                best = best.min(swapped + 1);
            }
            *to = left;
            (left, diagonal, y_before) = (best, above, Some(y));
        }
        if let Some(end) = row.get_mut(n_b) {
            *end = left;
        }
        (before, last, x_before) = (last, row, Some(x));
    }
    last.get(n_b).copied().map_or(0, usize::from)
}

#[cfg(test)]
mod tests {
    use super::{distance, is_near, nearest};

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
    fn edits_are_counted() {
        let counted = [("", "abc", 3), ("abc", "abc", 0), ("ab", "ba", 1), ("a-b", "A_c", 1)];
        for (a, b, n) in counted.into_iter().chain([("kitten", "sitting", 3), ("ca", "abc", 3)]) {
            assert_eq!(distance(a, b), n, "{a} {b}");
            assert_eq!(distance(b, a), n, "{b} {a}");
        }
        assert_eq!(distance(&"a".repeat(300), "b"), 64);
    }

    #[test]
    fn names_that_share_a_word_come_first() {
        let names = ["say", "read_file", "search"];
        assert_eq!(nearest("open_file", names.into_iter()), ["read_file"]);
    }
}
