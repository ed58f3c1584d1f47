//! SEARCH/REPLACE blocks as a model writes them.

use std::{collections::BTreeSet, ops::Range};

/// How a block's marker lines are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// `------- SEARCH` … `+++++++ REPLACE`
    Dashes,
    /// `<<<<<<< SEARCH` … `>>>>>>> REPLACE`
    Angles,
}

/// One block: its lines between the markers, and where its divider may be.
///
/// A line of `=======` may also belong to the searched or the new text; which one divides is
/// decided by what stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block<'t> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Where it stands among the lines of the whole, markers included.
    span: Range<usize>,
    lines: Vec<&'t str>,
    dividers: Vec<usize>,
}

impl<'t> Block<'t> {
    /// The ways to read it: what is searched, what replaces it.
    pub(crate) fn readings(&self) -> impl Iterator<Item = (&[&'t str], &[&'t str])> {
        self.dividers.iter().filter_map(|at| {
            let (search, rest) = self.lines.split_at_checked(*at)?;
            Some((search, rest.get(1..)?))
        })
    }
}

/// Why text is not a sequence of blocks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BlockFault {
    #[error("expected a `------- SEARCH` line, but there is none; write at least one block")]
    None,
    #[error(
        "line {line}: expected a `------- SEARCH` line, but found `{found}`; write nothing \
         between the blocks"
    )]
    Stray { line: usize, found: String },
    #[error(
        "block {0}: expected a `+++++++ REPLACE` line at its end, but the text ended; write the \
         whole block"
    )]
    NoEnd(usize),
    #[error(
        "block {0}: expected a `=======` line between the searched and the new text, but there is \
         none; write it on a line of its own"
    )]
    NoDivider(usize),
}

/// Takes blocks apart. Blank lines between them are ignored, and so is a Markdown fence around
/// all of them.
pub(crate) fn parse(text: &str) -> Result<Vec<Block<'_>>, BlockFault> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut blocks, mut at) = (Vec::new(), 0);
    while let Some(line) = lines.get(at) {
        let number = blocks.len() + 1;
        match start(line) {
            Some(spelling) => {
                let rest = lines.get(at + 1..).unwrap_or_default();
                let n = end(rest, spelling).ok_or(BlockFault::NoEnd(number))?;
                let span = at..at + n + 2;
                at = span.end;
                blocks.push(block(number, span, rest.get(..n).unwrap_or_default())?);
            }
            None if line.trim().is_empty() || line.trim_start().starts_with("```") => at += 1,
            None => {
                let found = line.chars().take(60).collect();
                return Err(BlockFault::Stray { line: at + 1, found });
            }
        }
    }
    if blocks.is_empty() { Err(BlockFault::None) } else { Ok(blocks) }
}

/// The text with those blocks alone that `take` numbers, from 0, and how many there are. `None`
/// where it holds no blocks.
pub(crate) fn only(text: &str, take: &BTreeSet<usize>) -> Option<(String, usize)> {
    let blocks = parse(text).ok()?;
    let is_left = |block: &&Block<'_>| !take.contains(&(block.number - 1));
    let left: Vec<_> = blocks.iter().filter(is_left).map(|block| block.span.clone()).collect();
    let is_kept = |(at, _): &(usize, &str)| !left.iter().any(|span| span.contains(at));
    let kept = text.split_inclusive('\n').enumerate().filter(is_kept);
    Some((kept.map(|(_, line)| line).collect(), blocks.len()))
}

fn block<'t>(
    number: usize,
    span: Range<usize>,
    lines: &[&'t str],
) -> Result<Block<'t>, BlockFault> {
    let dividers = dividers(lines);
    if dividers.is_empty() {
        return Err(BlockFault::NoDivider(number));
    }
    Ok(Block { number, span, lines: lines.to_vec(), dividers })
}

/// Lines of `=======` that do not belong to a whole merge conflict inside the block; all of them
/// if each does.
fn dividers(lines: &[&str]) -> Vec<usize> {
    let mut depth = 0_usize;
    let (mut outer, mut all) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("<<<<<<< ") {
            depth += 1;
        } else if line.starts_with(">>>>>>> ") {
            depth = depth.saturating_sub(1);
        } else if is_run(line.trim_end(), '=') {
            all.push(at);
            if depth == 0 {
                outer.push(at);
            }
        }
    }
    if outer.is_empty() { all } else { outer }
}

