//! Applies blocks to a text: all of them, or none.

use crate::files::replace::{
    blocks::Block,
    find::{Found, find},
    lines::{Line, split, usual_end},
    near::nearest,
    put::{put_inside, put_lines},
};

/// Why a block does not apply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApplyFault {
    #[error("block {number}: the searched text is not in the file; {near}")]
    NoMatch { number: usize, near: String },
    #[error(
        "block {number}: the searched text stands there {} times, at lines {}; add lines around \
         it until it is unique",
        .lines.len(),
        join(.lines)
    )]
    Several { number: usize, lines: Vec<usize> },
    #[error(
        "block {number}: nothing is searched, but the file holds {n_lines} lines; search the lines \
         that the new ones replace"
    )]
    EmptySearch { number: usize, n_lines: usize },
}

fn join(lines: &[usize]) -> String {
    let shown: Vec<_> = lines.iter().take(10).map(ToString::to_string).collect();
    let rest = if lines.len() > 10 { ", …" } else { "" };
    shown.join(", ") + rest
}

/// Applies the blocks one after the other, each to the result of the ones before.
pub(crate) fn all(text: &str, blocks: &[Block<'_>]) -> Result<String, ApplyFault> {
    let mut lines = split(text);
    for block in blocks {
        lines = one(lines, block)?;
    }
    Ok(lines.iter().flat_map(|line| [line.text.as_str(), line.end]).collect())
}

fn one(lines: Vec<Line>, block: &Block<'_>) -> Result<Vec<Line>, ApplyFault> {
    let number = block.number;
    let mut best = None;
    for (search, replace) in block.readings() {
        if search.iter().all(|line| line.trim().is_empty()) {
            return fill_empty(lines, number, replace);
        }
        // Later readings search more lines, so where several fit the last one says most.
        let found = find(&lines, search);
        if best.is_none() || found != Found::Nothing {
            best = Some((found, search, replace));
        }
    }
    match best.unwrap_or((Found::Nothing, &[], &[])) {
        (Found::Lines { at, level }, search, replace) => {
            Ok(put_lines(lines, at, search, replace, level))
        }
        (Found::Inside { line, at }, search, replace) => {
            Ok(put_inside(lines, line, at, search, replace))
        }
        (Found::Several(at), ..) => Err(ApplyFault::Several { number, lines: at }),
        (Found::Nothing, search, _) => {
            let near = nearest(&lines, search, "search the lines as they stand there");
            Err(ApplyFault::NoMatch { number, near })
        }
    }
}

fn fill_empty(lines: Vec<Line>, number: usize, replace: &[&str]) -> Result<Vec<Line>, ApplyFault> {
    if lines.iter().any(|line| !line.text.is_empty()) {
        return Err(ApplyFault::EmptySearch { number, n_lines: lines.len() });
    }
    let end = usual_end(&lines);
    Ok(replace.iter().map(|text| Line { text: (*text).to_owned(), end }).collect())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::files::replace::blocks::parse;

    fn apply(file: &str, diff: &str) -> Result<String, String> {
        let blocks = parse(diff).map_err(|fault| fault.to_string())?;
        all(file, &blocks).map_err(|fault| fault.to_string())
    }

    fn block(search: &str, replace: &str) -> String {
        format!("------- SEARCH\n{search}=======\n{replace}+++++++ REPLACE\n")
    }

    #[track_caller]
    fn check(file: &str, diff: &str, expected: Expect) {
        let shown = match apply(file, diff) {
            Ok(new) => new.escape_debug().to_string().replace("\\n", "\\n\n"),
            Err(fault) => fault,
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn whole_lines_are_replaced_added_and_removed() {
        check(
            "a\nb\nc\n",
            &block("b\n", "B\nBB\n"),
            expect![[r#"
            a\n
            B\n
            BB\n
            c\n
        "#]],
        );
        check(
            "a\nb\nc\n",
            &block("b\n", ""),
            expect![[r#"
            a\n
            c\n
        "#]],
        );
        check(
            "a\nb",
            &block("b\n", "c\n"),
            expect![[r#"
            a\n
            c"#]],
        );
        check("a\nb", &block("b\n", ""), expect![[r#"a"#]]);
    }

    #[test]
    fn line_ends_of_the_file_stay() {
        check(
            "a\r\nb\r\nc\r\n",
            &block("b\n", "B\nBB\n"),
            expect![[r#"
            a\r\n
            B\r\n
            BB\r\n
            c\r\n
        "#]],
        );
        check(
            "a\nb\r\nc\n",
            &block("b\n", "B\n"),
            expect![[r#"
            a\n
            B\r\n
            c\n
        "#]],
        );
    }

    #[test]
    fn blanks_at_line_ends_and_indentation_are_forgiven_in_this_order() {
        check(
            "a  \nb\n",
            &block("a\nb\n", "c\n"),
            expect![[r#"
            c\n
        "#]],
        );
        let file = "fn f() {\n        if x {\n            y();\n        }\n}\n";
        let diff = block("if x {\n    y();\n}\n", "if z {\n    y();\n\n    w();\n}\n");
        check(
            file,
            &diff,
            expect![[r#"
            fn f() {\n
                    if z {\n
                        y();\n
            \n
                        w();\n
                    }\n
            }\n
        "#]],
        );
        let file = "fn f() {\n\tx();\n\ty();\n}\n";
        check(
            file,
            &block("        x();\n        y();\n", "    z();\n"),
            expect![[r#"
            fn f() {\n
            z();\n
            }\n
        "#]],
        );
    }

    #[test]
    fn a_piece_of_one_line_is_found() {
        check(
            "let x = f(1);\nlet y = 2;\n",
            &block("f(1)\n", "f(2)\n"),
            expect![[r#"
            let x = f(2);\n
            let y = 2;\n
        "#]],
        );
    }

    #[test]
    fn a_new_or_empty_file_is_filled() {
        check(
            "",
            &block("", "a\nb\n"),
            expect![[r#"
            a\n
            b\n
        "#]],
        );
        check(
            "a\nb\n",
            &block("", "c\n"),
            expect![[
                r#"block 1: nothing is searched, but the file holds 2 lines; search the lines that the new ones replace"#
            ]],
        );
    }

    #[test]
    fn several_matches_name_their_lines() {
        check(
            "x\na\nx\n",
            &block("x\n", "y\n"),
            expect![[
                r#"block 1: the searched text stands there 2 times, at lines 1, 3; add lines around it until it is unique"#
            ]],
        );
        check(
            "f(1) f(1)\n",
            &block("f(1)\n", "y\n"),
            expect![[
                r#"block 1: the searched text stands there 2 times, at lines 1, 1; add lines around it until it is unique"#
            ]],
        );
    }

    #[test]
    fn no_match_shows_the_nearest_text() {
        let file = "use a;\n\nfn main() {\n    println!(\"hello\");\n    done();\n}\n";
        let diff = block("fn main() {\n    println!(\"Hello\");\n    done();\n", "x\n");
        check(
            file,
            &diff,
            expect![[r#"
            block 1: the searched text is not in the file; the nearest text there, from line 3, is:
            3 | fn main() {
            4 |     println!("hello");
            5 |     done();
            search the lines as they stand there"#]],
        );
        check(
            "a\nb\n",
            &block("entirely different words here\n", ""),
            expect![[
                r#"block 1: the searched text is not in the file; read the file again, nothing in it is like it"#
            ]],
        );
        check(
            "",
            &block("x\n", ""),
            expect![[
                r#"block 1: the searched text is not in the file; read the file again, nothing in it is like it"#
            ]],
        );
    }

    #[test]
    fn later_blocks_see_what_earlier_ones_did() {
        let diff = block("a\n", "b\n") + &block("b\n", "c\n");
        check(
            "a\n",
            &diff,
            expect![[r#"
            c\n
        "#]],
        );
        let diff = block("a\n", "b\n") + &block("zebra\n", "c\n");
        check(
            "a\n",
            &diff,
            expect![[
                r#"block 2: the searched text is not in the file; read the file again, nothing in it is like it"#
            ]],
        );
    }

    #[test]
    fn the_divider_that_fits_the_file_is_taken() {
        let diff = block("Old\n=======\n", "New\n=======\n");
        check(
            "Old\n=======\ntext\n",
            &diff,
            expect![[r#"
            New\n
            =======\n
            text\n
        "#]],
        );
        let conflict = "<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> br\n";
        check(
            &format!("x\n{conflict}y\n"),
            &block(conflict, "int b;\n"),
            expect![[r#"
            x\n
            int b;\n
            y\n
        "#]],
        );
    }

    proptest! {
        #[test]
        fn an_exact_unique_match_changes_nothing_else(
            before in proptest::collection::vec("[a-d ]{0,6}", 0..6),
            old in "[e-h]{1,6}",
            new in proptest::collection::vec("[e-h ]{0,6}", 0..4),
            after in proptest::collection::vec("[a-d ]{0,6}", 0..6),
            end in prop_oneof![Just("\n"), Just("\r\n")],
        ) {
            let join = |lines: &[String]| -> String {
                lines.iter().map(|line| format!("{line}{end}")).collect()
            };
            let file = format!("{}{old}{end}{}", join(&before), join(&after));
            let replace: String = new.iter().map(|line| format!("{line}\n")).collect();
            let expected = format!("{}{}{}", join(&before), join(&new), join(&after));
            prop_assert_eq!(apply(&file, &block(&format!("{old}\n"), &replace)), Ok(expected));
        }

        #[test]
        fn any_blocks_give_a_text_or_a_sentence(
            file in "([ab ]|=======|\r?\n){0,20}",
            lines in proptest::collection::vec(proptest::sample::select(vec![
                "------- SEARCH", "=======", "+++++++ REPLACE", "<<<<<<< SEARCH", ">>>>>>> REPLACE",
                "<<<<<<< HEAD", ">>>>>>> br", "a", "  b", "", "```",
            ]), 0..14),
        ) {
            // What fails says why; what applies leaves each untouched line as it was.
            if let Err(message) = apply(&file, &lines.join("\n")) {
                prop_assert!(!message.is_empty());
            }
        }

        #[test]
        fn any_text_splits_and_joins_back(text in "[ab\r\n]{0,40}") {
            let joined: String =
                split(&text).iter().flat_map(|line| [line.text.as_str(), line.end]).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
