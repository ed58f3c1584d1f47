//! What a sandbox costs a command: the same command started alone and in each way, by turns, in the
//! same run, in a workspace of 10,000 files.
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

    /// Files of the workspace, in folders of a hundred.
    const FILES: usize = 10_000;
    /// A command that does nothing, and how often it is run in each way.
    const NOTHING: (&str, usize) = ("true", 200);
    /// One that looks at every file and reads it.
    const READS: (&str, usize) = ("find . -type f -print0 | xargs -0 cat | wc -c", 10);

    /// A way to start a command.
    struct Way {
        name: &'static str,
        start: Box<dyn Fn(&str)>,
    }

    pub(super) fn main() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let ws = top.join("ws");
        for name in ["ws", "own", "tmp"] {
            fs::create_dir(top.join(name)).unwrap();
        }
        plant(&ws);
        let program = PathBuf::from(env!("CARGO_BIN_EXE_become-a-command"));
        // It is held until the end: commands are in it.
        let network = Network::open(&program);
        let ways = ways(&top, &program, network.as_ref().ok());
        for (line, n) in [NOTHING, READS] {
            println!("{:<44} {:>8} {:>8}", format!("`bash -c '{line}'`, ms"), "p50", "p95");
            measure(n, &ways, |way| (way.start)(line));
        }
        let network = |_: &Way| drop(Network::open(&program));
        let made = Way { name: "a network, made and ended", start: Box::new(|_| ()) };
        measure(NOTHING.1, &[made], network);
    }

    fn plant(ws: &Path) {
        for n in 0..FILES {
            let folder = ws.join(format!("{:03}", n / 100));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(format!("{n}.txt")), format!("{n}\n").repeat(400)).unwrap();
        }
    }

    /// All of them that this machine gives.
    fn ways(top: &Path, program: &Path, network: Option<&Network>) -> Vec<Way> {
        let ws = top.join("ws");
        let helper = Starter::Helper(program.to_owned());
        let plan = Plan {
            writable: vec![ws.clone()],
            hidden: vec![top.join("own")],
            temp: Some(top.join("tmp")),
            ..Plan::default()
        };
        let bounded = || Order::bounded(Limits::default());
        let confined = || Order::confined(Limits::default(), plan.clone(), &ws);
        let mut orders = vec![
            ("bounded, from a copy of this process", Starter::Fork, bounded()),
            ("bounded, by the helper", helper.clone(), bounded()),
            ("confined, from a copy of this process", Starter::Fork, confined()),
            ("confined, by the helper", helper.clone(), confined()),
            ("by Landlock", helper.clone(), confined().by(Means::Landlock).offline()),
        ];
        match network {
            Some(network) => orders.push((
                "confined, in a network of its own",
                helper,
                confined().within(network.membership()),
            )),
            None => println!("no network of its own here"),
        }
        let plain = ws.clone();
        let mut ways =
            vec![Way { name: "alone", start: Box::new(move |line| alone(line, &plain)) }];
        for (name, starter, order) in orders {
            match start(&starter, &order, "true", &ws) {
                Ok(()) => {
                    let ws = ws.clone();
                    let start = move |line: &str| start(&starter, &order, line, &ws).unwrap();
                    ways.push(Way { name, start: Box::new(start) });
                }
                Err(error) => println!("{name}: not here: {error}"),
            }
        }
        ways
    }

    fn alone(line: &str, ws: &Path) {
        let mut bash = Command::new("bash");
        let bash = bash.args(["-c", line]).current_dir(ws).stdin(Stdio::null());
        assert!(bash.stdout(Stdio::null()).status().unwrap().success());
    }

    fn start(starter: &Starter, order: &Order, line: &str, ws: &Path) -> std::io::Result<()> {
        let mut command = starter.command(Path::new("bash"));
        command.args(["-c", line]).current_dir(ws).stdout(Stdio::null());
        let (mut child, _leash) = starter.start(order, command, |mut it| it.spawn())?;
        assert!(child.wait()?.success());
        Ok(())
    }

    /// The ways by turns, so that what else the machine does weighs on all of them alike.
    fn measure(rounds: usize, ways: &[Way], work: impl Fn(&Way)) {
        let mut times = vec![Vec::new(); ways.len()];
        for _ in 0..rounds {
            for (way, times) in ways.iter().zip(&mut times) {
                let began = Instant::now();
                work(way);
                times.push(began.elapsed().as_secs_f64() * 1e3);
            }
        }
        for (way, mut times) in ways.iter().zip(times) {
            times.sort_by(f64::total_cmp);
            let at = |share: usize| times.get(rounds * share / 100).copied().unwrap_or_default();
            println!("{:<44} {:>8.2} {:>8.2}", way.name, at(50), at(95));
        }
    }
}
