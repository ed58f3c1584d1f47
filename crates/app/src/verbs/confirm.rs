//! Asks a person before something is done.

use std::io::{self, IsTerminal as _};

use crate::{
    exit::Exit,
    output::{fail, note},
};

/// Goes on after a yes alone. `unasked` is said where nobody is there, `unwanted` after anything
/// else than a yes.
pub(super) fn confirm(question: &str, unasked: &str, unwanted: &str) -> Result<(), Exit> {
    let input = io::stdin();
    if !input.is_terminal() {
        return Err(fail(Exit::NeedsHuman, unasked));
    }
    note(format_args!("{question} (yes or no)"));
    let mut line = String::new();
    let read = input.read_line(&mut line);
    if read.is_ok() && line.trim().eq_ignore_ascii_case("yes") {
        return Ok(());
    }
    Err(fail(Exit::Refused, unwanted))
}
