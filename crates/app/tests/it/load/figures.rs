//! What was measured, as it is shown.

use std::{fmt, fs, time::Duration};

use jiff::Timestamp;

/// The wall clock: what is measured begins in another process.
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// How long ago; none where the clock was set back meanwhile.
pub(crate) fn since(then: Timestamp) -> Duration {
    now().duration_since(then).try_into().unwrap_or_default()
}

/// Times, in order.
pub(super) struct Spread(Vec<Duration>);

impl Spread {
    pub(super) fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The time that so many of a hundred stay within.
    fn within(&self, percent: usize) -> String {
        let nth = (self.0.len() * percent).div_ceil(100).saturating_sub(1);
        let time = self.0.get(nth).map(|time| time.as_secs_f64() * 1_000.0);
        time.map_or_else(|| "–".to_owned(), |millis| format!("{millis:.1}"))
    }

    pub(super) fn millis(&self) -> String {
        format!("{} / {} ms", self.within(50), self.within(95))
    }
}

/// What a process takes, in KiB; nothing where the system does not tell it in this way.
pub(super) struct Memory {
    now: Option<u64>,
    peak: Option<u64>,
}

impl Memory {
    pub(super) fn of(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = |name: &str| {
            let value = status.lines().find_map(|line| line.strip_prefix(name))?;
            value.split_whitespace().next()?.parse().ok()
        };
        Self { now: line("VmRSS:"), peak: line("VmHWM:") }
    }

    pub(super) fn now(&self) -> String {
        mebibytes(self.now)
    }

    pub(super) fn peak(&self) -> String {
        mebibytes(self.peak)
    }
}

fn mebibytes(kibibytes: Option<u64>) -> String {
    kibibytes.map_or_else(|| "–".to_owned(), |n| format!("{} MiB", n / 1_024))
}

/// Figures beside their goals.
#[derive(Default)]
pub(super) struct Table(Vec<[String; 3]>);

impl Table {
    pub(super) fn row(&mut self, what: &str, goal: &str, reached: String) {
        self.0.push([what.to_owned(), goal.to_owned(), reached]);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | goal | reached |\n|---|---:|---:|")?;
        self.0
            .iter()
            .try_for_each(|[what, goal, reached]| writeln!(f, "| {what} | {goal} | {reached} |"))
    }
}