/// Where a block ends: at the first end marker of its own spelling, else of the other one.
fn end(lines: &[&str], spelling: Spelling) -> Option<usize> {
    let own = match spelling {
        Spelling::Dashes => '+',
        Spelling::Angles => '>',
    };
    let other = if own == '+' { '>' } else { '+' };
    let find = |mark| lines.iter().position(|line| is_marker(line, mark, "REPLACE"));
    find(own).or_else(|| find(other))
}

fn start(line: &str) -> Option<Spelling> {
    if is_marker(line, '-', "SEARCH") {
        return Some(Spelling::Dashes);
    }
    is_marker(line, '<', "SEARCH").then_some(Spelling::Angles)
}

/// Whether a line is a run of one character and a word; a `>` behind the word is a slip that
/// models make.
fn is_marker(line: &str, mark: char, word: &str) -> bool {
    let line = line.trim();
    let line = line.strip_suffix('>').unwrap_or(line);
    let run = line.strip_suffix(word).map(str::trim_end);
    run.is_some_and(|run| is_run(run, mark))
}

fn is_run(text: &str, mark: char) -> bool {
    text.len() >= 5 && text.len() <= 12 && text.chars().all(|c| c == mark)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let shown = match parse(text) {
            Err(fault) => fault.to_string(),
            Ok(blocks) => {
                let shown = blocks.iter().flat_map(|block| {
                    let number = block.number;
                    block.readings().map(move |(search, replace)| {
                        format!("{number}: {search:?} -> {replace:?}\n")
                    })
                });
                shown.collect()
            }
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn both_spellings_are_read() {
        check(
            "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n\n<<<<<<< SEARCH\nc\n=======\n>>>>>>> REPLACE",
            expect![[r#"
                1: ["a"] -> ["b"]
                2: ["c"] -> []
            "#]],
        );
    }

    #[test]
    fn a_marker_with_an_extra_angle_is_read() {
        check(
            "<<<<<<< SEARCH>\nx\n=======\ny\n>>>>>>> REPLACE\n",
            expect![[r#"
                1: ["x"] -> ["y"]
            "#]],
        );
    }

    #[test]
    fn a_fence_around_all_blocks_is_ignored() {
        check(
            "```diff\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n```\n",
            expect![[r#"
                1: ["x"] -> ["y"]
            "#]],
        );
    }

    #[test]
    fn conflict_markers_in_the_searched_text_belong_to_it() {
        check(
            "------- SEARCH\n<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> br\n=======\nint b;\n+++++++ REPLACE\n",
            expect![[r#"
                1: ["<<<<<<< HEAD", "int a;", "=======", "int b;", ">>>>>>> br"] -> ["int b;"]
            "#]],
        );
    }

    #[test]
    fn a_heading_underline_gives_two_readings() {
        check(
            "------- SEARCH\nOld\n=======\n=======\nNew\n=======\n+++++++ REPLACE",
            expect![[r#"
                1: ["Old"] -> ["=======", "New", "======="]
                1: ["Old", "======="] -> ["New", "======="]
                1: ["Old", "=======", "=======", "New"] -> []
            "#]],
        );
    }

    #[test]
    fn blocks_of_one_spelling_can_edit_text_about_the_other() {
        check(
            "------- SEARCH\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n=======\nz\n+++++++ REPLACE",
            expect![[r#"
                1: ["<<<<<<< SEARCH", "x", "=======", "y", ">>>>>>> REPLACE"] -> ["z"]
            "#]],
        );
    }

    #[test]
    fn what_is_no_block_is_told() {
        check(
            "",
            expect![[
                r#"expected a `------- SEARCH` line, but there is none; write at least one block"#
            ]],
        );
        check(
            "x\n",
            expect![[
                r#"line 1: expected a `------- SEARCH` line, but found `x`; write nothing between the blocks"#
            ]],
        );
        check(
            "------- SEARCH\nx\n=======\n",
            expect![[
                r#"block 1: expected a `+++++++ REPLACE` line at its end, but the text ended; write the whole block"#
            ]],
        );
        check(
            "------- SEARCH\nx\n+++++++ REPLACE",
            expect![[
                r#"block 1: expected a `=======` line between the searched and the new text, but there is none; write it on a line of its own"#
            ]],
        );
    }
}
