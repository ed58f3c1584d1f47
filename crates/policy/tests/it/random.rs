//! Numbers that are random and always the same.

/// How often a named command has a test do something.
#[expect(clippy::disallowed_methods, reason = "how often a test does something is the runner's")]
pub(crate) fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|it| it.parse().unwrap())
}

/// A source of numbers: splitmix64.
pub(crate) struct Random(u64);

impl Random {
    /// The source of the `n`th thing of a seed.
    pub(crate) fn of(seed: u64, n: u64) -> Self {
        let mut mixed = Self(seed ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed.next();
        mixed
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    /// Whether it happens, in so many of a hundred cases.
    pub(crate) fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
