//! Files cut into blocks, and which files are tests.

use std::path::Path;

/// A block is not ended by a blank line before it has this many lines.
const LEAST: usize = 8;
/// Beyond this, any blank line ends it.
const USUAL: usize = 60;
/// Beyond this, it ends anywhere.
const MOST: usize = 90;

/// Where blocks begin and end, as ranges of line indexes: at blank lines before a line without
/// indentation, as long as blocks are neither tiny nor huge.
pub(crate) fn cut(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let (mut blocks, mut start) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate().skip(1) {
        let is_behind_blank = lines.get(at - 1).is_some_and(|before| before.trim().is_empty());
        let is_outer = !line.is_empty() && !line.starts_with([' ', '\t', '}', ')']);
        let n = at - start;
        let ends = (n >= LEAST && is_behind_blank && is_outer)
            || (n >= USUAL && is_behind_blank)
            || n >= MOST;
        if ends {
            blocks.push(start..at);
            start = at;
        }
    }
    if start < lines.len() {
        blocks.push(start..lines.len());
    }
    blocks
}

/// Whether a path names a test, by the customs of the usual languages.
pub(crate) fn is_test(path: &Path) -> bool {
    let folders =
        ["test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures", "benches"];
    let names = path.iter().map(|name| name.to_string_lossy().to_lowercase());
    let names: Vec<_> = names.collect();
    let Some((file, above)) = names.split_last() else { return false };
    let stem = file.split('.').next().unwrap_or_default();
    above.iter().any(|name| folders.contains(&name.as_str()))
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || matches!(stem, "test" | "tests" | "conftest")
        || [".test.", ".spec.", "-test."].iter().any(|mark| file.contains(mark))
}

/// The text without the tests at its end, as Rust files have them.
pub(crate) fn without_tests(text: &str) -> &str {
    let at = text.find("\n#[cfg(test)]\nmod ");
    at.and_then(|at| text.get(..at + 1)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_begin_behind_blank_lines() {
        let text = "fn a() {\n\n    x();\n}\n\n\n\n\n\nfn b() {\n}\n";
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(cut(&lines), [0..9, 9..11]);
        assert!(cut(&[]).is_empty());
        let long = vec!["x"; 200];
        assert_eq!(cut(&long), [0..90, 90..180, 180..200]);
    }

    #[test]
    fn tests_are_known_by_their_names() {
        for path in ["tests/it.rs", "a/__tests__/b.js", "x_test.go", "test_x.py", "b.spec.ts"] {
            assert!(is_test(Path::new(path)), "{path}");
        }
        for path in ["src/main.rs", "contest.py", "latest/x.rs", "attestation.go"] {
            assert!(!is_test(Path::new(path)), "{path}");
        }
    }
}
