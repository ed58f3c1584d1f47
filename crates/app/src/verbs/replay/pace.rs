//! How fast a session is shown again.

use std::{io, thread, time::Duration};

use jiff::Timestamp;

use crate::exit::Exit;

/// Longest pause between two frames, whatever their times say: nobody watches a night go by.
const LONGEST: Duration = Duration::from_secs(3);

/// How fast frames are shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pace {
    /// As fast as they can be read.
    AtOnce,
    /// As they came, so many times as fast.
    Timed {
        /// Above 0.
        speed: f64,
        /// When the last one was written.
        last: Option<Timestamp>,
    },
    /// One for each line of standard input.
    Stepwise,
}

impl Pace {
    /// Waits until something that was written at `ts` is due.
    ///
    /// # Errors
    ///
    /// [`Exit::Done`] where nobody steps on.
    pub(super) fn wait(&mut self, ts: &str) -> Result<(), Exit> {
        match self {
            Self::AtOnce => {}
            Self::Timed { speed, last } => {
                let now: Option<Timestamp> = ts.parse().ok();
                thread::sleep(pause(*last, now, *speed));
                *last = now.or(*last);
            }
            Self::Stepwise => step()?,
        }
        Ok(())
    }
}

fn step() -> Result<(), Exit> {
    let mut line = String::new();
    match io::stdin().read_line(&mut line) {
        Ok(n) if n > 0 && !line.trim().eq_ignore_ascii_case("q") => Ok(()),
        Ok(_) | Err(_) => Err(Exit::Done),
    }
}

/// The pause between what was written at these times. A clock that went back makes none.
fn pause(last: Option<Timestamp>, now: Option<Timestamp>, speed: f64) -> Duration {
    let Some((last, now)) = last.zip(now) else { return Duration::ZERO };
    let passed = Duration::try_from(now.duration_since(last)).unwrap_or_default();
    let seconds = passed.as_secs_f64() / speed;
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

/// Reads what `--speed` says.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let expected = "expected a number above 0, such as 10 for ten times as fast";
    let speed: f64 = text.parse().map_err(|_| expected.to_owned())?;
    if speed.is_finite() && speed > 0.0 { Ok(speed) } else { Err(expected.to_owned()) }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(last: &str, now: &str, speed: f64, expected: Expect) {
        expected.assert_eq(&format!("{:?}", pause(last.parse().ok(), now.parse().ok(), speed)));
    }

    #[test]
    fn pauses_are_those_of_the_session_divided_by_the_speed() {
        check("2026-11-27T10:00:00Z", "2026-11-27T10:00:01.500Z", 1.0, expect!["1.5s"]);
        check("2026-11-27T10:00:00Z", "2026-11-27T10:00:01.500Z", 10.0, expect!["150ms"]);
        check("2026-11-27T10:00:00Z", "2026-11-27T18:00:00Z", 1.0, expect!["3s"]);
        check("2026-11-27T10:00:00Z", "2026-11-27T18:00:00Z", 1e-300, expect!["3s"]);
    }

    #[test]
    fn a_clock_that_went_back_and_a_time_that_is_none_make_no_pause() {
        check("2026-11-27T10:00:01Z", "2026-11-27T10:00:00Z", 1.0, expect!["0ns"]);
        check("2026-11-27T10:00:01Z", "yesterday", 1.0, expect!["0ns"]);
    }

    #[test]
    fn a_speed_is_a_number_above_0() {
        assert_eq!(speed("2.5"), Ok(2.5));
        for text in ["0", "-1", "inf", "nan", "fast"] {
            assert!(speed(text).is_err(), "{text}");
        }
    }
}
