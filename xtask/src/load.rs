//! The server under load, at full size: `cargo xtask load`.

use crate::{Chore, run};

/// How much of something: its flag, the variable that tells the test, and the usual number.
struct Size(&'static str, &'static str, &'static str);

const SIZES: [Size; 7] = [
    Size("--sessions", "TAGLINE_TEST_LOAD_SESSIONS", "100"),
    Size("--calls", "TAGLINE_TEST_LOAD_CALLS", "100"),
    Size("--delay", "TAGLINE_TEST_LOAD_DELAY", "100"),
    Size("--idle", "TAGLINE_TEST_LOAD_IDLE", "1000"),
    Size("--kept", "TAGLINE_TEST_LOAD_KEPT", "1000"),
    Size("--events", "TAGLINE_TEST_LOAD_EVENTS", "1000000"),
    Size("--starts", "TAGLINE_TEST_LOAD_STARTS", "10"),
];

const USAGE: &str = "usage: cargo xtask load [--sessions N] [--calls N] [--delay MILLISECONDS] \
                     [--idle N] [--kept N] [--events N] [--starts N]";

const TEST: [&str; 10] = [
    "test",
    "--locked",
    "--release",
    "-p",
    "tagline-app",
    "--test",
    "it",
    "load::",
    "--",
    "--nocapture",
];

/// Sessions that work at once, sessions that wait, and starts with a large journal.
pub(crate) fn run(args: &[String]) -> Chore {
    let mut command = run::command("cargo", &TEST);
    command.envs(SIZES.iter().map(|Size(_, variable, usual)| (variable, usual)));
    for pair in args.chunks(2) {
        let [flag, number] = pair else { return Err(USAGE.to_owned()) };
        let size = SIZES.iter().find(|Size(known, ..)| known == flag);
        let Some(Size(_, variable, _)) = size else { return Err(USAGE.to_owned()) };
        number.parse::<u64>().map_err(|_| USAGE.to_owned())?;
        command.env(variable, number);
    }
    run::finish(command, "cargo test … load::")
}
