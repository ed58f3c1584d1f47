//! The helper as a program of its own, for whoever starts commands from a program that cannot be one.

use std::process::ExitCode;

fn main() -> ExitCode {
    tagline_sandbox::helper::serve(std::env::args_os()).unwrap_or(ExitCode::from(2))
}
