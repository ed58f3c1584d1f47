//! Whether a file may have changed since it was read.

use rustix::fs::Stat;
use serde::{Deserialize, Serialize};

/// A time of a file system: seconds and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Moment(i64, i64);

/// How far two changes may lie apart and still bear the same time, in nanoseconds: a tick of the
/// kernel's clock is 10 ms at most.
const TICK: i64 = 20_000_000;
/// The same where a file system keeps no fractions of seconds, in seconds.
const COARSE: i64 = 2;

impl Moment {
    pub(crate) const fn new(seconds: i64, nanoseconds: i64) -> Self {
        Self(seconds, nanoseconds)
    }

    /// Whether a change at this time could be followed by another one, of the same time, at `now`.
    fn is_young(self, now: Self) -> bool {
        let (seconds, nanoseconds) = (now.0.saturating_sub(self.0), now.1 - self.1);
        if self.1 == 0 {
            return seconds <= COARSE;
        }
        match seconds {
            ..0 => true,
            0..COARSE => seconds * 1_000_000_000 + nanoseconds <= TICK,
            COARSE.. => false,
        }
    }
}

/// What says that a file was not written to: equal stamps, equal content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    len: i64,
    modified: Moment,
    changed: Moment,
    inode: u64,
    device: u64,
}

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            len: stat.st_size,
            modified: Moment(stat.st_mtime, nanoseconds(stat.st_mtime_nsec)),
            changed: Moment(stat.st_ctime, nanoseconds(stat.st_ctime_nsec)),
            inode: stat.st_ino,
            device: stat.st_dev,
        }
    }

    /// Whether it says so for good. A file that was written just `now` can be written once more
    /// without another stamp.
    pub(crate) fn is_settled(self, now: Moment) -> bool {
        !self.changed.is_young(now) && !self.modified.is_young(now)
    }
}

/// The system's type is another one on some machines.
fn nanoseconds(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changed: (i64, i64), now: (i64, i64), is_young: bool) {
        assert_eq!(Moment(changed.0, changed.1).is_young(Moment(now.0, now.1)), is_young);
    }

    #[test]
    fn what_changed_a_tick_ago_is_young() {
        check((5, 100), (5, 100), true);
        check((5, 100), (5, 20_000_100), true);
        check((5, 100), (5, 20_000_101), false);
        check((5, 999_999_999), (6, 10_000_000), true);
        check((5, 100), (6, 100), false);
        check((6, 100), (5, 100), true);
        check((5, 100), (900, 0), false);
    }

    #[test]
    fn where_there_are_no_fractions_seconds_count() {
        check((5, 0), (7, 0), true);
        check((5, 0), (8, 1), false);
    }
}
