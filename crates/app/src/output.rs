//! Writing out: the answer to standard output, everything else to standard error.

use std::{
    io::{self, Write},
    sync::OnceLock,
};

use tagline_protocol::system_words;
use tagline_secret::Redactor;

use crate::exit::Exit;

/// What covers secrets. Before it is set, only names and numbers are written.
static COVER: OnceLock<Redactor> = OnceLock::new();

/// From now on nothing is written here with a secret in it that this redactor knows.
pub(crate) fn cover(redactor: &Redactor) {
    // A process has one environment, so the first is the only one.
    let _ = COVER.set(redactor.clone());
}

/// The text without secrets.
pub(crate) fn covered(text: &str) -> std::borrow::Cow<'_, str> {
    COVER.get().map_or(std::borrow::Cow::Borrowed(text), |redactor| redactor.text(text))
}

/// Writes to standard output. A reader that went away ends the program quietly.
///
/// # Errors
///
/// [`Exit::ReaderGone`], or [`Exit::Failed`] with a sentence on standard error.
pub(crate) fn print(text: &str) -> Result<(), Exit> {
    show(&covered(text))
}

/// The same for what is a secret and asked for by name.
///
/// # Errors
///
/// See [`print()`].
pub(crate) fn show(text: &str) -> Result<(), Exit> {
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
    let line = line.to_string();
    let _ = writeln!(io::stderr().lock(), "{}", covered(&line));
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
