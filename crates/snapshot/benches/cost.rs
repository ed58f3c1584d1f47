//! What keeping costs: a command with it, beside the same command alone, and beside `git` and `cp` at
//! the same files, by turns, in the same run.
//!
//! `cargo bench -p tagline-snapshot`. Compare the rows of one run; do not compare runs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench stops at the first surprise, reads the clock and runs commands"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use tagline_snapshot::{Keeper, Limits, Plan, Reach, Store, What, Which, select};

/// Files of the tree, in folders of a hundred.
const FILES: usize = 10_000;
/// Bytes of the large file.
const LARGE: usize = 200_000_000;
/// Rounds of a part in which all of the tree is copied, and of one in which a part of it changes.
const FEW: usize = 3;
const MANY: usize = 20;

/// The times of each row, in milliseconds, by the order in which rows came first.
#[derive(Default)]
struct Table(BTreeMap<usize, (String, Vec<f64>)>);

fn main() {
    // Cargo tests benches too; those have nothing to say without being measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let top = tempfile::tempdir().unwrap();
    let top = top.path().canonicalize().unwrap();
    let ws = top.join("ws");
    plant(&ws);
    println!("{:<58} {:>4} {:>9} {:>9}", format!("{FILES} files, ms"), "n", "p50", "p95");
    first(&top, &ws);
    let git = Git::new(&top, &ws, "git");
    git.run(&["add", "-A"]);
    let store = Arc::new(Store::new(top.join("store"), Limits::default()));
    let keeper = Keeper::new(Arc::clone(&store), "bench", vec![ws.clone()], &[]);
    // What was written just now is read once more.
    call(&keeper, "t1.0", &ws, "true");
    std::thread::sleep(Duration::from_millis(50));
    call(&keeper, "t1.0", &ws, "true");
    for n_files in [0, 1, 100] {
        changing(&keeper, &git, &ws, n_files);
    }
    let mut table = Table::default();
    for n in 0..MANY {
        table.time("a tool that writes one file, kept", || tool(&keeper, &ws, n));
    }
    table.print();
    undo(&store, &keeper, &ws);
    large(&top);
}

fn plant(ws: &Path) {
    for n in 0..FILES {
        let folder = ws.join(format!("{:03}", n / 100));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{n}.txt")), format!("{n}\n").repeat(400)).unwrap();
    }
}

/// All of the tree comes into what had nothing of it: `cp` and `git` write it and do not wait for the
/// disk, a snapshot does.
fn first(top: &Path, ws: &Path) {
    let mut table = Table::default();
    for n in 0..FEW {
        let (copy, name) = (top.join(format!("copy-{n}")), format!("git-{n}"));
        let (from, to) = (ws.to_str().unwrap(), copy.to_str().unwrap());
        table.time("`cp -a` of the tree", || run(Command::new("cp").args(["-a", from, to])));
        table.time("then `sync -f`", || run(Command::new("sync").args(["-f", to])));
        let git = Git::new(top, ws, &name);
        table.time("the first `git add -A`", || git.run(&["add", "-A"]));
        table.time("then `sync -f`, too", || run(Command::new("sync").args(["-f", to])));
        let store = Arc::new(Store::new(top.join(format!("store-{n}")), Limits::default()));
        let keeper = Keeper::new(store, "bench", vec![ws.to_owned()], &[]);
        kept(&mut table, "the first command, kept", &keeper, ws, "true");
    }
    table.print();
}

/// A command that changes so many files, alone, kept, and followed by `git`.
fn changing(keeper: &Keeper, git: &Git, ws: &Path, n_files: usize) {
    let mut table = Table::default();
    let what = format!("a command that changes {n_files} files");
    for n in 0..MANY {
        let line = |way| changes(n_files, &format!("{way}-{n}"));
        table.time(&format!("{what}, alone"), || shell(ws, &line("alone")));
        kept(&mut table, &format!("{what}, kept"), keeper, ws, &line("kept"));
        table.time("`git status` after it", || git.run(&["status", "--porcelain"]));
        table.time("`git add -A` after it", || git.run(&["add", "-A"]));
    }
    table.print();
}

