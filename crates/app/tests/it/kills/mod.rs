//! A server that is killed over and over, and a client that remembers every event it was shown.
//!
//! Nothing that was shown may be missing, come twice or differ afterwards; nothing that was
//! acknowledged may be missing; no call may have its effect twice. `TAGLINE_TEST_KILLS` says how
//! often it is killed; `cargo xtask kill-oracle --kills N` sets it.

pub(crate) mod client;
mod memory;

use std::{fs, time::Duration};

use serde_json::Value;
use tagline_test_postgres::Cluster;

use self::{
    client::{Client, Stream},
    memory::Memory,
};
use crate::support::{Bench, asked};

/// The variable that says how often.
const KILLS: &str = "TAGLINE_TEST_KILLS";
/// Kills in the test command.
const FEW: u64 = 100;
/// A killed server's lease of a session in a shared database has to run out.
const FEW_SHARED: u64 = 2;
/// Kills of one session, whose history is read at each start.
const PER_SESSION: u64 = 20;
/// What is waited for at named points.
const POINTS: [&str; 11] = [
    "message.queued",
    "run.started",
    "message.user",
    "say.delta",
    "tool.opening",
    "tool.ready",
    "tool.running",
    "tool.done",
    "message.results",
    "message.assistant",
    "run.finished",
];

/// When a server is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// So long after the message was sent.
    After(Duration),
    /// So long after an event of this type was shown.
    Behind(&'static str, Duration),
}

/// Everything that is compared.
struct Oracle {
    bench: Bench,
    flags: String,
    memory: Memory,
    random: fastrand::Rng,
}

impl Oracle {
    fn new(flags: &str) -> Self {
        Self {
            bench: Bench::new(),
            flags: format!("--model script/kill.txt --mode full {flags}"),
            memory: Memory::default(),
            random: fastrand::Rng::with_seed(7),
        }
    }

    /// Each life of a server has a script of its own, so that every effect can be told from every other.
    fn write_script(&self, life: u64) {
        let call =
            |n: u32| format!("<execute_command>echo {life}-{n} >> effects.txt</execute_command>");
        let script = format!(
            "=== chunk 8\n=== delay 1ms\n\n=== reply\nI count in this file, line by line.\n{}\n\n\
             === reply\nAnd once more.\n{}\n\n=== reply\nCounted.\n\n=== reply\nMore.\n=== repeat forever\n",
            call(1),
            call(2)
        );
        fs::write(self.bench.path("work/kill.txt"), script).unwrap();
    }

    fn moment(&mut self, life: u64) -> Moment {
        let mut micros = |most| Duration::from_micros(self.random.u64(0..most));
        if life.is_multiple_of(2) {
            return Moment::After(micros(250_000));
        }
        let point = POINTS.get(usize::try_from(life / 2).unwrap() % POINTS.len());
        Moment::Behind(point.unwrap(), micros(500))
    }

    /// One life of a server, from its start to its kill.
    async fn life(&mut self, life: u64) {
        self.write_script(life);
        let moment = self.moment(life);
        let mut served = self.bench.serve(&self.flags);
        let client = Client::new(&served.url, &self.bench.token(""));
        if life.is_multiple_of(PER_SESSION) {
            self.compare(&client).await;
            self.memory.begin(&client.begin().await);
        }
        let session = self.memory.session.clone();
        let mut stream = client.events(&session, self.memory.seen).await;
        let text = format!("go {life}");
        let killing = async {
            watch(&mut stream, &mut self.memory, moment).await;
            served.kill();
        };
        let ((), sent) = tokio::join!(killing, client.send(&session, &text));
        if sent {
            self.memory.acknowledge(text);
        }
        // What was on its way when the server died was shown too.
        while let Some(frame) = stream.next().await {
            self.memory.show(frame);
        }
    }

    /// Compares what was shown with what is kept, once a server is back.
    async fn compare(&mut self, client: &Client) {
        if self.memory.session.is_empty() {
            return;
        }
        // What waited goes on by itself where it may; the records up to here do not change by it.
        let kept = client.records(&self.memory.session).await;
        self.memory.compare(&kept);
    }

    #[expect(clippy::print_stdout, reason = "the figures are what the command is for")]
    async fn run(mut self, n_kills: u64) {
        for life in 0..n_kills {
            self.life(life).await;
        }
        let served = self.bench.serve(&self.flags);
        self.compare(&Client::new(&served.url, &self.bench.token(""))).await;
        drop(served);
        let effects = fs::read_to_string(self.bench.path("work/effects.txt")).unwrap_or_default();
        self.memory.count_effects(&effects);
        println!("{n_kills} kills: {}", self.memory.figures());
        self.memory.check();
    }
}

/// Reads until the moment has come. A point that is not reached counts as reached after 10 s.
async fn watch(stream: &mut Stream, memory: &mut Memory, moment: Moment) {
    let (point, pause) = match moment {
        Moment::After(pause) => (None, pause),
        Moment::Behind(point, pause) => (Some(point), pause),
    };
    if let Some(point) = point {
        let reached = async {
            while let Some(frame) = stream.next().await {
                let is_it = kind(&frame) == point;
                memory.show(frame);
                if is_it {
                    return;
                }
            }
        };
        // Whether it was reached is no matter: the server is killed where it stands.
        let _ = tokio::time::timeout(Duration::from_secs(10), reached).await;
    }
    let rest = async {
        while let Some(frame) = stream.next().await {
            memory.show(frame);
        }
    };
    let _ = tokio::time::timeout(pause, rest).await;
}

pub(crate) fn kind(frame: &Value) -> &str {
    frame.get("type").and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

#[test]
fn a_killed_server_loses_nothing_it_showed_and_doubles_nothing() {
    block_on(Oracle::new("").run(asked(KILLS, FEW)));
}

#[test]
fn a_killed_server_of_a_shared_database_does_neither() {
    let flags = format!("--database-url {}", Cluster::shared().database());
    block_on(Oracle::new(&flags).run(asked(KILLS, FEW_SHARED * 10) / 10));
}
