//! Files that a reply writes: exact to the byte, and never in part.

use std::{fs, path::Path};

use tagline_session::Task;
use tempfile::tempdir;
use tokio_util::sync::CancellationToken;

use crate::bench::Bench;

/// Plays a reply that writes files, and hands back the folder they went to.
async fn play(folder: &Path, reply: &str, ending: &str) -> String {
    let script = format!("=== reply\n{}\n{ending}\n", escaped(reply));
    let bench = Bench::with_files(folder, &script).await;
    let task = Task::Say("write".into());
    bench.session.run(task, CancellationToken::new()).await.unwrap();
    bench.kinds()
}

/// A line of text that would be a directive of the script.
fn escaped(reply: &str) -> String {
    reply.replace("\n===", "\n\\===")
}

/// The protocol's own documentation: it holds calls, CDATA, end tags, results.
const PROTOCOL: &str = include_str!("protocol.md.txt");

/// Eight files, as a model would write them.
fn eight() -> Vec<(&'static str, String)> {
    let page = "<!doctype html>\n<html>\n<body onload=\"a && b < c\">]]&gt;</body>\n</html>\n";
    vec![
        ("index.html", page.to_owned()),
        ("style.css", "a > b { content: \"</write_file>\"; }\n".to_owned()),
        ("app.js", "const last = rows[rows[0]]>1 && x < y;\n".to_owned()),
        ("Makefile", "all:\n\tcc -o a a.c\n\n\n".to_owned()),
        ("feed.xml", "<feed>&amp; &lt;ok/&gt; </path><path>x</path></feed>\n".to_owned()),
        ("PROTOCOL.md", PROTOCOL.to_owned()),
        ("grüße.txt", "  eingerückt\n\tund \u{202e}so\u{202c} weiter — 🦀\n".to_owned()),
        ("empty.txt", String::new()),
    ]
}

/// One call that writes a file. In a section, `]]>` is split as XML demands.
fn call(path: &str, text: &str, end: &str) -> String {
    let text = text.replace("]]>", "]]]]><![CDATA[>");
    format!("<write_file path=\"{path}\"><![CDATA[\n{text}\n{end}</write_file>\n")
}

#[tokio::test]
async fn eight_files_are_exact_to_the_byte_and_one_broken_section_harms_no_other() {
    for broken in 0..eight().len() {
        let folder = tempdir().unwrap();
        let calls = eight().into_iter().enumerate().map(|(n, (path, text))| {
            // The section of one of them lost its `>`.
            let is_hostile = text.contains("</write_file>");
            call(path, &text, if n == broken && !is_hostile { "]]" } else { "]]>" })
        });
        let reply: String = calls.collect();
        let shown = play(folder.path(), &reply, "=== finish stop\n=== reply\nDone.").await;
        for (path, text) in eight() {
            let written = fs::read(folder.path().join("files").join(path));
            let written = written.unwrap_or_else(|error| panic!("{path}: {error}\n{shown}"));
            assert_eq!(String::from_utf8_lossy(&written), text, "{path}, broken {broken}\n{shown}");
        }
    }
}

#[tokio::test]
async fn a_reply_cut_anywhere_leaves_each_file_old_or_complete() {
    let (old, new_a, new_b) = ("old\n", "one\n</write_file> two\n", "<b>é</b>\n");
    let (a, b) = (call("a.txt", new_a, "]]>"), call("b.txt", new_b, "]]>"));
    let reply = format!("Now.\n<read_file path=\"a.txt\"/>\n{a}{b}All done.");
    let mut states = std::collections::BTreeSet::new();
    for (cut, _) in reply.char_indices() {
        let folder = tempdir().unwrap();
        fs::create_dir(folder.path().join("files")).unwrap();
        fs::write(folder.path().join("files/a.txt"), old).unwrap();
        let shown =
            play(folder.path(), &reply[..cut], "=== finish cut\n=== fault end fail over").await;
        let a = fs::read_to_string(folder.path().join("files/a.txt")).unwrap();
        let b = fs::read_to_string(folder.path().join("files/b.txt")).ok();
        assert!(a == old || a == new_a, "cut at {cut}: {a:?}\n{shown}");
        assert!(b.is_none() || b.as_deref() == Some(new_b), "cut at {cut}: {b:?}\n{shown}");
        let files = fs::read_dir(folder.path().join("files")).unwrap().count();
        assert_eq!(files, 1 + usize::from(b.is_some()), "cut at {cut}: no temporary file is left");
        states.insert((a == new_a, b.is_some()));
    }
    // All of old, one new, both new: the cuts met every state.
    assert_eq!(states.len(), 3, "{states:?}");
}
