//! How names are compared, and which known names are near a wrong one.

use alloc::{borrow::ToOwned as _, string::String, vec, vec::Vec};

/// Most names that [`nearest`] gives.
const N_NEAREST: usize = 3;

/// Whether two names mean the same: ASCII case does not count, a hyphen equals an underscore.
#[must_use]
pub fn is_same_name(left: &str, right: &str) -> bool {
    left.len() == right.len() && left.bytes().map(fold).eq(right.bytes().map(fold))
}

/// The known names near `name`, best first, at most three; none if nothing is near.
///
/// Near is what differs by at most a third of its letters, or what contains the other name as a
/// whole. Time grows with the product of the lengths.
///
/// # Examples
///
/// ```
/// let known = ["read_file", "write_file", "say"];
/// assert_eq!(tagline_protocol::nearest("readfile", known), ["read_file"]);
/// assert!(tagline_protocol::nearest("quantum", known).is_empty());
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut near: Vec<(usize, &str)> =
        known.into_iter().filter_map(|it| Some((distance_if_near(name, it)?, it))).collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(N_NEAREST).map(|(_, it)| it.to_owned()).collect()
}

fn fold(byte: u8) -> u8 {
    if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() }
}

fn folded(name: &str) -> Vec<u8> {
    name.bytes().map(fold).collect()
}

fn distance_if_near(name: &str, known: &str) -> Option<usize> {
    let (name, known) = (folded(name), folded(known));
    let longer = name.len().max(known.len());
    let distance = distance(&name, &known);
    let is_part = is_part(&name, &known) || is_part(&known, &name);
    (distance <= longer.div_ceil(3).min(4) && distance < longer || is_part).then_some(distance)
}

/// Whether `part`, of three bytes or more, stands within `whole`.
fn is_part(part: &[u8], whole: &[u8]) -> bool {
    3 <= part.len() && whole.windows(part.len()).any(|window| window == part)
}

/// Levenshtein's distance in bytes, one row at a time.
fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for ((b, above), diagonal) in right.iter().zip(row.iter().skip(1)).zip(&row) {
            let beside = next.last().copied().unwrap_or(i);
            next.push((diagonal + usize::from(a != b)).min(above + 1).min(beside + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_hyphens_do_not_count() {
        assert!(is_same_name("Read-File", "read_file"));
        assert!(!is_same_name("read file", "read_file"));
    }

    #[test]
    fn the_nearest_name_comes_first_and_far_names_do_not_come() {
        let known = ["write_file", "read_file", "read_batch", "say"];
        assert_eq!(nearest("reed_file", known), ["read_file", "write_file"]);
        assert_eq!(nearest("file", known), ["read_file", "write_file"]);
        assert!(nearest("teleport", known).is_empty());
        assert!(nearest("x", ["y"]).is_empty());
        assert!(nearest("", known).is_empty());
    }

    #[test]
    fn the_distance_counts_inserted_removed_and_changed_letters() {
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"", b"abc"), 3);
        assert_eq!(distance(b"abc", b"abc"), 0);
    }
}
