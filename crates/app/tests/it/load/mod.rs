//! Many sessions at once, many that wait, and a journal that has grown large: the real binary with
//! the scripted model, what it does beside the goals.
//!
//! The test holds the counts and never a time; `cargo xtask load` runs it at full size and shows
//! the figures.

mod crowd;
pub(crate) mod figures;
mod kept;
mod slow;

use std::{fs, time::Duration};

use self::{
    crowd::{Crowd, Tally},
    figures::{Memory, Spread, Table},
};
use crate::{
    kills::{block_on, client::Client},
    support::{Bench, asked, served::Served},
};

const FLAGS: &str = "--model script/load.txt --mode full --max-passes 10000 --max-calls 10000";

/// How much of everything.
struct Sizes {
    /// Sessions that work at once.
    sessions: usize,
    /// Calls of each.
    calls: usize,
    /// Between two pieces of a reply.
    delay: Duration,
    /// Sessions that did something and wait.
    idle: usize,
    /// Sessions of the large journal.
    kept: usize,
    /// Events of all of them.
    events: usize,
    /// Starts with it.
    starts: usize,
}

impl Sizes {
    fn asked() -> Self {
        Self {
            sessions: asked("TAGLINE_TEST_LOAD_SESSIONS", 5),
            calls: asked("TAGLINE_TEST_LOAD_CALLS", 5),
            delay: Duration::from_millis(asked("TAGLINE_TEST_LOAD_DELAY", 0)),
            idle: asked("TAGLINE_TEST_LOAD_IDLE", 5),
            kept: asked("TAGLINE_TEST_LOAD_KEPT", 5),
            events: asked("TAGLINE_TEST_LOAD_EVENTS", 500),
            starts: asked("TAGLINE_TEST_LOAD_STARTS", 1),
        }
    }
}

/// Every call prints the time at which it prints.
fn write_script(bench: &Bench, calls: usize, delay: Duration) {
    use std::fmt::Write as _;
    let mut script = format!("=== chunk 24\n=== delay {}ms\n", delay.as_millis());
    for n in 0..calls {
        let call = format!("<execute_command>date +%s%N; : {n}</execute_command>");
        write!(script, "\n=== reply\nI look at the clock, and then once more.\n{call}\n").unwrap();
    }
    script.push_str("\n=== reply\nThat is all.\n");
    fs::write(bench.path("work/load.txt"), script).unwrap();
}

/// Sessions that all work at once, each with somebody who watches.
async fn work(sizes: &Sizes, table: &mut Table) {
    let Sizes { sessions, calls, .. } = *sizes;
    let bench = Bench::new();
    write_script(&bench, calls, sizes.delay);
    let served = bench.serve(FLAGS);
    let crowd = Crowd::begin(&served.url, &bench.token(""), sessions).await;
    let tally = crowd.work().await;
    let memory = Memory::of(served.pid());
    let n_pipes = until_let_go(served.pid()).await;
    assert!(n_pipes <= PIPES, "{n_pipes} pipes are open behind {} calls", sessions * calls);
    let Tally { n_events, lost, doubled, n_done, n_finished, .. } = tally;
    assert_eq!((lost, doubled), (0, 0), "events lost and doubled of {n_events}");
    assert_eq!((n_done, n_finished), (sessions * calls, sessions), "calls and turns at their ends");
    let seconds = tally.took.as_secs_f64();
    let what = format!("{n_events} events of {sessions} sessions of {calls} calls");
    table.row(&what, "–", format!("{seconds:.1} s"));
    table.row("events lost", "0", lost.to_string());
    let events = Spread::new(tally.events);
    table.row("an event, from its time to its arrival, p50 / p95", "– / 100 ms", events.millis());
    let outputs = Spread::new(tally.outputs);
    table.row("output, from the command to its arrival, p50 / p95", "– / 100 ms", outputs.millis());
    table.row("resident at most", "512 MiB", memory.peak());
}

/// Pipes that a server may have open when all commands are over, however many there were.
const PIPES: usize = 10;

/// How many pipes a process has open, once that is few; at last, after a minute.
async fn until_let_go(pid: u32) -> usize {
    let count = || {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        let links = files.filter_map(|file| fs::read_link(file.path()).ok());
        links.filter(|link| link.to_string_lossy().starts_with("pipe:")).count()
    };
    for _ in 0..600 {
        if count() <= PIPES {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    count()
}

/// Sessions that did one turn each, and wait.
async fn wait(sizes: &Sizes, table: &mut Table) {
    let bench = Bench::new();
    write_script(&bench, 0, Duration::ZERO);
    let served = bench.serve(FLAGS);
    let before = Memory::of(served.pid());
    let client = Client::new(&served.url, &bench.token(""));
    for _ in 0..sizes.idle {
        let session = client.begin().await;
        let mut stream = client.events(&session, 0).await;
        assert!(client.send(&session, "go").await);
        crowd::until_finished(&mut stream).await;
    }
    let memory = Memory::of(served.pid());
    table.row("resident before any session", "–", before.now());
    table.row(&format!("resident with {} idle sessions", sizes.idle), "150 MiB", memory.now());
}

/// Starts with a large journal.
async fn start(sizes: &Sizes, table: &mut Table) {
    let bench = Bench::new();
    write_script(&bench, 0, Duration::ZERO);
    let made = kept::build(&bench, sizes.kept, sizes.events).await;
    let what = format!("starts with {} sessions of {made} events", sizes.kept);
    table.row(&what, "–", sizes.starts.to_string());
    let mut times = Vec::new();
    for _ in 0..sizes.starts {
        let (served, took) = ready(&bench).await;
        times.push(took);
        let client = Client::new(&served.url, &bench.token(""));
        assert_eq!(client.count_sessions().await, sizes.kept, "sessions behind the start");
        drop(served);
    }
    let times = Spread::new(times);
    table.row("from the start to ready, p50 / p95", "– / 1000 ms", times.millis());
}

/// A server that says that it is ready, and how long that took. It is killed in the end, so that
/// the next start is one after a kill.
async fn ready(bench: &Bench) -> (Served, Duration) {
    let began = figures::now();
    let served = bench.serve(FLAGS);
    while served.status("/readyz", "") != "200" {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    (served, figures::since(began))
}

#[test]
fn nothing_is_lost_under_load_and_everything_comes_to_its_end() {
    let sizes = Sizes::asked();
    let mut table = Table::default();
    block_on(async {
        work(&sizes, &mut table).await;
        wait(&sizes, &mut table).await;
        start(&sizes, &mut table).await;
    });
    println!("{table}");
}
