//! `apply_patch`, from the files to the files.

use std::os::unix::fs::PermissionsExt as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use crate::files::Desk;

/// A workspace whose files were read.
fn desk(files: &[(&str, &str)]) -> Desk {
    let desk = Desk::new();
    for (path, text) in files {
        desk.put(path, text);
        desk.run("read_file", json!({ "path": path })).unwrap();
    }
    desk
}

/// What the model reads, and every file afterwards.
#[track_caller]
fn check(files: &[(&str, &str)], patch: &str, expected: Expect) -> Desk {
    let desk = desk(files);
    let echo = desk.echo("apply_patch", json!({ "patch": patch }));
    let tree = desk.tree();
    let shown = tree.lines().filter(|path| desk.path(path).is_file()).map(|path| {
        let text = std::fs::read(desk.path(path)).unwrap();
        format!("{path}: {:?}\n", String::from_utf8_lossy(&text))
    });
    expected.assert_eq(&format!("{echo}\n---\n{}", shown.collect::<String>()));
    desk
}

const PROGRAM: &str = "use a;\n\nfn main() {\n    one();\n    two();\n}\n\nfn other() {\n    one();\n    three();\n}\n";

#[test]
fn several_files_change_at_once() {
    check(
        &[("src/a.rs", PROGRAM), ("b.txt", "b\n"), ("gone.txt", "x\ny\n")],
        "\
diff --git a/src/a.rs b/src/a.rs
index 123..456 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -3,4 +3,5 @@ use a;
 fn main() {
-    one();
+    uno();
+    due();
     two();
 }
@@ -9,3 +10,3 @@ fn other() {
     one();
-    three();
+    tre();
 }
--- /dev/null
+++ b/new/deep/c.txt
@@ -0,0 +1,2 @@
+c

+d
--- a/gone.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-x
-y
",
        expect![[r#"
            patched 3 files, +6 -4
            changed `src/a.rs`: +3 -2
            created `new/deep/c.txt`: +3 -0
            deleted `gone.txt`, it is kept in the undo store: +0 -2
            ---
            b.txt: "b\n"
            new/deep/c.txt: "c\n\nd\n"
            src/a.rs: "use a;\n\nfn main() {\n    uno();\n    due();\n    two();\n}\n\nfn other() {\n    one();\n    tre();\n}\n"
        "#]],
    );
}

#[test]
fn wrong_numbers_missing_marks_and_a_fence_are_forgiven() {
    check(
        &[("a.rs", PROGRAM)],
        "\
Here is the change:

```diff
--- a.rs
+++ a.rs
@@ -40,9 +77,2 @@
fn main() {
-    one();
+    uno();
     two();
 }

 fn other() {
```
",
        expect![[r#"
            patched 1 file, +1 -1
            changed `a.rs`: +1 -1
            ---
            a.rs: "use a;\n\nfn main() {\n    uno();\n    two();\n}\n\nfn other() {\n    one();\n    three();\n}\n"
        "#]],
    );
}

#[test]
fn the_form_with_stars_is_read() {
    check(
        &[("a.rs", PROGRAM), ("old.txt", "one\ntwo\n"), ("gone.txt", "x\n")],
        "\
*** Begin Patch
*** Update File: a.rs
@@ fn other() {
-    one();
+    uno();
*** Add File: b/new.txt
+n
*** Delete File: gone.txt
*** Update File: old.txt
*** Move to: sub/moved.txt
 one
-two
+TWO
*** End Patch
",
        expect![[r#"
            patched 4 files, +3 -3
            changed `a.rs`: +1 -1
            created `b/new.txt`: +1 -0
            deleted `gone.txt`, it is kept in the undo store: +0 -1
            moved `old.txt` to `sub/moved.txt`: +1 -1
            ---
            a.rs: "use a;\n\nfn main() {\n    one();\n    two();\n}\n\nfn other() {\n    uno();\n    three();\n}\n"
            b/new.txt: "n\n"
            sub/moved.txt: "one\nTWO\n"
        "#]],
    );
}

#[test]
fn a_place_that_is_not_told_is_asked_for() {
    let twice = "a\nsame\nb\nsame\nc\n";
    let patch = |header: &str| format!("--- a/f\n+++ b/f\n{header}\n-same\n+other\n");
    check(
        &[("f", twice)],
        &patch("@@"),
        expect![[r#"
        bad_call: `f`: hunk 1 (line 3 of the patch): its ` ` and `-` lines stand there 2 times, at lines 2, 4; give more lines around the change; nothing was written
        ---
        f: "a\nsame\nb\nsame\nc\n"
    "#]],
    );
    check(
        &[("f", twice)],
        &patch("@@ -4 +4 @@"),
        expect![[r#"
        patched 1 file, +1 -1
        changed `f`: +1 -1
        ---
        f: "a\nsame\nb\nother\nc\n"
    "#]],
    );
    check(
        &[("f", twice)],
        &patch("@@ -9 +9 @@ b"),
        expect![[r#"
        patched 1 file, +1 -1
        changed `f`: +1 -1
        ---
        f: "a\nsame\nb\nother\nc\n"
    "#]],
    );
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let new = "--- /dev/null\n+++ b/new\n@@\n+n\n";
    let wrong = "--- a/a.rs\n+++ b/a.rs\n@@ -3,3 +3,3 @@\n fn main() {\n-    won();\n+    uno();\n     two();\n";
    check(
        &[("a.rs", PROGRAM)],
        &format!("{new}{wrong}"),
        expect![[r#"
        bad_call: `a.rs`: hunk 1 (line 7 of the patch): its ` ` and `-` lines are not in the file; the nearest text there, from line 3, is:
        3 | fn main() {
        4 |     one();
        5 |     two();
        give the lines as they stand there; nothing was written
        ---
        a.rs: "use a;\n\nfn main() {\n    one();\n    two();\n}\n\nfn other() {\n    one();\n    three();\n}\n"
    "#]],
    );
    let applied = "--- a/a.rs\n+++ b/a.rs\n@@\n-    zero();\n+    one();\n     two();\n";
    check(
        &[("a.rs", PROGRAM)],
        applied,
        expect![[r#"
        bad_call: `a.rs`: hunk 1 (line 3 of the patch): its change is there already, from line 4; leave the hunk out; nothing was written
        ---
        a.rs: "use a;\n\nfn main() {\n    one();\n    two();\n}\n\nfn other() {\n    one();\n    three();\n}\n"
    "#]],
    );
    let bare = "--- a/a.rs\n+++ b/a.rs\n@@ -1,0 +2,1 @@\n+use b;\n";
    check(
        &[("a.rs", PROGRAM)],
        bare,
        expect![[r#"
        bad_call: `a.rs`: hunk 1 (line 3 of the patch): it only adds, but the file holds 11 lines; give the lines around the place as they stand there, each with a blank in front; nothing was written
        ---
        a.rs: "use a;\n\nfn main() {\n    one();\n    two();\n}\n\nfn other() {\n    one();\n    three();\n}\n"
    "#]],
    );
}

#[test]
fn files_that_are_not_as_the_patch_has_them_stay() {
    let there = "--- /dev/null\n+++ b/a.rs\n@@\n+n\n";
    check(
        &[("a.rs", "x\n")],
        there,
        expect![[r#"
        bad_call: `a.rs`: expected a new file, but it is there already; nothing was written, change it under its own name, without `/dev/null`
        ---
        a.rs: "x\n"
    "#]],
    );
    let part = "--- a/a.rs\n+++ /dev/null\n@@\n-x\n";
    check(
        &[("a.rs", "x\ny\n")],
        part,
        expect![[r#"
        bad_call: `a.rs`: expected all of its lines in the patch that deletes it, but others are left; nothing was written, delete it with `delete_file`
        ---
        a.rs: "x\ny\n"
    "#]],
    );
    let missing = "--- a/b.rs\n+++ b/b.rs\n@@\n-x\n+y\n";
    check(
        &[("a.rs", "x\n")],
        missing,
        expect![[r#"
        missing: `b.rs`: there is no such file or folder in the workspace; did you mean `a.rs`
        ---
        a.rs: "x\n"
    "#]],
    );
    let outside = "--- a/../b.rs\n+++ b/../b.rs\n@@\n-x\n+y\n";
    check(
        &[("a.rs", "x\n")],
        outside,
        expect![[r#"
        denied: `../b.rs`: leads out of the workspace; use a path in the workspace or `home:/`
        ---
        a.rs: "x\n"
    "#]],
    );
}

#[test]
fn a_file_that_comes_again_goes_on_where_it_was() {
    let again = "--- a/a.rs\n+++ b/a.rs\n@@\n-x\n+y\n--- a/a.rs\n+++ b/a.rs\n@@\n-y\n+z\n";
    check(
        &[("a.rs", "x\n")],
        again,
        expect![[r#"
        patched 1 file, +1 -1
        changed `a.rs`: +1 -1
        ---
        a.rs: "z\n"
    "#]],
    );
    let both = "--- a/a.rs\n+++ b/a.rs\n@@\n-x\n+y\n--- a/a.rs\n+++ /dev/null\n";
    check(
        &[("a.rs", "x\n")],
        both,
        expect![[r#"
        bad_call: `a.rs`: expected each file once, but the patch names it again at its line 6; put its hunks together; nothing was written
        ---
        a.rs: "x\n"
    "#]],
    );
}

#[test]
fn what_is_no_patch_is_told() {
    let shown = [
        "",
        "just words",
        "@@\n-a\n+b\n",
        "--- a/f\n+++ b/f\n",
        "--- a/f\n+++ b/g\n@@\n-a\n+b\n",
        "--- /dev/null\n+++ b/f\n@@\n x\n+b\n",
        "--- a/f\n+++ b/f\n@@\n-a\n+b\ndiff --git a/x b/x\nwhat is this\n",
        "diff --git a/f b/f\nGIT binary patch\n",
        "diff --git a/f b/g\ncopy from f\ncopy to g\n",
        "diff --git a/f b/g\n",
    ];
    let desk = desk(&[("f", "a\n")]);
    let shown = shown.map(|patch| desk.echo("apply_patch", json!({ "patch": patch })));
    expect![[r#"
        bad_call: `patch`: expected a unified diff, but found no file in it; begin each file with a `--- a/path` and a `+++ b/path` line; nothing was written
        bad_call: `patch`: expected a unified diff, but found no file in it; begin each file with a `--- a/path` and a `+++ b/path` line; nothing was written
        bad_call: `patch`: line 1 of the patch: expected the two paths of a file, but found none that is whole; write `--- a/path` and `+++ b/path`; nothing was written
        bad_call: `patch`: line 1 of the patch: expected hunks for `f`, but found none; begin each with an `@@` line; nothing was written
        bad_call: `patch`: line 1 of the patch: expected one path, but found `f` and `g`; say `rename from` and `rename to` if it is to be renamed; nothing was written
        bad_call: `patch`: line 1 of the patch: expected only `+` lines for the new file `f`, but found others; a file that is there is changed under its own name, without `/dev/null`; nothing was written
        bad_call: `patch`: line 7 of the patch: expected a `--- a/path` line, but found `what is this`; write nothing but the diff; nothing was written
        bad_call: `patch`: line 2 of the patch: expected text, but found a binary change; write the file another way; nothing was written
        bad_call: `patch`: line 2 of the patch: expected a change in place, but found a copy; write the new file; nothing was written
        bad_call: `patch`: line 1 of the patch: expected the two paths of a file, but found none that is whole; write `--- a/path` and `+++ b/path`; nothing was written"#]].assert_eq(&shown.join("\n"));
    assert_eq!(desk.get("f"), "a\n");
}

#[test]
fn an_unread_file_is_not_changed() {
    let desk = Desk::new();
    desk.put("f", "a\n");
    let patch = json!({ "patch": "--- a/f\n+++ b/f\n@@\n-a\n+b\n" });
    expect![[r#"
        failed: `f`: is there already and was not read in this session; nothing was written, it holds now:
        1 | a
        This is all of it; if the change is still right, make the call again with it in mind."#]].assert_eq(&desk.echo("apply_patch", patch));
    assert_eq!(desk.get("f"), "a\n");
}

#[test]
fn the_form_of_a_file_stays() {
    let patch = "--- a/f\n+++ b/f\n@@\n a\n-b\n+B\n+BB\n";
    check(
        &[("f", "\u{feff}a\r\nb\r\nc\r\n")],
        patch,
        expect![[r#"
        patched 1 file, +2 -1
        changed `f`: +2 -1
        ---
        f: "\u{feff}a\r\nB\r\nBB\r\nc\r\n"
    "#]],
    );
    check(
        &[("f", "a\nb")],
        patch,
        expect![[r#"
        patched 1 file, +2 -1
        changed `f`: +2 -1
        ---
        f: "a\nB\nBB"
    "#]],
    );
    check(
        &[("f", "a  \nb\nc")],
        patch,
        expect![[r#"
        patched 1 file, +2 -1
        changed `f`: +2 -1
        ---
        f: "a  \nB\nBB\nc"
    "#]],
    );
}

#[test]
fn the_end_of_a_file_is_as_the_patch_says() {
    let marked = "--- a/f\n+++ b/f\n@@\n-b\n\\ No newline at end of file\n+b\n";
    check(
        &[("f", "a\nb")],
        marked,
        expect![[r#"
        patched 1 file, +1 -1
        changed `f`: +1 -1
        ---
        f: "a\nb\n"
    "#]],
    );
    let unended = "--- a/f\n+++ b/f\n@@\n-b\n+B\n\\ No newline at end of file\n";
    check(
        &[("f", "a\nb\n")],
        unended,
        expect![[r#"
        patched 1 file, +1 -1
        changed `f`: +1 -1
        ---
        f: "a\nB"
    "#]],
    );
    let indented = "--- a/f\n+++ b/f\n@@\n if x:\n-    y()\n+    z()\n+    w()\n";
    check(
        &[("f", "def f():\n    if x:\n        y()\n")],
        indented,
        expect![[r#"
        patched 1 file, +2 -1
        changed `f`: +2 -1
        ---
        f: "def f():\n    if x:\n        z()\n        w()\n"
    "#]],
    );
}

#[test]
fn names_modes_and_empty_files_of_git() {
    let desk = check(
        &[("run.sh", "echo\n"), ("old name", "o\n")],
        "\
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/old name b/new/name
similarity index 100%
rename from old name
rename to new/name
diff --git a/empty b/empty
new file mode 100644
index 000..e69
diff --git a/tool b/tool
new file mode 100755
--- /dev/null
+++ b/tool
@@ -0,0 +1 @@
+#!/bin/sh
--- /dev/null\t1970-01-01 00:00:00
+++ \"b/caf\\303\\251\"\t2024-01-01 00:00:00
@@ -0,0 +1 @@
+x
-- 
2.40.1
",
        expect![[r##"
            patched 5 files, +2 -0
            changed `run.sh`: +0 -0
            moved `old name` to `new/name`: +0 -0
            created `empty`: +0 -0
            created `tool`: +1 -0
            created `café`: +1 -0
            ---
            café: "x\n"
            empty: ""
            new/name: "o\n"
            run.sh: "echo\n"
            tool: "#!/bin/sh\n"
        "##]],
    );
    let mode = |path: &str| desk.path(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!([mode("run.sh"), mode("tool")], [0o755, 0o755]);
}

#[test]
fn a_failure_on_the_way_takes_everything_back() {
    let desk = desk(&[("a", "a\n"), ("b", "b\n"), ("c", "c\n")]);
    // A file that is read-only is seen when it is written, and not before.
    std::fs::set_permissions(desk.path("c"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let patch = "\
*** Begin Patch
*** Update File: a
-a
+A
*** Add File: new/deep/f
+f
*** Update File: b
*** Move to: moved/b
-b
+B
*** Update File: c
-c
+C
*** End Patch
";
    expect!["failed: `c`: is read-only; change its mode first, if it may be changed; nothing was changed"].assert_eq(&desk.echo("apply_patch", json!({ "patch": patch })));
    assert_eq!(desk.tree(), "a\nb\nc\n");
    assert_eq!(["a", "b", "c"].map(|path| desk.get(path)), ["a\n", "b\n", "c\n"]);
}

#[test]
fn claims_name_every_file() {
    let desk = desk(&[("a", "a\n")]);
    let patch = "\
*** Begin Patch
*** Update File: a
-a
+A
*** Add File: ../n
+n
*** Delete File: d
*** Update File: m
*** Move to: to
-x
+y
*** End Patch
";
    let claims = desk.claims("apply_patch", json!({ "patch": patch }));
    let shown = claims.paths.iter().map(|claim| {
        let (path, is_known) = (&claim.asked, claim.resolved.is_some());
        format!("{path} known={is_known} write={} removal={}\n", claim.is_write, claim.is_removal)
    });
    expect![[r#"
        a known=true write=true removal=false
        ../n known=false write=true removal=false
        d known=true write=true removal=true
        m known=true write=true removal=true
        to known=true write=true removal=false
    "#]]
    .assert_eq(&shown.collect::<String>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The diff that another program makes of two texts leads from one to the other.
    #[test]
    fn a_diff_of_two_texts_leads_from_one_to_the_other(
        old in proptest::collection::vec("[abc]{1,2}", 1..12),
        new in proptest::collection::vec("[abc]{1,2}", 1..12),
        ends in (any::<bool>(), any::<bool>()),
    ) {
        let text = |lines: &[String], is_ended: bool| {
            lines.join("\n") + if is_ended { "\n" } else { "" }
        };
        let (old, new) = (text(&old, ends.0), text(&new, ends.1));
        prop_assume!(old != new);
        let diff = similar::TextDiff::from_lines(&old, &new);
        let patch = diff.unified_diff().header("a/f", "b/f").to_string();
        let desk = desk(&[("f", &old)]);
        let outcome = desk.run("apply_patch", json!({ "patch": patch }));
        prop_assert!(outcome.is_ok(), "{patch}\n{outcome:?}");
        prop_assert_eq!(desk.get("f"), new, "{}", patch);
    }

    #[test]
    fn any_text_is_applied_or_refused_and_never_half(
        lines in proptest::collection::vec(proptest::sample::select(vec![
            "--- a/f", "+++ b/f", "--- /dev/null", "+++ /dev/null", "+++ b/new", "@@", "@@ -1 +1 @@",
            " a", "-a", "+b", "", "*** Begin Patch", "*** Update File: f", "*** Add File: n",
            "*** Delete File: f", "*** Move to: m", "diff --git a/f b/f", "rename from f",
            "rename to g", "new file mode 100755", "\\ No newline at end of file", "```", "-- ",
        ]), 0..12),
    ) {
        let desk = desk(&[("f", "a\nx\n")]);
        let outcome = desk.run("apply_patch", json!({ "patch": lines.join("\n") }));
        if outcome.is_err() {
            prop_assert_eq!(desk.tree(), "f\n");
            prop_assert_eq!(desk.get("f"), "a\nx\n");
        }
    }
}
