//! What keeping costs: a command with it, beside the same command alone, in the same run.
//!
//! `cargo bench -p tagline-snapshot`. Compare the rows of one run; do not compare runs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench stops at the first surprise, reads the clock and runs commands"
)]

use std::{
    fs,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use tagline_snapshot::{Keeper, Limits, Plan, Reach, Store, What, Which, select};

/// Files of the tree, in folders of a hundred.
const FILES: usize = 10_000;
/// Bytes of the large file.
const LARGE: usize = 200_000_000;
/// Commands of a row.
const ROUNDS: usize = 60;

fn main() {
    // Cargo tests benches too; those have nothing to say without being measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let top = tempfile::tempdir().unwrap();
    let ws = top.path().canonicalize().unwrap().join("ws");
    plant(&ws);
    let store = Arc::new(Store::new(top.path().join("store"), Limits::default()));
    let keeper = Keeper::new(Arc::clone(&store), "bench", vec![ws.clone()], &[]);
    println!("{:<52} {:>10} {:>10}", format!("{FILES} files, milliseconds"), "p50", "p95");
    let (first, ()) = timed(|| call(&keeper, "t1.0", &ws, "true"));
    println!("{:<52} {:>10.1}", "the first command, which keeps all of it", first);
    // What was written just now is read once more.
    std::thread::sleep(Duration::from_millis(50));
    call(&keeper, "t1.0", &ws, "true");
    row("a command that changes nothing, alone", |_| shell(&ws, "true"));
    row("the same, kept", |_| call(&keeper, "t1.1", &ws, "true"));
    row("a command that changes 10 files, alone", |n| shell(&ws, &ten(n)));
    row("the same, kept", |n| call(&keeper, "t1.2", &ws, &ten(n + ROUNDS)));
    row("a tool that writes one file, kept", |n| tool(&keeper, &ws, n));
    undo(&store, &keeper, &ws);
    large(top.path());
}

fn plant(ws: &Path) {
    for n in 0..FILES {
        let folder = ws.join(format!("{:03}", n / 100));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{n}.txt")), format!("{n}\n").repeat(400)).unwrap();
    }
}

fn ten(n: usize) -> String {
    format!("for i in 0 1 2 3 4 5 6 7 8 9; do echo {n} > 00$i/new; done")
}

fn shell(ws: &Path, line: &str) {
    let status = Command::new("sh").args(["-c", line]).current_dir(ws).status().unwrap();
    assert!(status.success());
}

fn call(keeper: &Keeper, id: &str, ws: &Path, line: &str) {
    let begun = keeper.begin(what(id), &Reach::Whole, &|| false).unwrap();
    shell(ws, line);
    keeper.end(begun).unwrap();
}

fn tool(keeper: &Keeper, ws: &Path, n: usize) {
    let path = ws.join("one");
    let begun = keeper.begin(what("t1.3"), &Reach::Paths(vec![path.clone()]), &|| false).unwrap();
    fs::write(path, n.to_string()).unwrap();
    keeper.end(begun).unwrap();
}

fn what(id: &str) -> What {
    What::Call { id: id.to_owned(), tool: "execute_command".to_owned(), target: String::new() }
}

fn row(name: &str, mut work: impl FnMut(usize)) {
    let mut times: Vec<f64> = (0..ROUNDS).map(|n| timed(|| work(n)).0).collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(0.0);
    println!("{name:<52} {:>10.1} {:>10.1}", at(50), at(95));
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let began = Instant::now();
    let done = work();
    (began.elapsed().as_secs_f64() * 1e3, done)
}

/// Everything goes, and comes back.
fn undo(store: &Store, keeper: &Keeper, ws: &Path) {
    let (gone, ()) = timed(|| call(keeper, "t2.1", ws, "find . -mindepth 1 -delete"));
    let records = store.records("bench");
    let chosen = select(store, &records, &Which::Turn(2)).unwrap();
    let (planned, plan) = timed(|| Plan::make(store, &records, &chosen));
    let (back, carried) = timed(|| plan.carry_out(keeper, false).unwrap());
    assert_eq!((carried.failures.len(), ws.join("000/0.txt").exists()), (0, true));
    println!("{:<52} {gone:>10.1}", "a command that removes all of it, kept");
    println!("{:<52} {planned:>10.1}", "the plan of its undo");
    println!("{:<52} {back:>10.1}", "its undo");
}

fn large(top: &Path) {
    let ws = top.join("large");
    fs::create_dir(&ws).unwrap();
    let bytes: Vec<u8> = (0..LARGE).map(|n| (n ^ (n >> 9)) as u8).collect();
    fs::write(ws.join("large"), bytes).unwrap();
    let store = Arc::new(Store::new(top.join("store-2"), Limits::default()));
    let keeper = Keeper::new(store, "bench", vec![ws.clone()], &[]);
    std::thread::sleep(Duration::from_millis(50));
    let (first, ()) = timed(|| call(&keeper, "t1.1", &ws, "true"));
    let (second, ()) = timed(|| call(&keeper, "t1.2", &ws, "true"));
    println!("{:<52} {first:>10.1}", "the first command beside a file of 200 MB");
    println!("{:<52} {second:>10.1}", "the second one");
}
