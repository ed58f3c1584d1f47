//! What changed between two texts.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::files::text::count;

/// Most lines that are compared; beyond, only the counts of bytes and lines are told.
const LINES: usize = 50_000;
/// Longest that a comparison may take; what is left then counts as changed.
const TIME: Duration = Duration::from_millis(200);

/// Lines added and removed, and a unified diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff {
    pub(crate) n_added: usize,
    pub(crate) n_removed: usize,
    /// With three lines around each change, line ends as plain ones; empty where the texts are too long to compare.
    pub(crate) unified: String,
}

impl Diff {
    /// Between two texts.
    pub(crate) fn between(old: &str, new: &str) -> Self {
        let n = old.lines().count().max(new.lines().count());
        if n > LINES {
            return Self {
                n_added: new.lines().count(),
                n_removed: old.lines().count(),
                unified: String::new(),
            };
        }
        let diff = TextDiff::configure().timeout(TIME).diff_lines(old, new);
        let n_of = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
        let (n_added, n_removed) = (n_of(ChangeTag::Insert), n_of(ChangeTag::Delete));
        let unified = diff.unified_diff().context_radius(3).to_string().replace("\r\n", "\n");
        Self { n_added, n_removed, unified }
    }

    /// `+3 -1`.
    pub(crate) fn stat(&self) -> String {
        format!("+{} -{}", self.n_added, self.n_removed)
    }

    /// The diff, cut at a line within `limit` bytes; what is left out is counted.
    pub(crate) fn bounded(&self, limit: usize) -> String {
        if self.unified.len() <= limit {
            return self.unified.clone();
        }
        let mut kept = String::new();
        for line in self.unified.split_inclusive('\n') {
            if kept.len() + line.len() > limit {
                break;
            }
            kept.push_str(line);
        }
        let n_left = self.unified.lines().count() - kept.lines().count();
        format!("{kept}[{} of the diff]\n", count(n_left as u64, "more line"))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn changes_are_counted_and_shown() {
        let diff = Diff::between("a\nb\nc\n", "a\nB\nc\nd\n");
        expect![[r#"
            +2 -1
            @@ -1,3 +1,4 @@
             a
            -b
            +B
             c
            +d
        "#]]
        .assert_eq(&format!("{}\n{}", diff.stat(), diff.unified));
        expect![[r#"
            @@ -1,3 +1,4 @@
             a
            -b
            +B
            [2 more lines of the diff]
        "#]]
        .assert_eq(&diff.bounded(25));
    }
}
