//! Ctrl-C and SIGTERM.
//!
//! The first Ctrl-C cancels the turn, the second within two seconds gives up at once; SIGTERM
//! cancels, and the journal is written before the end.

use std::{future::Future, io, time::Duration};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::exit::Exit;

/// How soon a second Ctrl-C counts as the second one.
const AGAIN: Duration = Duration::from_secs(2);

/// Somebody wants us to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, or the terminal went away.
    Terminate,
}

impl Stop {
    /// How the program ends by it.
    pub(crate) const fn exit(self) -> Exit {
        match self {
            Self::Interrupt => Exit::Interrupted,
            Self::Terminate => Exit::Terminated,
        }
    }
}

/// Listens to the signals from its making on.
#[derive(Debug)]
pub(crate) struct Stops {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Stops {
    /// Starts to listen. Needs a tokio runtime with I/O.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The next one.
    pub(crate) async fn next(&mut self) -> Stop {
        tokio::select! {
            _ = self.interrupt.recv() => Stop::Interrupt,
            _ = self.terminate.recv() => Stop::Terminate,
            _ = self.hangup.recv() => Stop::Terminate,
        }
    }

    /// Does `work` to its end. A signal cancels `token`, and `work` is expected to end soon after;
    /// a second Ctrl-C within two seconds drops it. Returns what `work` made, if it got there, and
    /// the signal that came first, if one came.
    pub(crate) async fn guard<T>(
        &mut self,
        token: &CancellationToken,
        work: impl Future<Output = T>,
    ) -> (Option<T>, Option<Stop>) {
        let mut work = std::pin::pin!(work);
        let first = tokio::select! {
            biased;
            done = &mut work => return (Some(done), None),
            stop = self.next() => stop,
        };
        token.cancel();
        tokio::select! {
            biased;
            done = &mut work => (Some(done), Some(first)),
            () = self.insisted() => (None, Some(first)),
        }
    }

    /// Two of them within two seconds; the first has come already.
    async fn insisted(&mut self) {
        while tokio::time::timeout(AGAIN, self.next()).await.is_err() {
            // Too late for the one before: the next one is the first of another two.
            self.next().await;
        }
    }
}
