//! The choices that a generator makes, out of bytes or out of a number.

/// Where choices come from. The same source gives the same choices.
#[derive(Clone, Debug)]
pub struct Choices<'a>(Source<'a>);

#[derive(Clone, Debug)]
enum Source<'a> {
    Bytes(core::slice::Iter<'a, u8>),
    Seed(u64),
}

impl<'a> Choices<'a> {
    /// Each choice takes a byte. When there are none left, it is the first possibility each time,
    /// so generators put what ends something first.
    #[must_use]
    pub fn of_bytes(bytes: &'a [u8]) -> Self {
        Self(Source::Bytes(bytes.iter()))
    }

    /// Choices without an end.
    #[must_use]
    pub const fn of_seed(seed: u64) -> Self {
        Self(Source::Seed(seed))
    }

    /// A number below `n`, which is at most 256; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let byte = match &mut self.0 {
            Source::Bytes(bytes) => bytes.next().copied().unwrap_or_default().into(),
            Source::Seed(state) => next(state),
        };
        byte % n.max(1)
    }

    /// One of several words; empty where there are none.
    pub fn word<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words.get(self.below(words.len())).copied().unwrap_or_default()
    }

    /// Whether something happens that happens once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) + 1 == n
    }
}

/// The next number of the sequence `splitmix64`.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) & 0xffff_ffff).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_source_gives_the_same_choices() {
        let numbers =
            |mut choices: Choices<'_>| (0..4).map(|_| choices.below(7)).collect::<Vec<_>>();
        assert_eq!(numbers(Choices::of_bytes(&[1, 9])), [1, 2, 0, 0]);
        assert_eq!(numbers(Choices::of_seed(5)), numbers(Choices::of_seed(5)));
        assert_ne!(numbers(Choices::of_seed(5)), numbers(Choices::of_seed(6)));
    }
}
