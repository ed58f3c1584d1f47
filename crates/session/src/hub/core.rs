//! What all sessions of a hub share.

use std::{
    fmt,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::error::HubError;
use crate::{Clock, Workshop, media::MediaIndex};

/// Bounds of a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HubLimits {
    /// Messages that may wait in a session. Default: 100.
    pub queue: usize,
    /// Readers of one session. Default: 32.
    pub watchers: usize,
    /// Frames by which a reader that kept up may fall behind before it is closed, and that are
    /// kept for readers. Default: 1,024.
    pub tail_frames: usize,
    /// The same in bytes. Default: 4 MiB.
    pub tail_bytes: usize,
    /// Longest gap that is replayed; a longer one is answered with a snapshot. Default: 16,384.
    pub replay: u64,
    /// Pieces of a text are collected for a reader this long. Default: 16 ms; 0: not at all.
    pub window: Duration,
}

impl Default for HubLimits {
    fn default() -> Self {
        Self {
            queue: 100,
            watchers: 32,
            tail_frames: 1_024,
            tail_bytes: 4 * 1024 * 1024,
            replay: 16_384,
            window: Duration::from_millis(16),
        }
    }
}

/// What all sessions share.
pub(crate) struct Core<J> {
    pub(crate) journal: Arc<J>,
    pub(crate) workshop: Arc<dyn Workshop>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: HubLimits,
    /// Where images are found.
    pub(crate) media: Arc<MediaIndex>,
    /// Stops every turn.
    pub(crate) turns: CancellationToken,
    /// Every turn has ended and is written: readers get what is left, and no more.
    pub(crate) readers: CancellationToken,
    /// Time is up: tasks are dropped where they stand.
    hard: CancellationToken,
    tasks: TaskTracker,
    is_closing: AtomicBool,
    is_safe_mode: AtomicBool,
    /// Sessions that take no more messages.
    n_full: AtomicUsize,
}

impl<J> Core<J> {
    pub(crate) fn new(
        journal: Arc<J>,
        workshop: Arc<dyn Workshop>,
        clock: Arc<dyn Clock>,
        limits: HubLimits,
    ) -> Self {
        Self {
            journal,
            workshop,
            clock,
            limits,
            media: Arc::default(),
            turns: CancellationToken::new(),
            readers: CancellationToken::new(),
            hard: CancellationToken::new(),
            tasks: TaskTracker::new(),
            is_closing: AtomicBool::new(false),
            is_safe_mode: AtomicBool::new(false),
            n_full: AtomicUsize::new(0),
        }
    }

    /// Nothing new once the process ends.
    pub(crate) fn open(&self) -> Result<(), HubError> {
        if self.is_closing() { Err(HubError::ShuttingDown) } else { Ok(()) }
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::SeqCst)
    }

    pub(crate) fn is_safe_mode(&self) -> bool {
        self.is_safe_mode.load(Ordering::SeqCst)
    }

    pub(crate) fn set_safe_mode(&self, is_safe_mode: bool) {
        self.is_safe_mode.store(is_safe_mode, Ordering::SeqCst);
    }

    /// A session takes no more messages now, or takes them again.
    pub(crate) fn count_full(&self, is_full: bool) {
        match is_full {
            true => self.n_full.fetch_add(1, Ordering::SeqCst),
            false => self.n_full.fetch_sub(1, Ordering::SeqCst),
        };
    }

    pub(crate) fn n_full(&self) -> usize {
        self.n_full.load(Ordering::SeqCst)
    }

    /// A task that is counted, awaited at the end, and dropped if it takes too long then.
    pub(crate) fn spawn<F>(&self, task: F) -> tokio::task::JoinHandle<Option<F::Output>>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let hard = self.hard.clone();
        self.tasks.spawn(async move { hard.run_until_cancelled_owned(task).await })
    }

    pub(crate) fn n_tasks(&self) -> usize {
        self.tasks.len()
    }

    /// No new work from now on; turns that run are told to end.
    pub(crate) fn begin_close(&self) {
        self.is_closing.store(true, Ordering::SeqCst);
        self.turns.cancel();
    }

    /// Waits for every task until then; those that are left are dropped. Whether none was.
    pub(crate) async fn finish_tasks(&self, until: tokio::time::Instant) -> bool {
        self.tasks.close();
        let in_time = tokio::time::timeout_at(until, self.tasks.wait()).await.is_ok();
        self.hard.cancel();
        self.tasks.wait().await;
        in_time
    }
}

impl<J> fmt::Debug for Core<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("n_tasks", &self.tasks.len()).finish_non_exhaustive()
    }
}
