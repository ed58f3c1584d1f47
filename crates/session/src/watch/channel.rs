//! Where a session's frames come by on their way to its readers.

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tagline_protocol::Frame;
use tokio::sync::watch;

use super::{
    tail::{Bounds, Next, Tail},
    wire::Encoded,
};
use crate::media::MediaIndex;

/// The tail of a session, and a bell for its readers.
#[derive(Debug)]
pub(crate) struct Channel {
    tail: Mutex<Tail>,
    /// The head, for readers to wait for.
    bell: watch::Sender<u64>,
    /// Where images are found that frames only name.
    media: Arc<MediaIndex>,
    n_readers: AtomicUsize,
}

/// A reader that is counted.
#[derive(Debug)]
pub(crate) struct Seat {
    channel: Arc<Channel>,
    pub(crate) bell: watch::Receiver<u64>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.channel.n_readers.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Channel {
    pub(crate) fn new(frames: usize, bytes: usize, media: Arc<MediaIndex>) -> Self {
        let tail = Mutex::new(Tail::new(Bounds { frames, bytes }));
        Self { tail, bell: watch::Sender::new(0), media, n_readers: AtomicUsize::new(0) }
    }

    /// A frame as readers get it.
    pub(crate) fn light<'a>(&self, frame: &'a Frame) -> Cow<'a, Frame> {
        self.media.light(frame)
    }

    /// A reader, if there is room for one more.
    pub(crate) fn take_seat(self: &Arc<Self>, limit: usize) -> Option<Seat> {
        let add = |n| (n < limit).then_some(n + 1);
        self.n_readers.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add).ok()?;
        Some(Seat { channel: Arc::clone(self), bell: self.bell.subscribe() })
    }

    pub(crate) fn n_readers(&self) -> usize {
        self.n_readers.load(Ordering::SeqCst)
    }

    /// Shows a frame that is in the store.
    pub(crate) fn publish(&self, frame: &Frame) {
        let encoded = Arc::new(Encoded::new(self.light(frame).into_owned()));
        let mut tail = self.tail();
        tail.publish(encoded);
        self.ring(&tail);
    }

    /// The store holds everything up to `seq`.
    pub(crate) fn raise(&self, seq: u64) {
        let mut tail = self.tail();
        tail.raise(seq);
        self.ring(&tail);
    }

    pub(crate) fn next(&self, after: u64, limit: usize) -> Next {
        self.tail().next(after, limit)
    }

    pub(crate) fn head(&self) -> u64 {
        self.tail().head()
    }

    fn ring(&self, tail: &Tail) {
        self.bell.send_if_modified(|head| std::mem::replace(head, tail.head()) != tail.head());
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
