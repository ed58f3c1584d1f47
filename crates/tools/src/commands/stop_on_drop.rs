//! Ends a run whose call was dropped before it was answered.

use std::sync::Arc;

use super::{Runs, runs::Run};

/// While it is armed, dropping it ends the run: nobody has been told its id.
#[derive(Debug)]
pub(crate) struct StopOnDrop {
    runs: Arc<Runs>,
    run: Arc<Run>,
    is_armed: bool,
}

impl StopOnDrop {
    pub(crate) fn new(runs: &Arc<Runs>, run: &Arc<Run>) -> Self {
        Self { runs: Arc::clone(runs), run: Arc::clone(run), is_armed: true }
    }

    /// The call is answered; the run may go on.
    pub(crate) fn disarm(mut self) {
        self.is_armed = false;
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if self.is_armed {
            self.runs.stop_unawaited(&self.run);
        }
    }
}