/// Each of the files is another one, in its own folder.
fn changes(n_files: usize, text: &str) -> String {
    match n_files {
        0 => "true".to_owned(),
        n => format!(
            "i=0; while [ $i -lt {n} ]; do echo {text} > ./0$((i/10))$((i%10))/new; i=$((i+1)); done"
        ),
    }
}

fn kept(table: &mut Table, name: &str, keeper: &Keeper, ws: &Path, line: &str) {
    let begun = |id| keeper.begin(what(id), &Reach::Whole, &|| false).unwrap();
    let began = Instant::now();
    let begun = table.time(&format!("{name}: before it"), || begun("t1.1"));
    shell(ws, line);
    table.time(&format!("{name}: after it"), || keeper.end(begun).unwrap());
    table.note(&format!("{name}: all"), began);
}

/// A repository of the tree, outside of it.
struct Git {
    dir: PathBuf,
    tree: PathBuf,
}

impl Git {
    fn new(top: &Path, tree: &Path, name: &str) -> Self {
        let git = Self { dir: top.join(name), tree: tree.to_owned() };
        git.run(&["init", "-q"]);
        git
    }

    fn run(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.dir).arg("--work-tree").arg(&self.tree);
        run(command.args(arguments).current_dir(&self.tree));
    }
}

fn shell(ws: &Path, line: &str) {
    run(Command::new("sh").args(["-c", line]).current_dir(ws));
}

fn run(command: &mut Command) {
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
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

impl Table {
    fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.note(name, began);
        done
    }

    fn note(&mut self, name: &str, began: Instant) {
        let took = began.elapsed().as_secs_f64() * 1e3;
        let at = self.0.iter().find(|(_, (known, _))| known == name).map(|(at, _)| *at);
        let at = at.unwrap_or(self.0.len());
        self.0.entry(at).or_insert_with(|| (name.to_owned(), Vec::new())).1.push(took);
    }

    fn print(self) {
        for (name, mut times) in self.0.into_values() {
            times.sort_by(f64::total_cmp);
            let n = times.len();
            let at = |percent: usize| times.get(n * percent / 100).copied().unwrap_or(0.0);
            println!("{name:<58} {n:>4} {:>9.1} {:>9.1}", at(50), at(95));
        }
    }
}

/// Everything goes, and comes back.
fn undo(store: &Store, keeper: &Keeper, ws: &Path) {
    let mut table = Table::default();
    table.time("a command that removes all of it, kept", || {
        call(keeper, "t2.1", ws, "find . -mindepth 1 -delete");
    });
    let records = store.records("bench");
    let chosen = select(store, &records, &Which::Turn(2)).unwrap();
    let plan = table.time("the plan of its undo", || Plan::make(store, &records, &chosen));
    let carried = table.time("its undo", || plan.carry_out(keeper, false).unwrap());
    assert_eq!((carried.failures.len(), ws.join("000/0.txt").exists()), (0, true));
    table.print();
}

fn large(top: &Path) {
    let ws = top.join("large");
    fs::create_dir(&ws).unwrap();
    let bytes: Vec<u8> = (0..LARGE).map(|n| (n ^ (n >> 9)) as u8).collect();
    fs::write(ws.join("large"), bytes).unwrap();
    let store = Arc::new(Store::new(top.join("store-large"), Limits::default()));
    let keeper = Keeper::new(store, "bench", vec![ws.clone()], &[]);
    std::thread::sleep(Duration::from_millis(50));
    let mut table = Table::default();
    for name in ["the first command beside a file of 200 MB", "the second one"] {
        table.time(name, || call(&keeper, "t1.1", &ws, "true"));
    }
    table.print();
}
