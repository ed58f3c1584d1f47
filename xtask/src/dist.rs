//! The program as it is released.

use crate::{Chore, run};

/// What a release has beside the default.
pub(crate) const FEATURES: &str = "tagline-app/otlp";

/// Where it lies afterwards.
const BINARY: &str = "target/dist/tagline";

/// Builds it, and looks whether it can do what a release can.
pub(crate) fn run() -> Chore {
    let profile = ["build", "--locked", "--profile", "dist", "-p", "tagline-app"];
    run::sh("cargo", &[profile.as_slice(), &["--features", FEATURES]].concat())?;
    sends_traces()?;
    println!("{BINARY}");
    Ok(())
}

/// A build that cannot send traces says so where it is told to.
fn sends_traces() -> Chore {
    let binary = run::root().join(BINARY);
    let mut command = run::command(&binary.to_string_lossy(), &["tools", "list"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let output = command.output().map_err(|error| format!("cannot run {BINARY}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !said.contains("sends no traces") {
        return Ok(());
    }
    Err(format!("{BINARY}: expected a program that sends traces, but it said: {said}"))
}
