//! How often a host is asked.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::{error::Problem, host::Host};

const MINUTE: Duration = Duration::from_secs(60);

/// The requests of the last minute, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Rate(Mutex<VecDeque<(Instant, Host)>>);

impl Rate {
    /// Counts a request to a host, if one more may go.
    pub(crate) fn take(&self, host: &Host, limit: usize) -> Result<(), Problem> {
        let now = Instant::now();
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while asked.front().is_some_and(|(at, _)| now.duration_since(*at) >= MINUTE) {
            asked.pop_front();
        }
        let mut same = asked.iter().filter(|(_, it)| it == host).map(|(at, _)| *at);
        let oldest = same.next().filter(|_| same.count() + 1 >= limit);
        if let Some(oldest) = oldest.or((limit == 0).then_some(now)) {
            let wait = MINUTE.saturating_sub(now.duration_since(oldest));
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            return Err(Problem::TooOften { host: host.to_string(), limit, seconds });
        }
        asked.push_back((now, host.clone()));
        Ok(())
    }
}
