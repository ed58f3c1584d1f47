//! Sessions that are copies: what was changed before the copy is kept with the original.

use tagline_protocol::Event;
use tagline_store::Journal;

/// Frames read in one go.
const PAGE: usize = 1_000;

/// What to add where nothing of a session can be brought back; empty where it is no copy.
pub(crate) async fn of_copy(journal: &impl Journal, session: &str) -> String {
    let (mut after, mut hint) = (0, String::new());
    // Where the journal cannot be read, there is nothing to add.
    while let Ok(page) = journal.read(session, after, PAGE).await {
        let Some(last) = page.last() else { break };
        after = last.seq;
        for frame in &page {
            if let Event::SessionForked { source, turns, .. } = &frame.event {
                hint = format!(
                    "; up to turn {turns} it is a copy of session `{source}`, which keeps what \
                     those turns changed: bring that back there"
                );
            }
        }
    }
    hint
}
