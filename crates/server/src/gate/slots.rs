//! How many requests and streams there are at once.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

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

/// Open streams, by the address of the client.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    limit: usize,
}

impl Streams {
    pub(crate) fn new(limit: usize) -> Self {
        Self { open: Arc::default(), limit }
    }

    pub(crate) fn take(&self, client: IpAddr) -> Result<StreamSlot, ApiError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let n = open.entry(client).or_default();
        if *n >= self.limit {
            return Err(ApiError::Streams { limit: self.limit });
        }
        *n += 1;
        Ok(StreamSlot { streams: self.clone(), client })
    }

    /// All that are open.
    pub(crate) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// One open stream; dropping it makes room.
#[derive(Debug)]
pub(crate) struct StreamSlot {
    streams: Streams,
    client: IpAddr,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = open.get_mut(&self.client) {
            *n -= 1;
            if *n == 0 {
                open.remove(&self.client);
            }
        }
    }
}
