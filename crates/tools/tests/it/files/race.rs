//! Every file tool, while somebody swaps a folder for a link that leads out.
//!
//! `cargo xtask path-races --calls N` makes more calls.

use std::{
    fs,
    os::unix::fs::symlink,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use serde_json::{Value, json};

use crate::files::Desk;

/// What stands outside and in no answer.
const SECRET: &str = "hidden-from-the-model";

/// Calls without a word of how many.
const CALLS: u64 = 200;

fn n_calls() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a longer run is asked for by a variable")]
    let asked = std::env::var("TAGLINE_TEST_RACES").ok();
    asked.map_or(CALLS, |asked| asked.parse().unwrap())
}

/// Every way to a name below the folder that is swapped.
fn calls() -> Vec<(&'static str, Value)> {
    let patch =
        "*** Begin Patch\n*** Add File: d/patched\n+x\n*** Delete File: d/gone\n*** End Patch";
    vec![
        ("write_file", json!({ "path": "d/f.txt", "content": "x" })),
        ("write_file", json!({ "path": "d/deep/er/f.txt", "content": "x" })),
        // The nearest name is looked for.
        ("read_file", json!({ "path": "d/hidden-from-the-mode.txt" })),
        ("read_file", json!({ "path": "d/inner.txt" })),
        ("read_file_in_chunks", json!({ "path": "d/secret.txt" })),
        ("read_batch", json!({ "path": [{ "path": "d/secret.txt" }, { "path": "d/near.txt" }] })),
        ("list_files", json!({ "path": "d" })),
        ("list_files", json!({ "recursive": true, "hidden": true })),
        ("search_files", json!({ "query": "needle" })),
        ("search_files", json!({ "path": "d", "query": "needle" })),
        ("search", json!({ "query": "needle", "path": "d" })),
        ("extract", json!({ "file_path": "d/secret.txt:1-3" })),
        (
            "replace_in_file",
            json!({
                "path": "d/secret.txt", "diff": "------- SEARCH\nneedle\n=======\nx\n+++++++ REPLACE",
            }),
        ),
        ("apply_patch", json!({ "patch": patch })),
        ("create_folder", json!({ "path": "d/new/folder" })),
        ("move_file", json!({ "from": "d/secret.txt", "to": "taken" })),
        ("move_file", json!({ "from": "given", "to": "d/given" })),
        ("delete_file", json!({ "path": "d/secret.txt" })),
        ("delete_file", json!({ "path": "d/tree", "recursive": true })),
    ]
}

/// What stands outside: `needle` in files and in names of files.
fn fill_outside(desk: &Desk) {
    let out = desk.path("../out");
    fs::create_dir_all(out.join("tree/deep")).unwrap();
    fs::write(out.join(format!("{SECRET}.txt")), format!("{SECRET} needle")).unwrap();
    fs::write(out.join("secret.txt"), format!("needle\n{SECRET}\n")).unwrap();
    fs::write(out.join("tree/deep/f"), SECRET).unwrap();
    fs::write(out.join("gone"), SECRET).unwrap();
}

/// Names and contents outside.
fn outside(desk: &Desk) -> Vec<(String, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![desk.path("../out")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap_or_default()));
        }
    }
    found.sort();
    found
}

/// Swaps the folder for the link and back, and counts the swaps.
fn swap(desk: &Desk, n_swaps: &AtomicU64, is_over: &AtomicBool) {
    let (folder, aside, link) = (desk.path("d"), desk.path("aside"), desk.path("link"));
    while !is_over.load(Ordering::Relaxed) {
        // A call may have moved or made something in between: then this turn is left out.
        let _ = fs::rename(&folder, &aside).and_then(|()| fs::rename(&link, &folder));
        let _ = fs::rename(&folder, &link).and_then(|()| fs::rename(&aside, &folder));
        n_swaps.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ends the swapping, also where the test stops.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_swapped_folder_lets_no_call_out() {
    let desk = Desk::new();
    fs::create_dir(desk.path("../out")).unwrap();
    fill_outside(&desk);
    fs::create_dir(desk.path("d")).unwrap();
    fs::write(desk.path("d/inner.txt"), "inside").unwrap();
    symlink(desk.path("../out"), desk.path("link")).unwrap();
    let before = outside(&desk);
    let (n_swaps, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (mut n_done, mut n_failed) = (0, 0);
    let echoes = thread::scope(|scope| {
        scope.spawn(|| swap(&desk, &n_swaps, &is_over));
        let _over = Over(&is_over);
        let mut echoes = Vec::new();
        let n_calls = usize::try_from(n_calls()).unwrap();
        for (n, (tool, arguments)) in calls().iter().cycle().take(n_calls).enumerate() {
            // The swapping goes on: now and then a swap is waited for.
            let seen = n_swaps.load(Ordering::Relaxed);
            while n % 10 == 0 && n_swaps.load(Ordering::Relaxed) == seen {
                thread::yield_now();
            }
            match desk.run(tool, arguments.clone()) {
                Ok(output) => {
                    n_done += 1;
                    echoes.push(format!("{tool}: {} {}", output.echo, output.card.payload));
                }
                Err(failure) => {
                    n_failed += 1;
                    echoes.push(format!("{tool}: {failure}"));
                }
            }
            // One of the calls took it away.
            fs::write(desk.path("given"), "inside").unwrap();
        }
        echoes
    });
    let told: Vec<_> = echoes.iter().filter(|echo| echo.contains(SECRET)).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert_eq!(outside(&desk), before);
    println!("{n_done} calls done, {n_failed} refused, {} swaps, 0 escapes", n_swaps.into_inner());
}
