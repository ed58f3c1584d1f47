//! Results of earlier calls, out of the journal.

use std::sync::Arc;

use tagline_executor::PastResults;
use tagline_protocol::{CallId, Event, Frame};
use tagline_store::{Journal, StoreError};

/// Finds results of this session.
pub(crate) fn past_results<J: Journal + 'static>(journal: &Arc<J>, session: &str) -> PastResults {
    let (journal, session) = (Arc::clone(journal), session.to_owned());
    PastResults::new(move |call| {
        let (journal, session) = (Arc::clone(&journal), session.clone());
        Box::pin(async move {
            find(&*journal, &session, &call).await.map_err(|error| error.to_string())
        })
    })
}

/// Frames read in one go.
const PAGE: usize = 1_000;

/// The last result of a call: one that is tried again may have several.
async fn find<J: Journal>(
    journal: &J,
    session: &str,
    call: &CallId,
) -> Result<Option<String>, StoreError> {
    let (mut after, mut found) = (0, None);
    loop {
        let frames = journal.read(session, after, PAGE).await?;
        let Some(last) = frames.last() else { return Ok(found) };
        after = last.seq;
        let of_call = frames.into_iter().filter(|frame| frame.call.as_ref() == Some(call));
        found = of_call.filter_map(result).next_back().or(found);
    }
}

fn result(frame: Frame) -> Option<String> {
    let (Event::ToolDone { echo, .. } | Event::ToolFailed { echo, .. }) = frame.event else {
        return None;
    };
    Some(echo)
}
