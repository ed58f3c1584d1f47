//! One reader.

use std::{fmt, sync::Arc, time::Duration};

use futures_util::{Stream, stream};
use tagline_protocol::Frame;
use tagline_store::{Gone, Journal, SessionInfo, StoreError, Watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Position, Snapshot, WireFrame,
    channel::{Channel, Seat},
    spans,
    tail::Next,
    wire::Encoded,
};
use crate::merge;

/// What a reader gets.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    /// The next frames, in order, without a gap.
    Frames(Vec<WireFrame>),
    /// The state, in place of everything before it; frames go on behind it.
    Resync(Resync),
    /// Nothing more; always the last.
    Closed(Closed),
}

/// A snapshot, and why it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resync {
    /// Why.
    pub why: Why,
    /// An event of type [`SNAPSHOT`](crate::SNAPSHOT).
    pub snapshot: WireFrame,
}

/// Why a reader gets a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// More happened since than is replayed.
    Gap,
    /// The position lies in the future.
    Future,
    /// The position is none in this session.
    Foreign,
}

impl Why {
    /// The word of the snapshot.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Future => "future",
            Self::Foreign => "foreign",
        }
    }
}

/// Why there is nothing more. [`Closed::after`] says where to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The reader was too slow.
    Slow {
        /// The last number it was given.
        after: u64,
    },
    /// The session was deleted.
    Gone {
        /// The last number it was given.
        after: u64,
    },
    /// The process ends.
    ShuttingDown {
        /// The last number it was given.
        after: u64,
    },
    /// The journal cannot be read.
    Unreadable {
        /// The last number it was given.
        after: u64,
        /// What it says.
        error: StoreError,
    },
}

impl Closed {
    /// The position to go on from.
    #[must_use]
    pub const fn after(&self) -> u64 {
        match self {
            Self::Slow { after }
            | Self::Gone { after }
            | Self::ShuttingDown { after }
            | Self::Unreadable { after, .. } => *after,
        }
    }

    /// A stable word for why.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Slow { .. } => "slow",
            Self::Gone { .. } => "gone",
            Self::ShuttingDown { .. } => "shutting_down",
            Self::Unreadable { .. } => "journal",
        }
    }
}

/// Bounds of a reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchLimits {
    /// A reader that kept up and then falls this far behind is closed.
    pub(crate) lag: u64,
    /// A longer gap is answered with a snapshot.
    pub(crate) replay: u64,
    /// Pieces of text are collected this long.
    pub(crate) window: Duration,
}

/// What a reader begins with.
pub(crate) struct Opening<J> {
    pub(crate) journal: Arc<J>,
    pub(crate) channel: Arc<Channel>,
    pub(crate) seat: Seat,
    pub(crate) growth: Watch,
    pub(crate) info: SessionInfo,
    pub(crate) position: Position,
    pub(crate) limits: WatchLimits,
    pub(crate) closing: CancellationToken,
}

/// A reader of a session. Dropping it ends it.
pub struct Watching<J> {
    journal: Arc<J>,
    channel: Arc<Channel>,
    seat: Seat,
    /// Rings also for what other processes write.
    growth: Watch,
    info: SessionInfo,
    limits: WatchLimits,
    closing: CancellationToken,
    state: State,
    /// When it was last given pieces of a text.
    given: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// A snapshot is due.
    Lost(Why),
    /// It reads what was before it came.
    Behind(u64),
    /// It has once seen everything there was.
    Live(u64),
    Over,
}

/// How long a frame takes at most from the store to those who watch, within a process.
const MOMENT: Duration = Duration::from_millis(20);

/// Frames handed out in one go.
const PAGE: usize = 256;

