//! What this process knows of the hosts that it asks: shared by all models of one connector.
//!
//! A host has so many places, and a breaker; so has each model there, since a limit of one
//! says nothing of another. All that ask wait here, where they can be seen and given up.

mod breaker;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{FaultClass, ModelFault};
use breaker::{Health, Leave};

/// Requests to one host at the same time, unless something else is set.
const PLACES: usize = 16;

/// All hosts that were asked.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    places: usize,
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    places: HashMap<String, Arc<Semaphore>>,
    breakers: HashMap<String, Arc<Breaker>>,
}

/// How it stands with a host, or with a model there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostState {
    /// Scheme, host and port; behind a blank the model, where only that fails.
    pub name: String,
    /// Whether it is asked at all at present.
    pub is_asked: bool,
    /// The code of its last fault.
    pub code: String,
}

impl Default for Hosts {
    fn default() -> Self {
        Self::with_places(PLACES)
    }
}

impl Hosts {
    pub(crate) fn with_places(places: usize) -> Self {
        Self { places: places.max(1), known: Arc::default() }
    }

    /// The way to a model at a host.
    pub(crate) fn gate(&self, host: &str, model: &str) -> Gate {
        let mut known = lock(&self.known);
        let places = known.places.entry(host.to_owned());
        let places = places.or_insert_with(|| Arc::new(Semaphore::new(self.places)));
        let places = Arc::clone(places);
        let mut breaker = |name: String| Arc::clone(known.breakers.entry(name).or_default());
        let (model, host) = (breaker(format!("{host} {model}")), breaker(host.to_owned()));
        Gate { places, host, model }
    }

    /// Those in trouble, by name.
    pub(crate) fn troubled(&self) -> Vec<HostState> {
        let known = lock(&self.known);
        let mut states: Vec<_> =
            known.breakers.iter().filter_map(|(name, breaker)| breaker.state(name)).collect();
        states.sort_by(|one, other| one.name.cmp(&other.name));
        states
    }
}

/// The way to a model at a host.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    host: Arc<Breaker>,
    model: Arc<Breaker>,
}

impl Default for Gate {
    /// A way that is shared with nobody.
    fn default() -> Self {
        Hosts::default().gate("", "")
    }
}

/// One of the places at a host. Dropping it makes it free.
pub(crate) type Place = OwnedSemaphorePermit;

/// Leave to make one request. Dropping it makes the place free.
#[derive(Debug)]
pub(crate) struct Pass {
    _place: Place,
    host: Lease,
    model: Lease,
    has_worked: bool,
}

/// Why there is no leave yet.
#[derive(Debug)]
pub(crate) enum Hold {
    /// All places are taken.
    Full,
    /// It failed, with this code at last; until then.
    Troubled { code: String, until: Instant },
    /// Somebody finds out at present whether it works again.
    Probed { code: String },
}

impl Hold {
    /// The code of the host's last fault; empty where nothing is wrong with it.
    pub(crate) fn code(&self) -> &str {
        match self {
            Self::Full => "",
            Self::Troubled { code, .. } | Self::Probed { code } => code,
        }
    }

    /// How long it lasts, where that is known.
    pub(crate) fn wait(&self) -> Option<Duration> {
        match self {
            Self::Troubled { until, .. } => Some(until.duration_since(Instant::now())),
            Self::Full | Self::Probed { .. } => None,
        }
    }
}

impl Gate {
    /// Leave to make a request now, or why there is none. Whoever waits for the host holds no place
    /// meanwhile, since others may have business with another model there.
    pub(crate) fn enter(&self, place: Option<Place>) -> Result<Pass, Hold> {
        self.host.hold().or_else(|| self.model.hold()).map_or(Ok(()), Err)?;
        let free = || Arc::clone(&self.places).try_acquire_owned().map_err(|_| Hold::Full);
        let place = place.map_or_else(free, Ok)?;
        let host = Breaker::leave(&self.host)?;
        let model = Breaker::leave(&self.model)?;
        Ok(Pass { _place: place, host, model, has_worked: false })
    }

