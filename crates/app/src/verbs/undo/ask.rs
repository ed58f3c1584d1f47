//! Asks before something is brought back.

use std::io::{self, IsTerminal as _};

use crate::{
    exit::Exit,
    output::{fail, note},
    screen::count,
};

/// Goes on after a yes alone.
pub(super) fn confirm(n: usize) -> Result<(), Exit> {
    let what = count(n as u64, "path", "paths");
    let input = io::stdin();
    if !input.is_terminal() {
        let words =
            format!("undo: nobody is there to confirm that {what} are brought back; add `--yes`");
        return Err(fail(Exit::NeedsHuman, words));
    }
    note(format_args!("bring back {what}? (yes or no)"));
    let mut line = String::new();
    let read = input.read_line(&mut line);
    if read.is_ok() && line.trim().eq_ignore_ascii_case("yes") {
        return Ok(());
    }
    Err(fail(Exit::Refused, "nothing was brought back"))
}