impl<J: Journal + 'static> Watching<J> {
    pub(crate) fn new(opening: Opening<J>) -> Self {
        let Opening { journal, channel, seat, growth, info, position, limits, closing } = opening;
        let state = begin(&position, channel.head(), limits.replay);
        Self { journal, channel, seat, growth, info, limits, closing, state, given: None }
    }

    /// The next thing; waits until there is one. `None` after [`Watched::Closed`]. Dropping the
    /// future loses nothing.
    pub async fn next(&mut self) -> Option<Watched> {
        loop {
            let (after, is_live) = match self.state {
                State::Over => return None,
                State::Lost(why) => return Some(self.resync(why).await),
                State::Behind(after) => (after, false),
                State::Live(after) => (after, true),
            };
            // The store may be read before the channel is told of what was written.
            let behind = self.channel.head().saturating_sub(after);
            let is_slow = is_live && behind > self.limits.lag;
            match self.channel.next(after, PAGE) {
                _ if is_slow => return Some(self.close(Closed::Slow { after })),
                Next::Store { is_evicted: true } if is_live => {
                    return Some(self.close(Closed::Slow { after }));
                }
                Next::Nothing => {
                    self.state = State::Live(after);
                    if let Some(closed) = self.wait(after).await {
                        return Some(self.close(closed));
                    }
                }
                Next::Here(frames) => {
                    if let Some(until) = self.pause(&frames) {
                        self.collect(until).await;
                        continue;
                    }
                    return Some(self.give(after, &frames));
                }
                Next::Store { .. } => {
                    // Before it is read: what is in the store by now is in what is read.
                    let head = self.channel.head();
                    match self.read(after).await {
                        Ok(frames) if frames.is_empty() => self.skip_to(head),
                        Ok(frames) => return Some(self.give(after, &frames)),
                        Err(error) => {
                            return Some(self.close(Closed::Unreadable { after, error }));
                        }
                    }
                }
            }
        }
    }

    /// The same as a stream, which ends behind [`Watched::Closed`].
    pub fn into_stream(self) -> impl Stream<Item = Watched> + Send {
        stream::unfold(self, |mut reader| async move {
            let next = reader.next().await?;
            Some((next, reader))
        })
    }

    fn close(&mut self, closed: Closed) -> Watched {
        self.state = State::Over;
        Watched::Closed(closed)
    }

    /// Waits for news; why there will be none, where that is so.
    async fn wait(&mut self, after: u64) -> Option<Closed> {
        // What this process wrote comes by itself, and cheaper; so only what has not come after a
        // moment was written by another one.
        let is_ahead = self.growth.last_seq() > self.channel.head();
        tokio::select! {
            biased;
            _ = self.seat.bell.changed() => None,
            () = tokio::time::sleep(MOMENT), if is_ahead => {
                self.channel.raise(self.growth.last_seq());
                None
            }
            grown = self.growth.changed(), if !is_ahead => {
                grown.err().map(|Gone| Closed::Gone { after })
            }
            () = self.closing.cancelled() => Some(Closed::ShuttingDown { after }),
        }
    }

    /// Until when pieces of a text are collected; `None`: they go out now.
    fn pause(&self, frames: &[Arc<Encoded>]) -> Option<Instant> {
        let until = self.given? + self.limits.window;
        let are_pieces = frames.iter().all(|it| merge::piece(&it.frame.event).is_some());
        let is_full = frames.len() == PAGE;
        (are_pieces && !is_full && Instant::now() < until).then_some(until)
    }

    /// Waits until then, or until something comes in.
    async fn collect(&mut self, until: Instant) {
        self.seat.bell.mark_unchanged();
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(until) => {}
            _ = self.seat.bell.changed() => {}
            () = self.closing.cancelled() => self.given = None,
        }
    }

    fn give(&mut self, after: u64, frames: &[Arc<Encoded>]) -> Watched {
        self.skip_to(frames.last().map_or(after, |last| last.wire.seq));
        self.given = Some(Instant::now());
        Watched::Frames(spans::sent(after, frames))
    }

    fn skip_to(&mut self, seq: u64) {
        self.state = match self.state {
            State::Live(_) => State::Live(seq),
            State::Behind(_) | State::Lost(_) | State::Over => State::Behind(seq),
        };
    }

    async fn read(&self, after: u64) -> Result<Vec<Arc<Encoded>>, StoreError> {
        let frames = self.journal.read(&self.info.id, after, PAGE).await?;
        let light = |frame: &Frame| self.channel.light(frame).into_owned();
        Ok(frames.iter().map(|frame| Arc::new(Encoded::new(light(frame)))).collect())
    }

    async fn resync(&mut self, why: Why) -> Watched {
        match self.fold().await {
            Ok(snapshot) => {
                self.state = State::Behind(snapshot.seq());
                let snapshot = snapshot.wire(&self.info, why.as_str());
                Watched::Resync(Resync { why, snapshot })
            }
            Err(error) => self.close(Closed::Unreadable { after: 0, error }),
        }
    }

    async fn fold(&mut self) -> Result<Snapshot, StoreError> {
        self.info = self.journal.find(&self.info.id).await?;
        let mut snapshot = Snapshot::default();
        loop {
            let page: Vec<Frame> = self.journal.read(&self.info.id, snapshot.seq(), PAGE).await?;
            if page.is_empty() {
                return Ok(snapshot);
            }
            page.iter().for_each(|frame| snapshot.apply(&self.channel.light(frame)));
        }
    }
}

/// How a reader begins that stands at `position` of a session whose last number is `head`.
fn begin(position: &Position, head: u64, replay: u64) -> State {
    let after = match position {
        Position::Start => 0,
        Position::After(seq) => *seq,
        Position::Foreign { .. } => return State::Lost(Why::Foreign),
    };
    match head.checked_sub(after) {
        None => State::Lost(Why::Future),
        Some(gap) if gap > replay => State::Lost(Why::Gap),
        Some(_) => State::Behind(after),
    }
}

impl<J> fmt::Debug for Watching<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("state", &self.state).finish_non_exhaustive()
    }
}
