//! When a host that fails may be asked again: a circuit breaker as a machine that is told the time.
//!
//! Each failure counts one up, each success one down. While anything counts, requests go out one
//! after the other; over [`LIMIT`] none goes out for a while, then a single one that finds out.

use std::time::Duration;

use tokio::time::Instant;

/// Failures that close the way.
pub(super) const LIMIT: u32 = 5;

/// Between two requests to a host in trouble: at most two a second.
const SPACING: Duration = Duration::from_millis(500);

/// How long the way is closed the first time; doubled each time that finding out fails.
const FIRST_REST: Duration = Duration::from_secs(1);

/// How long it is closed at most, unless the provider asks for more.
const LONGEST_REST: Duration = Duration::from_secs(30);

/// How it stands with a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Health {
    /// Ask as you like.
    #[default]
    Well,
    /// Something failed; the next request may go out then.
    Shaky { failures: u32, next: Instant },
    /// Nobody asks until then; closed so many times in a row.
    Closed { times: u32, until: Instant },
    /// One request is on its way to find out.
    Probing { times: u32 },
}

/// What one who wants to ask is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Ask.
    Go,
    /// Ask, and tell how it went: others wait for it.
    Probe,
    /// Not before then.
    Until(Instant),
    /// Not before somebody else knows how the host is.
    Change,
}

impl Health {
    /// Whether a request may go out now.
    pub(super) fn leave(&mut self, now: Instant) -> Leave {
        match *self {
            Self::Well => Leave::Go,
            Self::Shaky { next, .. } if now < next => Leave::Until(next),
            Self::Shaky { failures, .. } => {
                *self = Self::Shaky { failures, next: now + SPACING };
                Leave::Go
            }
            Self::Closed { until, .. } if now < until => Leave::Until(until),
            Self::Closed { times, .. } => {
                *self = Self::Probing { times };
                Leave::Probe
            }
            Self::Probing { .. } => Leave::Change,
        }
    }

    /// A request went well. After a rest the host is not stormed: it has to go well some more times.
    pub(super) fn worked(&mut self, now: Instant) {
        *self = match *self {
            Self::Well | Self::Shaky { failures: 0..=1, .. } => Self::Well,
            Self::Shaky { failures, next } => Self::Shaky { failures: failures - 1, next },
            Self::Closed { .. } | Self::Probing { .. } => {
                Self::Shaky { failures: LIMIT, next: now + SPACING }
            }
        };
    }

    /// A request failed. The provider may have said when it wants to be asked again.
    pub(super) fn failed(&mut self, now: Instant, asked: Option<Duration>) {
        *self = match (*self, asked) {
            (Self::Closed { times, until }, asked) => {
                // One that was on its way already says nothing new, unless it was told to wait longer.
                let named = asked.map_or(until, |wait| now + wait);
                Self::Closed { times, until: until.max(named) }
            }
            (before, Some(wait)) => Self::Closed { times: before.times(), until: now + wait },
            (Self::Well, None) => Self::Shaky { failures: 1, next: now + SPACING },
            (Self::Shaky { failures, next }, None) if failures < LIMIT - 1 => {
                Self::Shaky { failures: failures + 1, next }
            }
            (Self::Shaky { .. }, None) => Self::Closed { times: 1, until: now + rest(1) },
            (Self::Probing { times }, None) => {
                let times = times.saturating_add(1);
                Self::Closed { times, until: now + rest(times) }
            }
        };
    }

    /// The one who was to find out gave up; the next one may.
    pub(super) fn given_up(&mut self, now: Instant) {
        if let Self::Probing { times } = *self {
            *self = Self::Closed { times, until: now + SPACING };
        }
    }

    const fn times(self) -> u32 {
        match self {
            Self::Well | Self::Shaky { .. } => 0,
            Self::Closed { times, .. } | Self::Probing { times } => times,
        }
    }
}

fn rest(times: u32) -> Duration {
    FIRST_REST.saturating_mul(1 << times.saturating_sub(1).min(16)).min(LONGEST_REST)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use tokio::time::Instant;

    use super::{Health, LIMIT, Leave};

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Pass(u64),
        Ask,
        Work,
        Fail,
        Later(u64),
        GiveUp,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0_u64..3_000).prop_map(Step::Pass),
            Just(Step::Ask),
            Just(Step::Ask),
            Just(Step::Work),
            Just(Step::Fail),
            (1_u64..120).prop_map(Step::Later),
            Just(Step::GiveUp),
        ]
    }

    proptest! {
        #[test]
        fn a_host_in_trouble_is_asked_twice_a_second_at_most(steps in proptest::collection::vec(step(), 0..200)) {
            let mut now = Instant::now();
            let mut health = Health::default();
            let mut last: Option<Instant> = None;
            for step in steps {
                match step {
                    Step::Pass(ms) => now += Duration::from_millis(ms),
                    Step::Ask => {
                        let was_well = health == Health::Well;
                        if matches!(health.leave(now), Leave::Go | Leave::Probe) {
                            let since = last.map(|last| now - last);
                            prop_assert!(
                                was_well || since.is_none_or(|since| Duration::from_millis(500) <= since)
                            );
                            last = Some(now);
                        }
                    }
                    Step::Work => {
                        health.worked(now);
                    }
                    Step::Fail => {
                        let was_well = health == Health::Well;
                        health.failed(now, None);
                        // What went out before the first failure was known does not count.
                        if was_well { last = Some(now); }
                        prop_assert_ne!(health, Health::Well);
                    }
                    Step::Later(seconds) => {
                        let wait = Duration::from_secs(seconds);
                        health.failed(now, Some(wait));
                        let next = health.leave(now);
                        prop_assert!(matches!(next, Leave::Until(until) if now + wait <= until));
                    }
                    Step::GiveUp => {
                        health.given_up(now);
                    }
                }
            }
        }

        #[test]
        fn a_host_that_works_again_is_well_again(failures in 0_u32..40) {
            let mut now = Instant::now();
            let mut health = Health::default();
            for _ in 0..failures {
                now += Duration::from_secs(60);
                health.leave(now);
                health.failed(now, None);
            }
            for _ in 0..=LIMIT {
                now += Duration::from_secs(60);
                prop_assert!(matches!(health.leave(now), Leave::Go | Leave::Probe));
                health.worked(now);
            }
            prop_assert_eq!(health, Health::Well);
        }
    }

    #[test]
    fn only_one_finds_out_and_the_rests_grow_up_to_half_a_minute() {
        let mut now = Instant::now();
        let mut health = Health::default();
        for _ in 0..LIMIT {
            health.failed(now, None);
        }
        let mut rests = Vec::new();
        for _ in 0..8 {
            let Leave::Until(until) = health.leave(now) else { panic!("{health:?}") };
            rests.push((until - now).as_secs());
            now = until;
            assert_eq!(health.leave(now), Leave::Probe);
            assert_eq!(health.leave(now), Leave::Change);
            health.failed(now, None);
        }
        assert_eq!(rests, [1, 2, 4, 8, 16, 30, 30, 30]);
    }
}
