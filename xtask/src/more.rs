//! Tests that the test command runs a few times, run more often.

use crate::{Chore, run};

/// A test, and how it is told how often.
struct Test {
    usage: &'static str,
    option: &'static str,
    /// Arguments of `cargo test`.
    cargo: &'static [&'static str],
    variable: &'static str,
}

const PROVIDER_FAULTS: Test = Test {
    usage: "usage: cargo xtask provider-faults --seeds N",
    option: "--seeds",
    cargo: &["-p", "tagline-model", "--test", "it", "matrix::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_SEEDS",
};

const HISTORIES: Test = Test {
    usage: "usage: cargo xtask histories --logs N",
    option: "--logs",
    cargo: &["-p", "tagline-session", "--test", "it", "histories::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_LOGS",
};

/// Every prefix of so many recorded sessions, and a hundred damaged forms of each, as a request.
pub(crate) fn histories(args: &[String]) -> Chore {
    HISTORIES.run(args)
}

const CANCELS: Test = Test {
    usage: "usage: cargo xtask cancels --times N",
    option: "--times",
    cargo: &["-p", "tagline-session", "--test", "it", "hub::cancels", "--", "--nocapture"],
    variable: "TAGLINE_TEST_CANCELS",
};

/// Stops at so many random instants of a session.
pub(crate) fn cancels(args: &[String]) -> Chore {
    CANCELS.run(args)
}

const SSE_CUTS: Test = Test {
    usage: "usage: cargo xtask sse-cuts --cuts N",
    option: "--cuts",
    cargo: &["-p", "tagline-server", "--test", "it", "cuts::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_CUTS",
};

const API_FUZZ: Test = Test {
    usage: "usage: cargo xtask api-fuzz --requests N",
    option: "--requests",
    cargo: &["-p", "tagline-server", "--test", "it", "fuzz::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_REQUESTS",
};

const KILLS: Test = Test {
    usage: "usage: cargo xtask kill-oracle --kills N",
    option: "--kills",
    cargo: &["-p", "tagline-app", "--test", "it", "kills::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_KILLS",
};

/// A server that is killed so often, and a client that remembers what it was shown.
pub(crate) fn kills(args: &[String]) -> Chore {
    KILLS.run(args)
}

const DAMAGE: Test = Test {
    usage: "usage: cargo xtask damage --runs N",
    option: "--runs",
    cargo: &[
        "--release",
        "-p",
        "tagline-store",
        "--test",
        "it",
        "corruption::",
        "--",
        "--nocapture",
    ],
    variable: "TAGLINE_TEST_DAMAGES",
};

const LOG_CUTS: Test = Test {
    usage: "usage: cargo xtask log-cuts --step N",
    option: "--step",
    cargo: &["-p", "tagline-store", "--test", "it", "cuts::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_LOG_CUTS",
};

const JOURNAL_KILLS: Test = Test {
    usage: "usage: cargo xtask journal-kills --kills N",
    option: "--kills",
    cargo: &["-p", "tagline-store", "--test", "it", "kill::", "--", "--nocapture"],
    variable: "TAGLINE_TEST_JOURNAL_KILLS",
};

/// A journal's log, cut at every so manieth byte.
pub(crate) fn log_cuts(args: &[String]) -> Chore {
    LOG_CUTS.run(args)
}

/// A process that appends to a journal, in a file and in a database, killed so often.
pub(crate) fn journal_kills(args: &[String]) -> Chore {
    JOURNAL_KILLS.run(args)
}

/// A journal's file, damaged so often.
pub(crate) fn damage(args: &[String]) -> Chore {
    DAMAGE.run(args)
}

/// A stream of 10,000 events, cut so often, also behind a proxy that buffers.
pub(crate) fn sse_cuts(args: &[String]) -> Chore {
    SSE_CUTS.run(args)
}

/// So many requests of any kind, over every route.
pub(crate) fn api_fuzz(args: &[String]) -> Chore {
    API_FUZZ.run(args)
}

/// Every fault of a provider, over every adapter, cut in so many ways.
pub(crate) fn provider_faults(args: &[String]) -> Chore {
    PROVIDER_FAULTS.run(args)
}

impl Test {
    fn run(&self, args: &[String]) -> Chore {
        let [option, number] = args else { return Err(self.usage.to_owned()) };
        if option != self.option || number.parse::<u64>().is_err() {
            return Err(self.usage.to_owned());
        }
        let mut command = run::command("cargo", &["test", "--locked"]);
        command.args(self.cargo).env(self.variable, number);
        run::finish(command, &format!("cargo test {}", self.cargo.join(" ")))
    }
}
