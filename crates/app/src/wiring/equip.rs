//! What a session is made of, put together: the same for a run, a chat and a server.

use std::sync::Arc;

use tagline_executor::Registry;
use tagline_model::ModelInfo;
use tagline_protocol::{Calls, Detail, GrammarOptions, Price};
use tagline_session::{AnswerCheck, Sampling};

use super::{Attendance, Place, Prompt, limits, policy, price, registry};
use crate::{
    app::App,
    config::{Grammar, Loop, Settings},
    run::AnswerSchema,
    trouble::Trouble,
};

/// For which session.
pub(crate) struct Want<'a> {
    /// The settings in force.
    pub(crate) settings: &'a Settings,
    /// The profile that it belongs to.
    pub(crate) profile: &'a str,
    /// Its id, which names the folder of its commands' logs.
    pub(crate) session: &'a str,
    /// Who is asked.
    pub(crate) model: &'a ModelInfo,
    /// Whether somebody can say yes.
    pub(crate) attendance: Attendance,
    /// What the answer must be like.
    pub(crate) schema: Option<Arc<AnswerSchema>>,
}

/// The parts of a session that works in the working directory.
pub(crate) struct Equipped {
    /// Where its calls run.
    pub(crate) place: Place,
    /// What may be called.
    pub(crate) registry: Arc<Registry>,
    /// How its turns run.
    pub(crate) settings: tagline_session::Settings,
    /// What its tokens cost, if that is known.
    pub(crate) price: Option<Price>,
}

/// Puts the parts together.
///
/// # Errors
///
/// What of the settings or of the folder does not fit.
pub(crate) fn equip(app: &App, want: &Want<'_>) -> Result<Equipped, Trouble> {
    let place = Place::open(app, want.settings, want.attendance, want.session)?;
    let registry = registry(want.settings)?;
    let price = price(want.settings, &want.model.name)?;
    let settings = settings(app, want, &registry, price)?;
    Ok(Equipped { place, registry, settings, price })
}

fn settings(
    app: &App,
    want: &Want<'_>,
    registry: &Registry,
    price: Option<Price>,
) -> Result<tagline_session::Settings, Trouble> {
    let tools = registry.toolset();
    let grammar = grammar(want.settings, want.model);
    let mut wanted = want.settings.clone();
    if grammar == Some(Size::Small) {
        // The grammar holds the form by itself, and a small model gets lost in a long prompt.
        wanted.detail = Detail::Compact;
    }
    let mut system = Prompt::collect(app)?.text(&wanted, &tools);
    system.extend(want.schema.iter().map(|schema| schema.section(&tools)));
    let check = |schema: Arc<AnswerSchema>| AnswerCheck::new(move |answer| schema.check(answer));
    Ok(tagline_session::Settings {
        system,
        answer: want.schema.clone().map(check),
        policy: policy(want.settings),
        limits: limits(want.settings, price),
        sampling: Sampling {
            max_tokens: want.settings.max_tokens,
            temperature: want.settings.temperature,
            seed: want.settings.seed,
            grammar: grammar.map(|size| size.options(want.settings.r#loop)),
        },
        tool_attempts: want.settings.limits.tool_attempts,
        timeout: want.settings.limits.timeout,
        profile: want.profile.to_owned(),
    })
}

/// Models with fewer parameters are small: they are held to one call a reply, with short values.
const SMALL_MODEL: u64 = 1_000_000_000;

/// How much a grammar lets a model write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Small,
    General,
}

/// The grammar for this model, if its server takes one. A model of unknown size is not small.
fn grammar(settings: &Settings, model: &ModelInfo) -> Option<Size> {
    let is_small = model.parameters.is_some_and(|n| n < SMALL_MODEL);
    let size = match settings.grammar {
        Grammar::Auto if is_small => Size::Small,
        Grammar::Small => Size::Small,
        Grammar::Auto | Grammar::General => Size::General,
        Grammar::Off => return None,
    };
    model.takes_grammar.then_some(size)
}

impl Size {
    /// The guided loop takes thinking and one call.
    const fn options(self, r#loop: Loop) -> GrammarOptions {
        let (usual, thinking) = match self {
            Self::Small => (GrammarOptions::small(), 120),
            Self::General => (GrammarOptions::general(), 2_000),
        };
        match r#loop {
            Loop::Free => usual,
            Loop::Guided => {
                GrammarOptions { calls: Calls::One, max_thinking: Some(thinking), ..usual }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: Grammar, parameters: Option<u64>, expected: Option<Size>) {
        let settings = Settings { grammar: word, ..Settings::default() };
        let model = ModelInfo { takes_grammar: true, parameters, ..ModelInfo::default() };
        assert_eq!(grammar(&settings, &model), expected, "{word:?} {parameters:?}");
        assert_eq!(grammar(&settings, &ModelInfo { takes_grammar: false, ..model }), None);
    }

    #[test]
    fn the_grammar_fits_the_size_of_the_model_unless_the_user_says_which() {
        check(Grammar::Auto, Some(134_515_008), Some(Size::Small));
        check(Grammar::Auto, Some(30_000_000_000), Some(Size::General));
        check(Grammar::Auto, None, Some(Size::General));
        check(Grammar::Small, Some(30_000_000_000), Some(Size::Small));
        check(Grammar::General, Some(134_515_008), Some(Size::General));
        check(Grammar::Off, Some(134_515_008), None);
    }

    #[test]
    fn the_guided_loop_takes_thinking_and_one_call() {
        for size in [Size::Small, Size::General] {
            let options = size.options(Loop::Guided);
            assert!(options.calls == Calls::One && options.max_thinking.is_some());
            assert_eq!(size.options(Loop::Free).max_thinking, None);
        }
    }
}
