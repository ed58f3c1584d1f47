//! What a turn has taken of its budget.

use tagline_protocol::{Message, Price, Usage};

use crate::{
    Budget,
    budget::{Bound, Reached},
    config::CostLimit,
    words,
};

/// Bytes of a token, where the provider does not count: what English has with most tokenizers.
const BYTES: u64 = 4;

/// Tokens of an image, where the provider does not count: what a large picture has with most.
const IMAGE: u64 = 1_500;

/// Most tokens of the last reply of a turn whose budget is used up.
const LAST_REPLY: u64 = 1_024;

/// A reply that may have fewer tokens is not worth asking for.
const LEAST: u64 = 16;

/// Counts what the passes of a turn take.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    budget: Budget,
    tokens: u64,
    /// Of these, tokens that no provider counted.
    guessed: u64,
    /// In billionths of a dollar.
    cost: u64,
    /// The request that is out, or was last, by our own count.
    asked: u64,
    /// What the provider says of that request.
    last: Option<Usage>,
    /// Most tokens of the reply that is asked for.
    room: Option<u64>,
}

/// Whether a reply came to its own end, so that the provider has counted all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsWhole {
    Yes,
    No,
}

impl Spending {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Most tokens of the reply that is asked for now; `None`: no bound.
    pub(crate) const fn room(&self) -> Option<u64> {
        self.room
    }

    /// The model is to be asked with these messages.
    ///
    /// # Errors
    ///
    /// What is reached, where the budget does not allow it.
    pub(crate) fn ask(&mut self, messages: &[Message]) -> Result<(), Reached> {
        let asked = estimate(messages);
        let next = self.request(asked);
        self.asked = asked;
        let rooms = [self.room_in_tokens(next)?, self.room_in_cost(next)?];
        self.room = rooms.into_iter().flatten().min();
        Ok(())
    }

    /// The same beyond the budget: the user wants an end of what was begun.
    pub(crate) fn ask_last(&mut self, messages: &[Message]) {
        self.asked = estimate(messages);
        self.room = (self.budget != Budget::default()).then_some(LAST_REPLY);
    }

    /// Moves a bound by what it was at first.
    pub(crate) fn add(&mut self, usual: Budget, bound: Bound) {
        match bound {
            Bound::Tokens => {
                let more = usual.tokens.unwrap_or(0);
                self.budget.tokens = self.budget.tokens.map(|most| most.saturating_add(more));
            }
            Bound::Cost => {
                let more = usual.cost.map_or(0, |cost| cost.most);
                if let Some(cost) = &mut self.budget.cost {
                    cost.most = cost.most.saturating_add(more);
                }
            }
            Bound::Passes | Bound::Calls | Bound::Time(_) => {}
        }
    }

    /// A pass is over: what the provider says of it, and how many bytes the reply has.
    pub(crate) fn pass(&mut self, usage: Option<Usage>, n_bytes: usize, is_whole: IsWhole) {
        let said = usage.unwrap_or_default();
        // A request that failed before any answer is not paid for.
        if is_whole == IsWhole::No && usage.is_none() && n_bytes == 0 {
            return;
        }
        let written = match (said.output_tokens, is_whole) {
            (Some(n), IsWhole::Yes) => n,
            // The provider's last word on it did not come.
            (Some(n), IsWhole::No) => n.max(guess(n_bytes)),
            (None, _) => guess(n_bytes),
        };
        let read = said.input_tokens.unwrap_or(self.asked);
        let counted = said.output_tokens.unwrap_or(0).min(written);
        let counted = counted.saturating_add(said.input_tokens.unwrap_or(0));
        let all = read.saturating_add(written);
        self.tokens = self.tokens.saturating_add(all);
        self.guessed = self.guessed.saturating_add(all.saturating_sub(counted));
        if let Some(CostLimit { price, .. }) = self.budget.cost {
            let took = Usage { input_tokens: Some(read), output_tokens: Some(written), ..said };
            self.cost = self.cost.saturating_add(price.of(&took));
        }
        self.last = usage.filter(|usage| usage.input_tokens.is_some());
    }

    /// What the next request will have: what the provider counted of the last one, and what came
    /// to the transcript since by our own count.
    fn request(&self, guessed: u64) -> Usage {
        let said = self.last.unwrap_or_default();
        let input = match said.input_tokens {
            Some(n) => n.saturating_add(guessed.saturating_sub(self.asked)),
            None => guessed,
        };
        // Where the last request came from the cache in part, the next one will, too.
        let cached = said.cached_tokens.filter(|cached| *cached > 0);
        Usage {
            input_tokens: Some(input),
            cached_tokens: cached.and(said.input_tokens),
            output_tokens: None,
        }
    }

    fn room_in_tokens(&self, next: Usage) -> Result<Option<u64>, Reached> {
        let Some(most) = self.budget.tokens else { return Ok(None) };
        let next = next.input_tokens.unwrap_or(0);
        let room = most.saturating_sub(self.tokens).saturating_sub(next);
        if room < LEAST {
            let message = words::max_tokens_total(
                self.tokens,
                most,
                next.saturating_add(LEAST),
                self.guessed,
            );
            return Err(Reached::new(Bound::Tokens, message));
        }
        Ok(Some(room))
    }

