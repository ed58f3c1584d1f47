//! Turns that are stopped, and servers that are killed, at random instants while commands hide from
//! it: the real server and real processes, none of which may be left.
//!
//! `TAGLINE_TEST_STOPS` says how often; `cargo xtask stops --times N` sets it.

use std::{fmt::Write as _, fs, time::Duration};

use crate::{
    kills::{
        block_on,
        client::{Client, Stream},
        kind,
    },
    load::figures::{now, since},
    support::{Bench, asked, processes, served::Served},
};

/// Stops in the test command.
const FEW: usize = 50;
/// Sessions that work beside each other.
const SESSIONS: usize = 5;
/// Longest wait for what a turn left to its server to end, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Longest wait before a stop.
const LONGEST: u64 = 500_000;

/// Ways in which processes stay behind where a stop ends what it started alone. `@` stands for
/// the seconds that they would sleep, by which they are found.
const WAYS: [(&str, &str); 10] = [
    ("a child", "sleep @; sleep @"),
    ("a session of its own", "setsid sleep @ & sleep @"),
    ("a fork of a fork", "(setsid sleep @ >/dev/null 2>&1 </dev/null &); sleep @"),
    ("TERM ignored", "trap '' TERM; sleep @; sleep @"),
    ("stopped", "bash -c 'kill -STOP $$; sleep @' & sleep @"),
    ("nohup", "nohup sleep @ >/dev/null 2>&1 & sleep @"),
    ("a daemon", "setsid -f sleep @ >/dev/null 2>&1 </dev/null; sleep @"),
    ("pipes held open", "sleep @ | sleep @ | cat"),
    ("a crowd", "for i in 1 2 3 4 5 6 7 8; do setsid -f sleep @; done; sleep @"),
    ("no environment", "env -i setsid sleep @ & sleep @"),
];

/// Whether the processes of this way end when they are told to, without being killed.
fn obeys(way: usize) -> bool {
    WAYS.get(way).is_some_and(|(name, _)| !matches!(*name, "TERM ignored" | "stopped"))
}

/// A sleep that no other test, and no other run of this one, asks for.
fn seconds(test: u64) -> String {
    format!("{}", test * 100_000_000 + u64::from(std::process::id()))
}

const STOPS: u64 = 1;
const KILLS: u64 = 2;

/// Each reply starts a command that hides in another way.
fn write_script(bench: &Bench, turns: usize) {
    let mut script = String::new();
    for (_, command) in WAYS.iter().cycle().take(turns) {
        let command = command.replace('@', &seconds(STOPS));
        write!(script, "=== reply\n<execute_command>{command}</execute_command>\n\n").unwrap();
    }
    script.push_str("=== reply\nNothing more.\n=== repeat forever\n");
    fs::write(bench.path("work/stops.txt"), script).unwrap();
}

struct Seat {
    client: Client,
    session: String,
    stream: Stream,
    random: fastrand::Rng,
}

/// How long a stop took, and whether what it stopped obeys.
struct Stopped {
    took: Duration,
    obeys: bool,
}

impl Seat {
    async fn sit(client: Client, seed: usize) -> Self {
        let session = client.begin().await;
        let stream = client.events(&session, 0).await;
        Self { client, session, stream, random: fastrand::Rng::with_seed(seed as u64) }
    }

    async fn work(mut self, turns: usize) -> Vec<Stopped> {
        let mut stops = Vec::new();
        for turn in 0..turns {
            assert!(self.client.send(&self.session, "go").await);
            let started = self.until(&["run.started"]).await;
            assert!(started, "turn {turn} never began");
            tokio::time::sleep(Duration::from_micros(self.random.u64(0..LONGEST))).await;
            let asked = now();
            assert!(self.client.stop(&self.session).await, "turn {turn} ended by itself");
            assert!(self.until(&["run.finished", "run.failed"]).await, "turn {turn} has no end");
            stops.push(Stopped { took: since(asked), obeys: obeys(turn % WAYS.len()) });
        }
        stops
    }

    /// Reads to an event of one of these types.
    async fn until(&mut self, kinds: &[&str]) -> bool {
        while let Some(frame) = self.stream.next().await {
            if kinds.contains(&kind(&frame)) {
                return true;
            }
        }
        false
    }
}

fn within(stops: &[Stopped], obeys: bool) -> String {
    let mut times: Vec<_> =
        stops.iter().filter(|stop| stop.obeys == obeys).map(|stop| stop.took).collect();
    times.sort_unstable();
    let nth = (times.len() * 95).div_ceil(100).saturating_sub(1);
    times.get(nth).map_or_else(|| "–".to_owned(), |time| format!("{} ms", time.as_millis()))
}

#[test]
fn a_turn_that_is_stopped_leaves_no_process() {
    let turns = asked("TAGLINE_TEST_STOPS", FEW).div_ceil(SESSIONS);
    let bench = Bench::new();
    write_script(&bench, turns);
    let served = bench.serve("--model script/stops.txt --mode full");
    let token = bench.token("");
    let mut stops = Vec::new();
    block_on(async {
        let mut seats = Vec::new();
        for seed in 0..SESSIONS {
            seats.push(Seat::sit(Client::new(&served.url, &token), seed).await);
        }
        let seats = seats.into_iter().map(|seat| seat.work(turns));
        stops.extend(futures_util::future::join_all(seats).await.into_iter().flatten());
    });
    // A busy machine may need longer than a turn waits for its calls; then they are ended behind it.
    await_processes(STOPS, &format!("after {} stops", stops.len()), |n| n == 0);
    println!(
        "{} stops: 0 processes left; 95% within {} where TERM is obeyed, {} where it is not",
        stops.len(),
        within(&stops, true),
        within(&stops, false)
    );
    drop(served);
}

/// Waits until so many processes are there, or few enough.
fn await_processes(test: u64, what: &str, is_so: impl Fn(usize) -> bool) {
    let patience = now();
    loop {
        let found = processes::that_name(&seconds(test));
        if is_so(found.len()) {
            return;
        }
        assert!(since(patience) < PATIENCE, "{what}: {found:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server whose sandbox is proven: without one, commands may outlive it (docs/sandbox.md). On a
/// machine without time a trial at its start may fail.
fn confining(bench: &Bench) -> Served {
    let serve = |_| {
        let served = bench.serve("--model script/kills.txt --mode full");
        let health = served.body("/api/health", &bench.token(""));
        health.contains("enforced, proven").then_some(served)
    };
    (0..10).find_map(serve).unwrap()
}

#[test]
fn a_server_that_is_killed_leaves_no_process() {
    let kills = asked("TAGLINE_TEST_STOPS", FEW).div_ceil(WAYS.len());
    let bench = Bench::new();
    let all: String = WAYS.iter().map(|(_, way)| format!("({way}) &\n")).collect();
    let all = all.replace('@', &seconds(KILLS));
    let script = format!(
        "=== reply\n<execute_command><![CDATA[{all}wait]]></execute_command>\n=== repeat forever\n"
    );
    fs::write(bench.path("work/kills.txt"), script).unwrap();
    let mut random = fastrand::Rng::with_seed(KILLS);
    for _ in 0..kills {
        let mut served = confining(&bench);
        served.begin(&bench.token(""), "go");
        // The first of them is there; the others begin meanwhile.
        await_processes(KILLS, "nothing began", |n| 0 < n);
        std::thread::sleep(Duration::from_micros(random.u64(0..LONGEST)));
        served.kill();
        await_processes(KILLS, "left by a server that was killed", |n| n == 0);
    }
    println!("{kills} kills of {} ways at once: 0 processes left", WAYS.len());
}
