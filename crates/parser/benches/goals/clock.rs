//! Times of several subjects that take turns, so that what else the machine does hits them alike.

use std::time::{Duration, Instant};

/// The least time that one sample takes.
const SAMPLE: Duration = Duration::from_millis(20);

/// Rounds in which every subject gets one sample.
const ROUNDS: usize = 5;

/// Something that can be done again and again.
pub(crate) type Pass<'a> = Box<dyn FnMut() + 'a>;

/// Seconds of one pass of each subject, for each round.
pub(crate) struct Times(Vec<Vec<f64>>);

impl Times {
    /// Measures. Each subject is warmed up by one pass.
    pub(crate) fn of(mut passes: Vec<Pass<'_>>) -> Self {
        for pass in &mut passes {
            pass();
        }
        let round = |_| passes.iter_mut().map(|pass| sample(pass)).collect();
        Self((0..ROUNDS).map(round).collect())
    }

    /// The median of one subject's seconds.
    pub(crate) fn seconds(&self, subject: usize) -> f64 {
        median(self.0.iter().filter_map(|round| round.get(subject).copied()))
    }

    /// The median of how many times faster one subject is than another, in the same round.
    pub(crate) fn ratio(&self, subject: usize, base: usize) -> f64 {
        let of = |round: &Vec<f64>| Some(round.get(base)? / round.get(subject)?);
        median(self.0.iter().filter_map(of))
    }
}

/// Seconds of one pass, from as many as fill a sample.
fn sample(pass: &mut Pass<'_>) -> f64 {
    let start = Instant::now();
    let mut n_passes = 0.0;
    while n_passes == 0.0 || start.elapsed() < SAMPLE {
        pass();
        n_passes += 1.0;
    }
    start.elapsed().as_secs_f64() / n_passes
}

/// The middle of some numbers.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Seconds that something took once.
pub(crate) fn once(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
