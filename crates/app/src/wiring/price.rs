//! What the model of a run costs.

use tagline_protocol::Price;

use crate::{config::Settings, exit::Exit, trouble::Trouble};

/// The price of the model, if the settings have one.
///
/// # Errors
///
/// [`Exit::Setup`] where a price cannot be read, [`Exit::Usage`] where the cost is bounded and the
/// price is not known.
pub(crate) fn price(settings: &Settings, model: &str) -> Result<Option<Price>, Trouble> {
    let found = price_of(settings, model)?;
    if settings.limits.max_cost.is_some() && found.is_none() {
        return Err(Trouble::new(Exit::Usage, unknown(model)));
    }
    Ok(found)
}

/// The price of a model that is only counted.
///
/// # Errors
///
/// [`Exit::Setup`] where a price cannot be read.
pub(crate) fn price_of(settings: &Settings, model: &str) -> Result<Option<Price>, Trouble> {
    let mut found = None;
    for text in &settings.prices {
        let (pattern, price) = parse(text).ok_or_else(|| Trouble::new(Exit::Setup, unfit(text)))?;
        found = found.or_else(|| fits(pattern, model).then_some(price));
    }
    Ok(found)
}

fn unfit(text: &str) -> String {
    format!(
        "prices: expected a model, `in=` and `out=`, and `cached=` if that differs, each in dollars \
         for a million tokens, such as `openai/gpt-5 in=1.25 cached=0.125 out=10`, but found `{text}`"
    )
}

fn unknown(model: &str) -> String {
    format!(
        "--max-cost: the price of `{model}` is not known, so its cost cannot be bounded; name it in \
         dollars for a million tokens, such as `--price \"{model} in=1.25 out=10\"`, or in `prices` of \
         the configuration; `--max-tokens-total` needs no price"
    )
}

fn fits(pattern: &str, model: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == model, |start| model.starts_with(start))
}

/// `MODEL in=N out=N`, and `cached=N` if that is not what `in` is.
fn parse(text: &str) -> Option<(&str, Price)> {
    let mut words = text.split_whitespace();
    let model = words.next().filter(|model| !model.contains('='))?;
    let (mut input, mut cached, mut output) = (None, None, None);
    for word in words {
        let (name, number) = word.split_once('=')?;
        let place = match name {
            "in" => &mut input,
            "cached" => &mut cached,
            "out" => &mut output,
            _ => return None,
        };
        let number = per_token(number)?;
        if place.replace(number).is_some() {
            return None;
        }
    }
    let input = input?;
    Some((model, Price { input, cached: cached.unwrap_or(input), output: output? }))
}

/// Dollars for a million tokens, as billionths of a dollar for one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bounds leave room for both"
)]
fn per_token(text: &str) -> Option<u64> {
    let dollars: f64 = text.strip_prefix('$').unwrap_or(text).parse().ok()?;
    (0.0..=1e6).contains(&dollars).then(|| (dollars * 1e3).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read() {
        let price = |input, cached, output| Some(("a/b", Price { input, cached, output }));
        assert_eq!(parse("a/b in=1.25 cached=0.125 out=10"), price(1_250, 125, 10_000));
        assert_eq!(parse("a/b out=$3 in=0"), price(0, 0, 3_000));
    }

    #[test]
    fn what_is_no_price_is_none() {
        let unfit = ["", "a/b", "in=1 out=2", "a/b in=1", "a/b out=1", "a/b in=x out=1"];
        let also =
            ["a/b in=-1 out=1", "a/b in=1 out=1 out=2", "a/b in=1 out=1 x=2", "a/b in=nan out=1"];
        for text in unfit.into_iter().chain(also) {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_star_at_the_end_fits_every_model_that_begins_so() {
        assert!(fits("ollama/*", "ollama/qwen3:8b") && fits("*", "a/b") && fits("a/b", "a/b"));
        assert!(!fits("ollama/*", "openai/gpt-5") && !fits("a/b", "a/bc"));
    }
}
