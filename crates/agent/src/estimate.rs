//! How many tokens a request has, before it is sent.

use tagline_protocol::{Message, Usage};

/// Tokens of an image: what a large picture has with most providers.
const IMAGE: u64 = 1_500;

/// Tokens around each message.
const AROUND: u64 = 4;

/// Until a provider has counted, two tokens are seven bytes: a little more than English has with
/// most tokenizers, and about what code has.
const UNKNOWN: Ratio = Ratio { tokens: 2, bytes: 7 };

/// Estimates from bytes, by what the provider counted last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    ratio: Ratio,
    /// Whether a provider has counted.
    is_learned: bool,
    /// The request that is out.
    sent: Size,
}

#[derive(Clone, Copy, Debug)]
struct Ratio {
    tokens: u64,
    bytes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Size {
    bytes: u64,
    /// Of images, and around the messages.
    tokens: u64,
}

impl Default for Estimate {
    fn default() -> Self {
        Self { ratio: UNKNOWN, is_learned: false, sent: Size::default() }
    }
}

impl Estimate {
    /// The tokens of these messages.
    pub(crate) fn of(&self, messages: &[Message]) -> u64 {
        let Size { bytes, tokens } = Size::of(messages);
        self.of_bytes(bytes).saturating_add(tokens)
    }

    /// The fewest tokens that these messages may have: where no provider has counted, long words and
    /// much blank space.
    pub(crate) fn least(&self, messages: &[Message]) -> u64 {
        match self.is_learned {
            true => self.of(messages),
            false => Size::of(messages).bytes / 8,
        }
    }

    pub(crate) fn of_bytes(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(self.ratio.tokens).div_ceil(self.ratio.bytes)
    }

    /// How much text has so many tokens.
    pub(crate) fn bytes_of(&self, tokens: u64) -> usize {
        let bytes = tokens.saturating_mul(self.ratio.bytes) / self.ratio.tokens.max(1);
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// These messages are sent.
    pub(crate) fn send(&mut self, messages: &[Message]) {
        self.sent = Size::of(messages);
    }

    /// What the provider counted of them. A count that no text can have is not believed.
    pub(crate) fn learn(&mut self, usage: Option<Usage>) {
        let Some(read) = usage.and_then(|usage| usage.input_tokens) else { return };
        let Size { bytes, tokens } = self.sent;
        let of_text = read.saturating_sub(tokens);
        if bytes / 10 < of_text && of_text < bytes.saturating_mul(2) {
            self.ratio = Ratio { tokens: of_text, bytes };
            self.is_learned = true;
        }
    }
}

impl Size {
    fn of(messages: &[Message]) -> Self {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let bytes = messages.iter().map(|message| count(message.text.len())).sum();
        let images: usize = messages.iter().map(|message| message.media.len()).sum();
        let around = count(messages.len()).saturating_mul(AROUND);
        Self { bytes, tokens: count(images).saturating_mul(IMAGE).saturating_add(around) }
    }
}

#[cfg(test)]
mod tests {
    use tagline_protocol::{Message, Role, Usage};

    use super::Estimate;

    fn text(n_bytes: usize) -> [Message; 1] {
        [Message::new(Role::User, "x".repeat(n_bytes))]
    }

    fn counted(tokens: u64) -> Option<Usage> {
        Some(Usage { input_tokens: Some(tokens), ..Usage::default() })
    }

    #[test]
    fn the_provider_is_believed_before_our_own_rule() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.of(&text(7_000)), 2_004);
        estimate.send(&text(7_000));
        estimate.learn(counted(1_004));
        assert_eq!(estimate.of(&text(14_000)), 2_004);
        assert_eq!(estimate.bytes_of(1_000), 7_000);
    }

    #[test]
    fn a_count_that_cannot_be_is_not_believed() {
        for wrong in [None, counted(0), counted(5), counted(u64::MAX)] {
            let mut estimate = Estimate::default();
            estimate.send(&text(7_000));
            estimate.learn(wrong);
            assert_eq!(estimate.of(&text(7_000)), 2_004, "{wrong:?}");
        }
    }
}
