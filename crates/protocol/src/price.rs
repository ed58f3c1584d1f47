//! What tokens cost.

use alloc::{format, string::String};

use crate::Usage;

/// Billionths of a dollar.
type Nanos = u64;

/// What one token of a model costs, in billionths of a dollar: 1,250 is 1.25 dollars for a million.
///
/// # Examples
///
/// ```
/// use tagline_protocol::{Price, Usage, dollars};
///
/// let price = Price { input: 1_250, cached: 125, output: 10_000 };
/// let usage = Usage {
///     input_tokens: Some(1_000),
///     cached_tokens: Some(800),
///     output_tokens: Some(50),
/// };
/// assert_eq!(dollars(price.of(&usage)), "$0.0009");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// A token read.
    pub input: Nanos,
    /// A token read from the provider's cache.
    pub cached: Nanos,
    /// A token written.
    pub output: Nanos,
}

impl Price {
    /// What these tokens cost, in billionths of a dollar. What is not known costs nothing.
    #[must_use]
    pub fn of(self, usage: &Usage) -> u64 {
        let read = usage.input_tokens.unwrap_or(0);
        let cached = usage.cached_tokens.unwrap_or(0).min(read);
        let cost = |n: u64, each: Nanos| n.saturating_mul(each);
        let read = cost(read - cached, self.input).saturating_add(cost(cached, self.cached));
        read.saturating_add(cost(usage.output_tokens.unwrap_or(0), self.output))
    }
}

/// An amount for people: to the cent from a dollar on, else to a hundredth of a cent. Rounded up,
/// so that what costs something never shows as nothing.
#[must_use]
pub fn dollars(nanos: u64) -> String {
    let parts = nanos.div_ceil(100_000);
    if parts < 10_000 {
        return format!("${}.{:04}", parts / 10_000, parts % 10_000);
    }
    let cents = nanos.div_ceil(10_000_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_like_amounts() {
        let shown = [0, 1, 50_000_000, 999_950_000, 1_000_000_000, 12_345_678_901].map(dollars);
        assert_eq!(shown, ["$0.0000", "$0.0001", "$0.0500", "$1.00", "$1.00", "$12.35"]);
    }

    #[test]
    fn no_count_is_too_large() {
        let price = Price { input: u64::MAX, cached: 1, output: u64::MAX };
        let usage = Usage {
            input_tokens: Some(u64::MAX),
            cached_tokens: Some(u64::MAX),
            output_tokens: Some(2),
        };
        assert_eq!(price.of(&usage), u64::MAX);
        assert_eq!(price.of(&Usage::default()), 0);
    }
}
