//! The ten trials, with each part of a sandbox taken away: what they say is so.

use std::{fmt::Write as _, path::Path};

use expect_test::{Expect, expect};
use tagline_sandbox::{
    Means,
    confine::{Part, Probe, Proof},
};
use tempfile::TempDir;

use crate::bed::starter;

const PARTS: [Part; 5] = [Part::Files, Part::Processes, Part::Rights, Part::Calls, Part::Network];

/// One line for each part that is missing: what a command then can do. Nothing where this machine
/// has no such means.
#[track_caller]
fn check(means: Means, expected: Expect) {
    let scratch = TempDir::new().unwrap();
    let outside = Path::new(env!("CARGO_MANIFEST_DIR"));
    let starter = starter();
    let Ok(whole) = Proof::make(means, &starter, scratch.path(), outside) else {
        eprintln!("NOT TRIED: this machine has no {means:?}");
        return;
    };
    let mut table = row("nothing", &whole);
    for part in PARTS {
        let proof = Proof::lacking(part, means, &starter, scratch.path(), outside).unwrap();
        table += &row(&format!("{part:?}"), &proof);
    }
    expected.assert_eq(&table);
}

fn row(missing: &str, proof: &Proof) -> String {
    let (refused, open): (Vec<_>, Vec<_>) =
        proof.trials().into_iter().partition(|(_, is_refused)| *is_refused);
    assert_eq!(refused.len() + open.len(), Probe::ALL.len());
    let open: Vec<_> = open.iter().map(|(probe, _)| probe.to_string()).collect();
    let mut line = String::new();
    writeln!(line, "{missing} missing: {} refused; open: {}", refused.len(), open.join(", "))
        .unwrap();
    line
}

#[test]
fn of_namespaces() {
    check(
        Means::Namespaces,
        expect![[r#"
        nothing missing: 10 refused; open: 
        Files missing: 6 refused; open: write outside of the workspace, write protected names, connect to sockets of other programs, read the files of tagline
        Processes missing: 8 refused; open: signal tagline, outlive tagline
        Rights missing: 8 refused; open: look into tagline, get more rights
        Calls missing: 8 refused; open: mount, get more rights
        Network missing: 9 refused; open: use the network
    "#]],
    );
}

#[test]
fn of_landlock() {
    check(
        Means::Landlock,
        expect![[r#"
        nothing missing: 7 refused; open: write protected names, connect to sockets of other programs, outlive tagline
        Files missing: 3 refused; open: write outside of the workspace, write protected names, use the network, connect to sockets of other programs, read the files of tagline, signal tagline, outlive tagline
        Processes missing: 7 refused; open: write protected names, connect to sockets of other programs, outlive tagline
        Rights missing: 6 refused; open: write protected names, connect to sockets of other programs, get more rights, outlive tagline
        Calls missing: 4 refused; open: write protected names, use the network, connect to sockets of other programs, mount, get more rights, outlive tagline
        Network missing: 6 refused; open: write protected names, use the network, connect to sockets of other programs, outlive tagline
    "#]],
    );
}
