//! When to try again, and when to give up.

use std::time::Duration;

use tokio::time::Instant;

use crate::{
    FaultClass, ModelFault,
    host::Hold,
    limits::{BUDGET, MAX_TRIES},
};

/// Longest wait that is chosen here.
const CEILING: Duration = Duration::from_secs(20);

/// The tries of one asking.
#[derive(Debug)]
pub(crate) struct Tries {
    began: Instant,
    attempts: u32,
    made: u32,
}

/// What follows a fault.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Wait, then try again.
    Wait(Duration),
    /// It is over.
    End(ModelFault),
}

impl Tries {
    pub(crate) fn new(attempts: u32) -> Self {
        Self { began: Instant::now(), attempts: attempts.clamp(1, MAX_TRIES), made: 0 }
    }

    /// Counts a try that begins; from 1.
    pub(crate) fn begin(&mut self) -> u32 {
        self.made = self.made.saturating_add(1);
        self.made
    }

    /// Whether a hold at the host still leaves time for a try.
    pub(crate) fn allow(&self, hold: &Hold) -> bool {
        match hold {
            Hold::Full => true,
            Hold::Troubled { until, .. } => *until <= self.began + BUDGET,
            Hold::Probed { .. } => self.began.elapsed() <= BUDGET,
        }
    }

    /// Waits for the host. What others take up of the time is not counted.
    pub(crate) async fn wait<T>(&mut self, hold: &Hold, changed: impl Future<Output = T>) -> T {
        let from = Instant::now();
        let waited = changed.await;
        if matches!(hold, Hold::Full) {
            self.began += from.elapsed();
        }
        waited
    }

    /// Decides. Nothing is tried again after output: what was shown would be shown twice, and a call in it run
    /// twice.
    pub(crate) fn after(&self, fault: ModelFault, has_output: bool) -> Next {
        let asked = match fault.class {
            FaultClass::Retry => None,
            FaultClass::RetryAfter(wait) => Some(wait),
            FaultClass::Compact | FaultClass::AskUser | FaultClass::Fail => {
                return Next::End(fault);
            }
        };
        if has_output {
            return Next::End(ModelFault { code: "cut".to_owned(), ..fault });
        }
        match asked {
            Some(wait) if BUDGET < wait => Next::End(too_long(fault, wait)),
            _ if self.allowed(&fault.code) <= self.made => Next::End(fault),
            _ => self.within_budget(fault, asked),
        }
    }

    fn within_budget(&self, fault: ModelFault, asked: Option<Duration>) -> Next {
        let wait = match asked {
            Some(wait) => wait + jitter(wait.min(CEILING) / 10),
            None => jitter(self.ceiling(&fault.code)),
        };
        if BUDGET < self.began.elapsed() + wait { Next::End(fault) } else { Next::Wait(wait) }
    }

    /// A server that loads its model is worth all the tries.
    fn allowed(&self, code: &str) -> u32 {
        if code == "loading" { MAX_TRIES } else { self.attempts }
    }

    /// The wait is anywhere between 0 and this, so that many who failed together do not come back together. A
    /// refused connection will not be taken for a long wait's sake.
    fn ceiling(&self, code: &str) -> Duration {
        let first = match code {
            "connect" | "dns" => Duration::from_millis(100),
            "loading" => Duration::from_secs(4),
            _ => Duration::from_millis(500),
        };
        first.saturating_mul(1 << self.made.saturating_sub(1).min(16)).min(CEILING)
    }
}

fn jitter(ceiling: Duration) -> Duration {
    ceiling.mul_f64(fastrand::f64())
}

fn too_long(fault: ModelFault, wait: Duration) -> ModelFault {
    let ModelFault { message, .. } = &fault;
    let message = format!(
        "{message}; it asks for a wait of {} s, and the limit is {} s",
        wait.as_secs(),
        BUDGET.as_secs()
    );
    ModelFault { message, ..fault }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Next, Tries};
    use crate::{FaultClass, ModelFault};

    fn fault(code: &str, class: FaultClass) -> ModelFault {
        ModelFault { class, code: code.to_owned(), status: None, message: "no".to_owned() }
    }

    /// Fails the same way until it is over; the waits in between.
    fn waits(attempts: u32, code: &str, class: FaultClass) -> Vec<Duration> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut waits = Vec::new();
            let mut tries = Tries::new(attempts);
            loop {
                tries.begin();
                match tries.after(fault(code, class), false) {
                    Next::Wait(wait) => waits.push(wait),
                    Next::End(_) => return waits,
                }
                tokio::time::sleep(*waits.last().unwrap()).await;
            }
        })
    }

    proptest! {
        #[test]
        fn tries_and_time_are_bounded_whatever_is_configured(
            attempts in 0_u32..50,
            code in prop_oneof![Just("server"), Just("connect"), Just("loading"), Just("dns")],
            wait in proptest::option::of(0_u64..300),
        ) {
            let class = wait.map_or(FaultClass::Retry, |s| FaultClass::RetryAfter(Duration::from_secs(s)));
            let waits = waits(attempts, code, class);
            prop_assert!(waits.len() < 6);
            prop_assert!(waits.iter().sum::<Duration>() <= Duration::from_secs(120));
            if let Some(wait) = wait {
                prop_assert!(waits.iter().all(|w| Duration::from_secs(wait) <= *w));
            }
        }

        #[test]
        fn a_refused_connection_is_given_up_within_seconds(attempts in 0_u32..50) {
            let waits = waits(attempts, "connect", FaultClass::Retry);
            prop_assert!(waits.iter().sum::<Duration>() < Duration::from_secs(4));
        }
    }

    #[test]
    fn a_wait_over_the_limit_ends_at_once_and_names_the_time() {
        let class = FaultClass::RetryAfter(Duration::from_secs(100_000));
        assert!(waits(3, "rate_limit", class).is_empty());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let next = runtime.block_on(async {
            let mut tries = Tries::new(3);
            tries.begin();
            tries.after(fault("rate_limit", class), false)
        });
        let Next::End(fault) = next else { panic!("expected an end") };
        expect_test::expect!["no; it asks for a wait of 100000 s, and the limit is 120 s"]
            .assert_eq(&fault.message);
    }
}
