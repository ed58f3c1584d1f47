//! A process dies with its owner, in whatever way it tries to get away.

use std::{
    fs,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use serde_json::json;

use tagline_tools::commands::Runs;

use crate::bench::{self, Bench};

/// Ways in which processes leave the command that started them. `$S` is a long sleep that can be
/// found again; each way says when it is done.
const STYLES: &[(&str, &str)] = &[
    ("foreground", "touch ready; $S"),
    ("children in the same group", "$S & $S & touch ready; wait"),
    ("new session", "setsid sh -c '$S & $S' & touch ready; wait"),
    ("double fork", "( ( $S & ) & ); touch ready; $S"),
    ("no hang-up", "nohup $S >/dev/null 2>&1 & touch ready; wait"),
    (
        "ignored signals",
        "trap '' TERM INT HUP; (trap '' TERM; $S) & touch ready; while :; do $S; done",
    ),
    ("ignored TERM", "trap '' TERM; touch ready; $S; $S"),
    ("stopped", "$S & sleep 0.1; kill -STOP $!; touch ready; wait"),
    ("daemon", "setsid sh -c '($S </dev/null >/dev/null 2>&1 &)'; touch ready; $S"),
    ("pipes held open", "setsid $S & touch ready; wait"),
    ("cleared environment", "env -i PATH=\"$PATH\" setsid $S & disown; sleep 0.1; touch ready; $S"),
    ("left behind by a shell that ended", "setsid $S & sleep 0.1; touch ready; exit"),
    ("respawning", "setsid sh -c 'while :; do $S; done' & touch ready; wait"),
];

/// Each style, alone and in a sandbox.
fn styles() -> impl Iterator<Item = (Bench, &'static str, &'static str)> {
    STYLES
        .iter()
        .flat_map(|&(name, style)| [Bench::new, Bench::confined].map(|new| (new(), name, style)))
}

/// How the style ends whose command is over at once.
const LEFT_BEHIND: &str = "; exit";

/// A command line that no other process has.
pub(crate) struct Sleep(pub(crate) String);

impl Sleep {
    pub(crate) fn new() -> Self {
        static N: AtomicU32 = AtomicU32::new(0);
        let n = N.fetch_add(1, Ordering::Relaxed);
        Self(format!("sleep 86400.{}{n:04}", std::process::id()))
    }

    /// Living processes with this command line; zombies have none.
    pub(crate) fn n_alive(&self) -> usize {
        let wanted = self.0.replace(' ', "\0") + "\0";
        fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok())
            .filter(|line| line == wanted.as_bytes())
            .count()
    }
}

/// A command in one of the styles, its processes running.
struct Started {
    bench: Bench,
    sleep: Sleep,
    name: &'static str,
}

impl Started {
    /// Starts the command; its call is answered, or cancelled once its processes run.
    async fn new(bench: Bench, name: &'static str, style: &str, is_cancelled: IsCancelled) -> Self {
        let sleep = Sleep::new();
        let command = style.replace("$S", &sleep.0);
        let call = bench.call("execute_command", json!({ "command": command }));
        let ready = async {
            while sleep.n_alive() == 0 || !bench.folder.path().join("ws/ready").exists() {
                // Really waits, also where the clock stands still.
                let nap = || thread::sleep(Duration::from_millis(5));
                tokio::task::spawn_blocking(nap).await.unwrap();
            }
            match is_cancelled {
                IsCancelled::Yes => bench.cancel.cancel(),
                IsCancelled::No => (),
            }
        };
        let (_, ()) = tokio::join!(call, ready);
        Self { bench, sleep, name }
    }

    #[track_caller]
    fn assert_gone(&self) {
        assert_eq!(self.sleep.n_alive(), 0, "{}", self.name);
    }
}

#[derive(Clone, Copy)]
enum IsCancelled {
    Yes,
    No,
}

#[tokio::test]
async fn nothing_survives_a_cancel() {
    for (bench, name, style) in styles() {
        let started = Started::new(bench, name, style, IsCancelled::Yes).await;
        if style.ends_with(LEFT_BEHIND) {
            // Its call was answered before the cancel, so only a stop is left.
            started.bench.call("stop_command", json!({ "run_id": "r1" })).await.unwrap();
        }
        started.assert_gone();
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_survives_a_stop() {
    for (bench, name, style) in styles() {
        let started = Started::new(bench, name, style, IsCancelled::No).await;
        started.bench.call("stop_command", json!({ "run_id": "r1" })).await.unwrap();
        started.assert_gone();
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_survives_the_end_of_the_session() {
    for (bench, name, style) in styles() {
        let started = Started::new(bench, name, style, IsCancelled::No).await;
        started.bench.runs.shutdown().await;
        started.assert_gone();
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_survives_when_the_manager_is_dropped() {
    for (bench, name, style) in styles() {
        let Started { bench, sleep, name } =
            Started::new(bench, name, style, IsCancelled::No).await;
        drop(bench);
        assert_eq!(sleep.n_alive(), 0, "{name}");
    }
}

/// A killed process ends nothing; the next one of its session does. It knows neither groups nor
/// pipes, so a process that cleared its environment is beyond it.
#[tokio::test(start_paused = true)]
async fn nothing_survives_the_next_start_of_the_session() {
    for (bench, name, style) in styles().filter(|(_, name, _)| *name != "cleared environment") {
        let started = Started::new(bench, name, style, IsCancelled::No).await;
        let next = Runs::new(bench::config(&started.bench.folder)).unwrap();
        next.end_leftovers().await;
        started.assert_gone();
    }
}

#[tokio::test]
async fn nothing_survives_a_call_that_is_dropped() {
    let (bench, sleep) = (Bench::new(), Sleep::new());
    let mut call = Box::pin(bench.call("execute_command", json!({ "command": sleep.0 })));
    while sleep.n_alive() == 0 {
        tokio::select! {
            answer = &mut call => panic!("{answer:?}"),
            () = tokio::time::sleep(Duration::from_millis(5)) => (),
        }
    }
    drop(call);
    bench.runs.shutdown().await;
    assert_eq!(sleep.n_alive(), 0);
}

#[tokio::test]
async fn nothing_starts_after_the_end_of_the_session() {
    let bench = Bench::new();
    bench.runs.shutdown().await;
    let echo = bench.echo("execute_command", json!({ "command": "true" })).await;
    assert_eq!(echo, "cancelled: the session ends; no command is started any more");
}
