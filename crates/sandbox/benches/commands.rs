//! What a sandbox costs a command: the same command started alone and in each way, in the same run.
//!
//! `cargo bench -p tagline-sandbox`. Compare the rows of one run; do not compare runs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench stops at the first surprise, reads the clock and runs commands"
)]

#[cfg(target_os = "linux")]
fn main() {
    // Cargo tests benches too; those have nothing to say without being measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("nothing is confined here, so there is nothing to measure");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs,
        path::{Path, PathBuf},
        process::{Command, Stdio},
        time::Instant,
    };

    use tagline_sandbox::{Limits, Means, Order, Plan, Starter, network::Network};

    /// Commands of a row.
    const ROUNDS: usize = 200;

    pub(super) fn main() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let ws = top.join("ws");
        for name in ["ws", "own", "tmp"] {
            fs::create_dir(top.join(name)).unwrap();
        }
        fs::write(ws.join("file"), "x").unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_become-a-command"));
        let helper = Starter::Helper(program.clone());
        let plan = Plan {
            writable: vec![ws.clone()],
            hidden: vec![top.join("own")],
            temp: Some(top.join("tmp")),
            ..Plan::default()
        };
        let confined = || Order::confined(Limits::default(), plan.clone(), &ws);
        println!("{:<44} {:>8} {:>8}", "`bash -c true`, milliseconds", "p50", "p95");
        row("alone", || alone(&ws));
        row("bounded, from a copy of this process", || {
            start(&Starter::Fork, &Order::bounded(Limits::default()), &ws)
        });
        row("bounded, by the helper", || start(&helper, &Order::bounded(Limits::default()), &ws));
        row("confined, from a copy of this process", || start(&Starter::Fork, &confined(), &ws));
        row("confined, by the helper", || start(&helper, &confined(), &ws));
        match Network::open(&program) {
            Ok(network) => row("the same, in a network of its own", || {
                start(&helper, &confined().within(network.membership()), &ws)
            }),
            Err(error) => println!("no network of its own: {error}"),
        }
        row("by Landlock", || start(&helper, &confined().by(Means::Landlock).offline(), &ws));
        row("a network, made and ended", || drop(Network::open(&program)));
    }

    fn alone(ws: &Path) {
        let status = Command::new("bash").args(["-c", "true"]).current_dir(ws).status().unwrap();
        assert!(status.success());
    }

    fn start(starter: &Starter, order: &Order, ws: &Path) {
        let mut command = starter.command(Path::new("bash"));
        command.args(["-c", "true"]).current_dir(ws).stdout(Stdio::null());
        let Ok((mut child, _leash)) = starter.start(order, command, |mut it| it.spawn()) else {
            return;
        };
        assert!(child.wait().unwrap().success());
    }

    fn row(name: &str, work: impl Fn()) {
        let measure = |_| {
            let began = Instant::now();
            work();
            began.elapsed().as_secs_f64() * 1e3
        };
        let mut times: Vec<f64> = (0..ROUNDS).map(measure).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times.get(ROUNDS * share / 100).copied().unwrap_or_default();
        println!("{name:<44} {:>8.2} {:>8.2}", at(50), at(95));
    }
}
