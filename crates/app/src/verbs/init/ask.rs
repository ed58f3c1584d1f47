//! Questions in the terminal, one line each, nothing redrawn.

use std::io::{self, Write as _};

use tagline_protocol::system_words;
use tagline_secret::Secret;

use crate::{
    exit::Exit,
    output::{fail, note},
    verbs::keys::unseen,
};

/// Where to type.
const MARK: &str = "> ";

/// Who answers.
#[derive(Debug, Default)]
pub(super) struct Ask {
    /// Ctrl-D was typed: nothing more comes.
    is_over: bool,
}

impl Ask {
    /// A line; `None` where it is left out.
    pub(super) fn line(&mut self) -> Result<Option<String>, Exit> {
        if self.is_over {
            return Ok(None);
        }
        let mut line = String::new();
        let asked = write!(io::stderr(), "{MARK}");
        let read = asked.and_then(|()| io::stdin().read_line(&mut line));
        let n = read.map_err(|error| fail(Exit::Failed, system_words(&error)))?;
        self.is_over = n == 0;
        let line = line.trim();
        Ok((!line.is_empty()).then(|| line.to_owned()))
    }

    /// A line that the terminal does not show.
    pub(super) fn secret(&mut self) -> Result<Option<Secret>, Exit> {
        if self.is_over {
            return Ok(None);
        }
        let line = unseen(MARK)?;
        self.is_over = line.is_empty();
        // The terminal did not show the end of the line either.
        note("");
        let line = line.trim();
        Ok((!line.is_empty()).then(|| Secret::from(line)))
    }

    /// Whether the answer begins with `y`.
    pub(super) fn yes(&mut self) -> Result<bool, Exit> {
        Ok(self.line()?.is_some_and(|line| line.to_lowercase().starts_with('y')))
    }
}
