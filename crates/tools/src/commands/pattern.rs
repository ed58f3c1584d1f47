//! Waits for a line in a command's output.

use std::sync::Arc;

use regex::Regex;

use tagline_protocol::system_words;

use super::runs::Run;

/// How much is searched at a time, and how much of a line that does not end is kept.
const BLOCK: usize = 64 * 1024;

/// The first line of the whole output that matches, as soon as it is there; a line that is not
/// ended yet counts too, since a prompt has no line break.
///
/// # Errors
///
/// In words, where the command ended without such a line, or its log is full or unreadable.
pub(crate) async fn line(run: &Arc<Run>, regex: &Regex) -> Result<String, String> {
    let mut growth = run.growth();
    let (mut cursor, mut open) = (0, String::new());
    loop {
        growth.mark_unchanged();
        // Before the read: what comes in between is read in the next round.
        let is_silent = run.is_silent();
        let piece = run.log.read(cursor, BLOCK).map_err(|error| {
            format!("the log of {} could not be read: {}", run.id, system_words(&error))
        })?;
        cursor = piece.next;
        open.push_str(&piece.text);
        if let Some(line) = open.lines().find(|line| regex.is_match(line)) {
            return Ok(shown(line));
        }
        open = rest(&open).to_owned();
        if cursor < piece.len {
            continue;
        }
        if is_silent {
            let state = run.state();
            return Err(format!(
                "{} is over ({state}) and wrote no line that matches `{regex}`",
                run.id
            ));
        }
        if 0 < piece.n_dropped {
            return Err(format!(
                "the log of {} is full, so it cannot be told whether a later line matches `{regex}`",
                run.id
            ));
        }
        // Ends only with the run, which is borrowed here.
        let _ = growth.changed().await;
    }
}

/// The last line, which may go on; its end, where it is very long.
fn rest(text: &str) -> &str {
    let from = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(from..).unwrap_or_default();
    let from = line.ceil_char_boundary(line.len().saturating_sub(BLOCK));
    line.get(from..).unwrap_or_default()
}

fn shown(line: &str) -> String {
    const MAX: usize = 1000;
    let end = line.floor_char_boundary(MAX);
    line.get(..end).unwrap_or_default().to_owned()
}
