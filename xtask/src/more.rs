//! Tests that the test command runs a few times, run more often: `cargo xtask NAME OPTION N`.

use crate::{Chore, run};

/// A test, and how it is told how often.
pub(crate) struct Test {
    name: &'static str,
    option: &'static str,
    package: &'static str,
    filter: &'static str,
    variable: &'static str,
    profile: Profile,
}

/// How a test is built.
#[derive(Clone, Copy)]
enum Profile {
    /// As the test command builds it.
    Test,
    /// Optimised: it counts much, or measures.
    Release,
}

use Profile::{Release, Test as Usual};

#[rustfmt::skip]
const TESTS: [Test; 20] = [
    // The verdict on every so manieth address of IPv4, beside a second reading of the registries.
    row("addresses", "--step", "tagline-net", "the_verdict_on_ipv4", "TAGLINE_TEST_ADDRESS_STEP", Release),
    // So many requests of any kind, over every route.
    row("api-fuzz", "--requests", "tagline-server", "fuzz::", "TAGLINE_TEST_REQUESTS", Usual),
    // Stops at so many random instants of a session.
    row("cancels", "--times", "tagline-session", "hub::cancels", "TAGLINE_TEST_CANCELS", Usual),
    // A journal's file, damaged so often.
    row("damage", "--runs", "tagline-store", "corruption::", "TAGLINE_TEST_DAMAGES", Release),
    // Every prefix of so many recorded sessions, and a hundred damaged forms of each, as a request.
    row("histories", "--logs", "tagline-session", "histories::", "TAGLINE_TEST_LOGS", Usual),
    // A process that appends to a journal, in a file and in a database, killed so often.
    row("journal-kills", "--kills", "tagline-store", "kill::", "TAGLINE_TEST_JOURNAL_KILLS", Usual),
    // A server that is killed so often, and a client that remembers what it was shown.
    row("kill-oracle", "--kills", "tagline-app", "kills::", "TAGLINE_TEST_KILLS", Usual),
    // A journal's log, cut at every so manieth byte.
    row("log-cuts", "--step", "tagline-store", "cuts::", "TAGLINE_TEST_LOG_CUTS", Usual),
    // So many calls of the file tools, while a folder is swapped for a link that leads out.
    row("path-races", "--calls", "tagline-tools", "race::", "TAGLINE_TEST_RACES", Usual),
    // So many pairs of rules and calls, judged by the policy and by a reference.
    row("policy-pairs", "--pairs", "tagline-policy", "reference::", "TAGLINE_TEST_PAIRS", Release),
    // Every fault of a provider, over every adapter, cut in so many ways.
    row("provider-faults", "--seeds", "tagline-model", "matrix::", "TAGLINE_TEST_SEEDS", Usual),
    // So many calls of every tool, made from its schema, as tags and as JSON, there and back.
    row("round-trips", "--calls", "tagline-tools", "calls_of_every_schema", "TAGLINE_TEST_CALLS", Release),
    // So many other spellings of hostile commands.
    row("shell-mutations", "--count", "tagline-policy", "shell_cases::more", "TAGLINE_TEST_MUTATIONS", Release),
    // So many addresses in every spelling, and texts that look like some.
    row("spellings", "--texts", "tagline-net", "whatever_the_fuzz_target", "TAGLINE_TEST_ADDRESS_TEXTS", Release),
    // A reader that stops while so many replies are written, beside one that reads.
    row("slow-reader", "--replies", "tagline-app", "load::slow::", "TAGLINE_TEST_SLOW_REPLIES", Release),
    // A stream of 10,000 events, cut so often, also behind a proxy that buffers.
    row("sse-cuts", "--cuts", "tagline-server", "cuts::", "TAGLINE_TEST_CUTS", Usual),
    // Turns that are stopped so often while their commands hide.
    row("stops", "--times", "tagline-app", "stops::", "TAGLINE_TEST_STOPS", Usual),
    // Replies cut at every byte, of so many recorded streams.
    row("stream-cuts", "--streams", "tagline-session", "every_byte::", "TAGLINE_TEST_STREAMS", Release),
    // So many commands that run without a question, below strace: what is said to run is what runs.
    row("traced", "--commands", "tagline-policy", "traced::", "TAGLINE_TEST_TRACED", Usual),
    // So many sequences of edits and commands, undone and undone again, and a file of 200 MB.
    row("undo", "--sequences", "tagline-snapshot", "sequences::", "TAGLINE_TEST_SEQUENCES", Release),
];

const fn row(
    name: &'static str,
    option: &'static str,
    package: &'static str,
    filter: &'static str,
    variable: &'static str,
    profile: Profile,
) -> Test {
    Test { name, option, package, filter, variable, profile }
}

/// The test of this name.
pub(crate) fn find(name: &str) -> Option<&'static Test> {
    TESTS.iter().find(|test| test.name == name)
}

/// How all of them are asked for.
pub(crate) fn usage() -> String {
    TESTS.map(|Test { name, option, .. }| format!("{name} {option} N")).join(" | ")
}

impl Test {
    pub(crate) fn run(&self, args: &[String]) -> Chore {
        let Self { name, option, package, filter, variable, profile } = *self;
        let usage = || format!("usage: cargo xtask {name} {option} N");
        let [given, number] = args else { return Err(usage()) };
        if given != option || number.parse::<u64>().is_err() {
            return Err(usage());
        }
        let mut command = run::command("cargo", &["test", "--locked", "-p", package]);
        if matches!(profile, Release) {
            command.arg("--release");
        }
        command.args(["--test", "it", filter, "--", "--nocapture"]).env(variable, number);
        run::finish(command, &format!("cargo test -p {package} --test it {filter}"))
    }
}
