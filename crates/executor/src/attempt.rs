//! Running a call that may run: timeout, cancel, panics, tries.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use backon::{ExponentialBuilder, Retryable as _};
use futures_util::FutureExt as _;
use tagline_protocol::{Call, Effect, Event, ToolFailure, ToolOutcome};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::{Entry, Recorder, ToolContext};

/// How long a tool may take to end by itself after it was told to.
const GRACE: Duration = Duration::from_secs(3);

/// Shortest and longest pause between tries.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// A call that may run.
pub(crate) struct Attempt<'a> {
    pub(crate) call: &'a Call,
    pub(crate) entry: &'a Entry,
    pub(crate) cx: &'a ToolContext,
    /// The turn's own; the call's is [`ToolContext::cancel`].
    pub(crate) turn: &'a CancellationToken,
    pub(crate) recorder: &'a dyn Recorder,
    pub(crate) hash: &'a str,
    pub(crate) decision: &'a str,
}

/// How it went.
pub(crate) struct Attempted {
    pub(crate) outcome: ToolOutcome,
    pub(crate) n_attempts: u32,
}

impl Attempt<'_> {
    /// Runs it; again where it was busy and its effect allows, at most `n_max` times in all.
    pub(crate) async fn run(&self, n_max: u32) -> Attempted {
        let n_max = if is_repeatable(self.call.effect) { n_max.max(1) } else { 1 };
        let mut n_attempts = 0;
        let pauses = ExponentialBuilder::default()
            .with_jitter()
            .with_jitter_seed(seed(&self.call.id.to_string(), self.hash))
            .with_min_delay(PAUSES.0)
            .with_max_delay(PAUSES.1)
            .with_max_times(usize::try_from(n_max - 1).unwrap_or_default());
        let tries = || {
            n_attempts += 1;
            self.once(n_attempts)
        };
        let cancel = self.cx.cancel.clone();
        let pause = move |time| pause(time, cancel.clone());
        let outcome = tries.retry(pauses).sleep(pause).when(ToolFailure::is_retryable).await;
        Attempted { outcome, n_attempts }
    }

    async fn once(&self, attempt: u32) -> ToolOutcome {
        if self.cx.cancel.is_cancelled() {
            let who = who_stopped(self.turn);
            return Err(ToolFailure::Cancelled(format!("{who} before it began")));
        }
        let intent = Event::ToolRunning {
            hash: self.hash.to_owned(),
            effect: self.call.effect,
            decision: self.decision.to_owned(),
            attempt,
        };
        // Nothing takes effect that the journal does not know of.
        if let Err(error) = self.recorder.record(&self.call.id, vec![intent]).await {
            return Err(ToolFailure::Failed(format!("{error}; the call was not started")));
        }
        self.effect().await
    }

    /// The effect itself, under a token of its own, so that a timeout can tell it to end.
    async fn effect(&self) -> ToolOutcome {
        let token = self.cx.cancel.child_token();
        let _ends_with_us = token.clone().drop_guard();
        let cx = ToolContext { cancel: token.clone(), ..self.cx.clone() };
        let run = (self.entry.call)(self.call.arguments.clone(), &cx);
        let run = AssertUnwindSafe(run).catch_unwind();
        let mut run = std::pin::pin!(run);
        let stop = tokio::select! {
            biased;
            ended = &mut run => {
                let outcome = self.ended(ended);
                let is_stopped = token.is_cancelled();
                return if is_stopped { Stop::Cancel.applied(self, Some(outcome)) } else { outcome };
            }
            () = token.cancelled() => Stop::Cancel,
            () = sleep(self.entry.timeout) => Stop::Timeout(self.entry.timeout),
        };
        token.cancel();
        match timeout(GRACE, run).await {
            Ok(ended) => stop.applied(self, Some(self.ended(ended))),
            Err(_) => stop.applied(self, None),
        }
    }

    fn ended(&self, ended: Result<ToolOutcome, Box<dyn Any + Send>>) -> ToolOutcome {
        ended.unwrap_or_else(|panic| Err(panicked(self.call, panic.as_ref())))
    }
}

/// Of a call that was stopped: whether it was the turn that was stopped, or the call alone.
pub(crate) fn who_stopped(turn: &CancellationToken) -> &'static str {
    if turn.is_cancelled() { "the turn was stopped" } else { "the user stopped this call" }
}

/// Ends early when the call must end; the next try sees that and does not begin.
/// Spreads the tries of different calls; the same call always waits the same times, so that what
/// happened can be played again.
fn seed(id: &str, hash: &str) -> u64 {
    let mix = |seed: u64, byte| (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    id.bytes().chain(hash.bytes()).fold(0xcbf2_9ce4_8422_2325, mix)
}

async fn pause(time: Duration, cancel: CancellationToken) {
    drop(timeout(time, cancel.cancelled()).await);
}

/// Why a run was told to end.
enum Stop {
    Cancel,
    Timeout(Duration),
}

impl Stop {
    /// What comes of a run that was told to end: what it finished counts, and so do its own words
    /// about what it left.
    fn applied(&self, attempt: &Attempt<'_>, ended: Option<ToolOutcome>) -> ToolOutcome {
        let words = match ended {
            Some(Ok(output)) => return Ok(output),
            Some(Err(failure)) => format!(": {failure}"),
            None if is_repeatable(attempt.call.effect) => String::new(),
            None => "; it may be half done: check before you go on".to_owned(),
        };
        Err(match self {
            Self::Cancel => ToolFailure::Cancelled(format!("{}{words}", who_stopped(attempt.turn))),
            Self::Timeout(limit) => ToolFailure::TimedOut(format!(
                "`{}` ran longer than {} s and was stopped{words}",
                attempt.call.tool,
                limit.as_secs_f64()
            )),
        })
    }
}

/// Only what changes nothing may run twice.
pub(crate) const fn is_repeatable(effect: Effect) -> bool {
    match effect {
        Effect::Pure | Effect::Read => true,
        Effect::Fetch | Effect::Write | Effect::Exec | Effect::Control | Effect::Desktop => false,
    }
}

/// A panic as an answer.
pub(crate) fn panicked(call: &Call, panic: &(dyn Any + Send)) -> ToolFailure {
    let words = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
    let words = words.unwrap_or_else(|| "no words".to_owned());
    let advice = match is_repeatable(call.effect) {
        true => "go on another way",
        false => "it may be half done: check before you go on",
    };
    ToolFailure::Failed(format!("`{}` crashed ({words}); {advice}", call.tool))
}
