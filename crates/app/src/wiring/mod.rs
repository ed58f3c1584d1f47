//! From settings to the parts of a session: tools, place, policy, prompt.

mod equip;
mod model;
mod place;
mod price;
mod prompt;
mod rules;
mod sandbox;
mod tools;
mod undo;

pub(crate) use equip::{Equipped, Want, equip};
pub(crate) use model::{Connected, choose, connect, model_env};
pub(crate) use place::{Attendance, Place, end_leftovers, workspace};
pub(crate) use price::{price, price_of};
pub(crate) use prompt::{Prompt, estimate, project_files};
pub(crate) use rules::rules;
pub(crate) use sandbox::{Held, held, sandbox};
pub(crate) use tools::{cards, offered, registry, sets};
pub(crate) use undo::{own_folders, undo_store};

use tagline_agent::{AtLimit, Budget, CostLimit, Policy, TurnLimits};
use tagline_protocol::Price;

use crate::config::{Loop, Settings};

/// How many actions a reply may hold.
pub(crate) const fn policy(settings: &Settings) -> Policy {
    match settings.r#loop {
        Loop::Free => Policy::Free,
        Loop::Guided => Policy::Guided { requires_thinking: settings.requires_thinking },
    }
}

/// The bounds of a turn with a model of this price.
pub(crate) fn limits(settings: &Settings, price: Option<Price>) -> TurnLimits {
    let usual = TurnLimits::for_policy(policy(settings));
    TurnLimits {
        passes: settings.limits.max_passes.unwrap_or(usual.passes),
        calls_per_reply: settings.limits.calls_per_reply,
        calls: settings.limits.max_calls,
        continuations: settings.limits.continuations,
        budget: Budget {
            tokens: settings.limits.max_tokens_total,
            cost: settings
                .limits
                .max_cost
                .zip(price)
                .map(|(most, price)| CostLimit { most, price }),
        },
        at_limit: if settings.limits.asks_at_limit { AtLimit::Ask } else { AtLimit::End },
        ..usual
    }
}
