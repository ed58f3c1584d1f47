//! Random sequences of edits and commands: back is back, and back from that too. The test command
//! runs 20, `cargo xtask undo --sequences N` as many as it is told.

mod large;

use std::{fs, path::Path, process::Command};

use tagline_snapshot::{Reach, Which};

use crate::fixture::{Fixture, Picture};

fn n_sequences() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a test's own variable")]
    let given = std::env::var("TAGLINE_TEST_SEQUENCES").ok();
    given.map_or(FEW, |n| n.parse().unwrap())
}

/// As many as the test command plays.
const FEW: u64 = 20;

/// Whether somebody asked for more than the test command plays.
fn is_full() -> bool {
    n_sequences() > FEW
}

#[test]
fn back_is_back_and_back_from_that_too() {
    let (mut n_calls, mut n_undos) = (0, 0);
    for seed in 0..n_sequences() {
        let mut player = Player::new(seed);
        player.play();
        n_calls += player.n_calls;
        n_undos += player.n_undos;
    }
    println!("{} sequences, {n_calls} calls, {n_undos} undos", n_sequences());
}

struct Player {
    seed: u64,
    rng: fastrand::Rng,
    fixture: Fixture,
    /// What stood before each turn, the first one's first.
    turns: Vec<Picture>,
    n_calls: u64,
    n_undos: u64,
}

impl Player {
    fn new(seed: u64) -> Self {
        let (rng, fixture) = (fastrand::Rng::with_seed(seed), Fixture::new());
        let mut player = Self { seed, rng, fixture, turns: Vec::new(), n_calls: 0, n_undos: 0 };
        // A tree to begin with; commands that do not fit it fail, as commands do.
        for _ in 0..12 {
            let line = player.command();
            shell(&player.fixture.ws(""), &line);
        }
        player
    }

    fn play(&mut self) {
        let n_turns = self.rng.u32(1..4);
        for turn in 1..=n_turns {
            self.turns.push(self.fixture.picture());
            for _ in 0..self.rng.u32(1..6) {
                self.call(turn);
            }
            if self.rng.u32(0..4) == 0 {
                self.fixture.reopen();
            }
        }
        self.back_by_turns();
        self.back_whole();
        self.back_somehow();
    }

    fn call(&mut self, turn: u32) {
        self.n_calls += 1;
        if self.rng.bool() {
            let line = self.command();
            self.fixture.call(turn, &Reach::Whole, |it| shell(&it.ws(""), &line));
        } else {
            self.edit(turn);
        }
    }

    /// Undo the newest turn, then the one before: what stood before each is back.
    fn back_by_turns(&mut self) {
        let last = self.fixture.picture();
        let mut redos = Vec::new();
        for (n, before) in self.turns.iter().enumerate().rev() {
            let which = Which::Turn(u32::try_from(n).unwrap() + 1);
            let records = self.fixture.records();
            if tagline_snapshot::select(&self.fixture.store, &records, &which).is_err() {
                continue;
            }
            let carried = self.fixture.undo(&which, false);
            self.n_undos += 1;
            assert_eq!(&self.fixture.picture(), before, "seed {}, {which:?}", self.seed);
            redos.extend(carried.record.map(|record| Which::Call(record.what.id().to_owned())));
        }
        for redo in redos.iter().rev() {
            self.fixture.undo(redo, false);
            self.n_undos += 1;
        }
        assert_eq!(self.fixture.picture(), last, "seed {}", self.seed);
    }

    fn back_whole(&mut self) {
        if self.fixture.records().is_empty() {
            return;
        }
        let last = self.fixture.picture();
        let carried = self.fixture.undo(&Which::Session, false);
        assert_eq!(self.fixture.picture(), self.turns[0], "seed {}", self.seed);
        if let Some(record) = carried.record {
            self.fixture.undo(&Which::Call(record.what.id().to_owned()), false);
        }
        self.n_undos += 2;
        assert_eq!(self.fixture.picture(), last, "seed {}", self.seed);
    }

