//! The binary `tagline-command`, which becomes each command that Tagline starts; nothing for people.

use std::process::ExitCode;

use tagline_tools::commands::helper;

/// Called in any other way.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    helper::serve(std::env::args_os()).unwrap_or(ExitCode::from(USAGE))
}
