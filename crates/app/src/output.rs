//! Writing out: the answer to standard output, everything else to standard error.

use std::io::{self, Write};

use tagline_protocol::system_words;

use crate::exit::Exit;

/// Writes to standard output. A reader that went away ends the program quietly.
///
/// # Errors
///
/// [`Exit::ReaderGone`], or [`Exit::Failed`] with a sentence on standard error.
pub(crate) fn print(text: &str) -> Result<(), Exit> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| failed(&error))
}

/// Writes one JSON value as a line to standard output.
///
/// # Errors
///
/// See [`print()`].
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Exit> {
    let text = serde_json::to_string(value).map_err(|error| fail(Exit::Failed, error))?;
    print(&format!("{text}\n"))
}

/// Writes a line to standard error. Nobody can be told where that fails, so nobody is.
pub(crate) fn note(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Says what is wrong and how the program ends.
pub(crate) fn fail(exit: Exit, message: impl std::fmt::Display) -> Exit {
    note(format_args!("error: {message}"));
    exit
}

fn failed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::ReaderGone;
    }
    fail(Exit::Failed, format_args!("standard output: {}", system_words(error)))
}
