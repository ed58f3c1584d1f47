//! The rule that an edit needs its content read: what the model is told, and shown, otherwise.

use tagline_executor::guards::{ContentHash, Stale};
use tagline_protocol::ToolFailure;
use tagline_workspace::Contents;

use crate::files::{
    desk::Desk,
    text::{Text, count, n_lines},
    window::{Wanted, read},
};

/// How much of the present text is shown, in bytes.
const HEAD: usize = 3_000;

/// Refuses to change a file whose content the model has not seen. An empty file has nothing to
/// see. Where the whole text fits into the message, the model has seen it then.
pub(crate) fn check_seen(desk: &Desk, path: &str, old: &Contents) -> Result<(), ToolFailure> {
    if old.bytes.is_empty() {
        return Ok(());
    }
    let why = match desk.ledger.check(&old.path, ContentHash::of(&old.bytes)) {
        Ok(()) => return Ok(()),
        Err(Stale::Unread) => "is there already and was not read in this session",
        Err(Stale::Changed) => "changed since read",
    };
    let Some(text) = Text::decode(&old.bytes) else {
        let message = format!("`{path}`: {why}; nothing was written, it is a binary file");
        return Err(ToolFailure::Failed(message));
    };
    let total = n_lines(&text.text) as u64;
    let wanted = Wanted { from: 1, to: u64::MAX, budget: HEAD };
    let window = read(&mut text.text.as_bytes(), wanted).unwrap_or_default();
    let is_whole = window.last == total && !window.is_line_cut;
    if is_whole {
        desk.note(&old.path, &old.bytes);
    }
    let rest = if is_whole {
        "This is all of it; if the change is still right, make the call again with it in mind."
            .to_owned()
    } else {
        let n = count(total - window.last, "more line");
        format!("[{n}; read it with `read_file`, then edit]")
    };
    let head = window.shown;
    let message = format!("`{path}`: {why}; nothing was written, it holds now:\n{head}{rest}");
    Err(ToolFailure::Failed(message))
}