    /// Any one call, after the user's own hand, with or without force: the undo of the undo leaves
    /// what was there.
    fn back_somehow(&mut self) {
        for _ in 0..3 {
            let records = self.fixture.records();
            if records.is_empty() {
                return;
            }
            let line = self.command();
            shell(&self.fixture.ws(""), &line);
            let before = self.fixture.picture();
            let which = Which::Call(records[self.rng.usize(..records.len())].what.id().to_owned());
            let plan = self.fixture.plan(&which);
            // What stands in the way of a part of it is told, and the rest is done.
            let carried = plan.carry_out(&self.fixture.keeper, self.rng.bool()).unwrap();
            if let Some(record) = carried.record {
                self.fixture.undo(&Which::Call(record.what.id().to_owned()), false);
            }
            self.n_undos += 2;
            assert_eq!(self.fixture.picture(), before, "seed {}, {which:?}", self.seed);
        }
    }

    /// One of a few names, so that calls meet.
    fn name(&mut self) -> String {
        let parts: Vec<_> = (0..self.rng.usize(1..4))
            .map(|_| self.rng.choice(["a", "b", "c", "d e"]).unwrap())
            .collect();
        parts.join("/")
    }

    fn command(&mut self) -> String {
        let (one, two, n) = (self.name(), self.name(), self.rng.u32(..1_000));
        match self.rng.u32(0..14) {
            0 => format!("rm -rf '{one}'"),
            1 => format!("mv '{one}' '{two}'"),
            2 => format!("cp -r '{one}' '{two}'"),
            3 => format!("ln -s '../{two}' '{one}'"),
            4 => format!("chmod -R u+rwX,g={} '{one}'", self.rng.choice(["r", "rw", ""]).unwrap()),
            5 => format!("mkdir -p '{one}'; chmod 7{}5 '{one}'", n % 8),
            6 => format!("echo {n} >> '{one}'"),
            7 => format!("ln -f '{one}' '{two}'"),
            8 => "find . -mindepth 1 -delete".to_owned(),
            9 => format!("find . -type f -exec sh -c 'echo {n} > \"$1\"' - {{}} ';'"),
            10 => format!("truncate -s {n} '{one}'"),
            11 => format!("head -c {n} /dev/zero > '{one}'"),
            12 => format!("mv '{one}' x; mv '{two}' '{one}'; mv x '{two}'"),
            _ => format!("mkdir -p \"$(dirname '{one}')\"; echo {n} > '{one}'"),
        }
    }

    fn edit(&mut self, turn: u32) {
        let (one, two, n) = (self.name(), self.name(), self.rng.u32(..1_000));
        let kind = self.rng.u32(0..4);
        let reach = Reach::Paths(vec![self.fixture.ws(&one), self.fixture.ws(&two)]);
        self.fixture.call(turn, &reach, |it| {
            let (one, two) = (it.ws(&one), it.ws(&two));
            // A tool names what its path leads to.
            if ![&one, &two].into_iter().all(|path| is_plain(path)) {
                return;
            }
            // What does not fit fails, as a tool does.
            let _ = match kind {
                0 => fs::remove_dir_all(&one).or_else(|_| fs::remove_file(&one)),
                1 if !one.starts_with(&two) => fs::rename(&one, &two),
                1 | 2 => fs::create_dir_all(&one),
                _ => one.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
                    let temp = it.ws("temp");
                    fs::write(&temp, n.to_string())?;
                    fs::rename(&temp, &one).or_else(|_| fs::remove_file(&temp))
                }),
            };
        });
    }
}

/// Whether no link stands on the way to a path.
fn is_plain(path: &Path) -> bool {
    path.ancestors().skip(1).all(|path| !path.is_symlink())
}

#[expect(clippy::disallowed_methods, reason = "a command of a test, which waits for it")]
fn shell(folder: &Path, line: &str) {
    Command::new("sh").args(["-c", line]).current_dir(folder).output().unwrap();
}