    /// Waits until it may be worth to enter, with the place that was waited for.
    pub(crate) async fn changed(&self, hold: &Hold) -> Option<Place> {
        match hold {
            Hold::Full => return Arc::clone(&self.places).acquire_owned().await.ok(),
            Hold::Troubled { until, .. } => tokio::time::sleep_until(*until).await,
            Hold::Probed { .. } => {
                tokio::select! {
                    () = self.host.changed.notified() => {}
                    () = self.model.changed.notified() => {}
                    // Nobody is woken for a change that came between looking and waiting.
                    () = tokio::time::sleep(Duration::from_millis(250)) => {}
                }
            }
        }
        None
    }
}

impl Pass {
    /// The reply has begun, or the host answered in its right mind.
    pub(crate) fn worked(&mut self) {
        if !std::mem::replace(&mut self.has_worked, true) {
            self.host.worked();
            self.model.worked();
        }
    }

    /// The request failed and is over. What lies with the provider alone counts.
    pub(crate) fn failed(mut self, fault: &ModelFault) {
        let asked = match fault.class {
            FaultClass::Retry => None,
            FaultClass::RetryAfter(wait) => Some(wait.min(crate::limits::BUDGET)),
            FaultClass::Compact | FaultClass::AskUser | FaultClass::Fail => {
                return self.worked();
            }
        };
        let is_of_model = matches!(fault.code.as_str(), "rate_limit" | "overloaded" | "loading");
        let lease = if is_of_model { &mut self.model } else { &mut self.host };
        lease.failed(&fault.code, asked);
        if is_of_model {
            self.host.worked();
        }
    }
}

/// The breaker of a host or of a model.
#[derive(Debug, Default)]
struct Breaker {
    seen: Mutex<Seen>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Seen {
    health: Health,
    /// The code of the last fault.
    code: String,
}

impl Seen {
    fn hold(&self, leave: Leave) -> Option<Hold> {
        let code = self.code.clone();
        match leave {
            Leave::Go | Leave::Probe => None,
            Leave::Until(until) => Some(Hold::Troubled { code, until }),
            Leave::Change => Some(Hold::Probed { code }),
        }
    }
}

/// Leave of one breaker.
#[derive(Debug)]
struct Lease {
    breaker: Arc<Breaker>,
    /// Others wait to hear of it.
    is_probe: bool,
}

impl Breaker {
    fn leave(this: &Arc<Self>) -> Result<Lease, Hold> {
        let mut seen = lock(&this.seen);
        let leave = seen.health.leave(Instant::now());
        let is_probe = leave == Leave::Probe;
        let hold = seen.hold(leave);
        hold.map_or_else(|| Ok(Lease { breaker: Arc::clone(this), is_probe }), Err)
    }

    /// Why there is no leave at present. Takes none.
    fn hold(&self) -> Option<Hold> {
        let seen = lock(&self.seen);
        let mut copy = seen.health;
        seen.hold(copy.leave(Instant::now()))
    }

    fn tell(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut lock(&self.seen));
        self.changed.notify_waiters();
    }

    fn state(&self, name: &str) -> Option<HostState> {
        let seen = lock(&self.seen);
        let is_asked = match seen.health {
            Health::Well => return None,
            Health::Shaky { .. } => true,
            Health::Closed { .. } | Health::Probing { .. } => false,
        };
        Some(HostState { name: name.to_owned(), is_asked, code: seen.code.clone() })
    }
}

impl Lease {
    fn worked(&mut self) {
        self.is_probe = false;
        self.breaker.tell(|seen| seen.health.worked(Instant::now()));
    }

    fn failed(&mut self, code: &str, asked: Option<Duration>) {
        self.is_probe = false;
        self.breaker.tell(|seen| {
            code.clone_into(&mut seen.code);
            seen.health.failed(Instant::now(), asked);
        });
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.is_probe {
            self.breaker.tell(|seen| seen.health.given_up(Instant::now()));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