    fn room_in_cost(&self, next: Usage) -> Result<Option<u64>, Reached> {
        let Some(CostLimit { most, price }) = self.budget.cost else { return Ok(None) };
        let next = price.of(&next);
        let left = most.saturating_sub(self.cost).saturating_sub(next);
        let room = match price {
            Price { output: 0, .. } if 0 < left => u64::MAX,
            Price { output, .. } => left.checked_div(output).unwrap_or(0),
        };
        if room < LEAST {
            let next = next.saturating_add(LEAST.saturating_mul(price.output));
            let message = words::max_cost(self.cost, most, next, self.guessed);
            return Err(Reached::new(Bound::Cost, message));
        }
        Ok(Some(room))
    }
}

/// The tokens of messages, by our own count.
fn estimate(messages: &[Message]) -> u64 {
    let n_bytes: usize = messages.iter().map(|message| message.text.len()).sum();
    let n_images: usize = messages.iter().map(|message| message.media.len()).sum();
    let images = u64::try_from(n_images).unwrap_or(u64::MAX).saturating_mul(IMAGE);
    guess(n_bytes).saturating_add(images)
}

fn guess(n_bytes: usize) -> u64 {
    u64::try_from(n_bytes).unwrap_or(u64::MAX).div_ceil(BYTES)
}

#[cfg(test)]
mod tests {
    use tagline_protocol::Role;

    use super::*;

    const PRICE: Price = Price { input: 1_000, cached: 100, output: 10_000 };

    fn tokens(most: u64) -> Spending {
        Spending::new(Budget { tokens: Some(most), cost: None })
    }

    fn cost(most: u64) -> Spending {
        Spending::new(Budget { tokens: None, cost: Some(CostLimit { most, price: PRICE }) })
    }

    fn usage(input: u64, cached: u64, output: u64) -> Option<Usage> {
        let [input, cached, output] = [input, cached, output].map(Some);
        Some(Usage { input_tokens: input, cached_tokens: cached, output_tokens: output })
    }

    /// A transcript of so many tokens, as we count.
    fn messages(n: usize) -> [Message; 1] {
        [Message::new(Role::User, "four".repeat(n))]
    }

    #[test]
    fn a_reply_may_take_what_is_left_of_the_tokens() {
        let mut spending = tokens(1_000);
        spending.ask(&messages(100)).unwrap();
        assert_eq!(spending.room(), Some(900));
        // The provider counts 150 where we guessed 100.
        spending.pass(usage(150, 0, 250), 800, IsWhole::Yes);
        spending.ask(&messages(300)).unwrap();
        assert_eq!(spending.room(), Some(1_000 - 400 - 350));
        spending.pass(usage(350, 0, 240), 900, IsWhole::Yes);
        assert!(spending.ask(&messages(400)).is_err());
    }

    #[test]
    fn a_request_that_would_go_over_is_not_sent() {
        assert!(tokens(1_000).ask(&messages(985)).is_err());
        assert!(tokens(1_000).ask(&messages(984)).is_ok());
        assert!(cost(1_000_000).ask(&messages(1_000)).is_err());
    }

    #[test]
    fn what_no_provider_counts_is_guessed() {
        let mut spending = tokens(1_000);
        spending.ask(&messages(100)).unwrap();
        spending.pass(None, 400, IsWhole::Yes);
        assert_eq!((spending.tokens, spending.guessed), (200, 200));
        spending.ask(&messages(200)).unwrap();
        let begun = Usage { input_tokens: Some(210), output_tokens: Some(1), cached_tokens: None };
        spending.pass(Some(begun), 400, IsWhole::No);
        assert_eq!((spending.tokens, spending.guessed), (510, 299));
        spending.pass(None, 0, IsWhole::No);
        assert_eq!(spending.tokens, 510);
    }

    #[test]
    fn a_reply_may_cost_what_is_left_of_the_money() {
        let mut spending = cost(2_000_000);
        spending.ask(&messages(1_000)).unwrap();
        assert_eq!(spending.room(), Some(100));
        spending.pass(usage(1_000, 0, 10), 40, IsWhole::Yes);
        assert_eq!(spending.cost, 1_100_000);
        assert!(spending.ask(&messages(1_010)).is_err());
    }

    #[test]
    fn what_comes_from_the_cache_costs_less() {
        let mut spending = cost(3_000_000);
        spending.ask(&messages(1_000)).unwrap();
        spending.pass(usage(1_000, 900, 10), 40, IsWhole::Yes);
        assert_eq!(spending.cost, 290_000);
        spending.ask(&messages(1_100)).unwrap();
        // 1,000 from the cache and 100 more.
        assert_eq!(spending.room(), Some((3_000_000 - 290_000 - 200_000) / 10_000));
    }

    #[test]
    fn without_a_budget_nothing_is_bounded() {
        let mut spending = Spending::new(Budget::default());
        spending.pass(usage(u64::MAX, 0, u64::MAX), 0, IsWhole::Yes);
        assert_eq!(spending.ask(&messages(1)), Ok(()));
        assert_eq!(spending.room(), None);
    }
}
