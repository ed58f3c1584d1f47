//! What a tool is: its arguments' type, a few constants, and how it runs.

use std::{collections::BTreeSet, future::Future, time::Duration};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tagline_policy::Claims;
use tagline_protocol::{CardSpec, Effect, ToolOutcome, TurnRole};

use crate::{Parts, ToolContext};

/// A tool: the type is its arguments, its docs are its prompt.
///
/// Fields say where they are written with `#[schemars(extend("x-tag" = "…"))]`; see
/// [`tagline_protocol::ToolSpec`].
pub trait Tool: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The registered name: lower case, underscores.
    const NAME: &'static str;
    /// Other names that mean the same.
    const ALIASES: &'static [&'static str] = &[];
    /// What it may do.
    const EFFECT: Effect;
    /// Whole calls, as a model writes them; each is a test.
    const EXAMPLES: &'static [&'static str];
    /// What it means for the turn.
    const ROLE: TurnRole = TurnRole::Ordinary;
    /// Whether its run is shown in the bubble.
    const VOICED: bool = true;
    /// Whether its result causes another pass.
    const FEEDS_BACK: bool = true;
    /// Whether a body still open when the reply ends normally counts as closed.
    const LENIENT_EOF: bool = false;
    /// How its card is labelled: a verb, such as `read`.
    const LABEL: &'static str = Self::NAME;
    /// The argument shown as the card's target.
    const SUBTITLE: Option<&'static str> = None;
    /// How long a run may take before it is stopped.
    const TIMEOUT: Duration = Duration::from_secs(120);

    /// What this call touches, for the policy. Must cover every effect of [`Tool::run`].
    fn claims(&self, cx: &ToolContext) -> Claims {
        let _ = cx;
        Claims::default()
    }

    /// Whether the rule against repeating an equal call with an equal result spares it.
    fn is_polling(&self) -> bool {
        false
    }

    /// The parts of its change, of which a person may leave some out, and the call's text with those
    /// alone that `take` numbers, from 0. `None` where it has no parts.
    fn parts(&self, take: &BTreeSet<usize>) -> Option<Parts> {
        let _ = take;
        None
    }

    /// Does the work. Cancel-safe: it ends soon after [`ToolContext::cancel`] fires, and leaves
    /// nothing half done.
    fn run(self, cx: &ToolContext) -> impl Future<Output = ToolOutcome> + Send;

    /// The card's labels.
    #[must_use]
    fn card() -> CardSpec {
        CardSpec { label: Self::LABEL.to_owned(), subtitle: Self::SUBTITLE.map(str::to_owned) }
    }
}
