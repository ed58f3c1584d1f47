//! How many requests there are at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ApiError;

/// Requests being served, by row of the table.
#[derive(Debug)]
pub(crate) struct Requests {
    rows: Vec<Arc<Semaphore>>,
    limit: usize,
}

impl Requests {
    pub(crate) fn new(rows: usize, limit: usize) -> Self {
        Self { rows: (0..rows).map(|_| Arc::new(Semaphore::new(limit))).collect(), limit }
    }

    pub(crate) fn take(&self, row: usize) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        let Some(row) = self.rows.get(row) else { return Ok(None) };
        let taken = Arc::clone(row).try_acquire_owned();
        taken.map(Some).map_err(|_| ApiError::Busy { limit: self.limit })
    }
}
