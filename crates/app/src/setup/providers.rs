//! What each provider says for itself.

use std::time::Duration;

use futures_util::future::join_all;
use tagline_model::{
    ConnectError, DETECT_PATIENCE, Env, Listing, ProviderFacts, list_models, provider_facts,
};
use tagline_server::{KeyPlace, KeySource, ProviderRow, ProviderStanding, SetupProblem};

use crate::{app::App, keys::Place, wiring::model_env};

/// How long a provider in the cloud may take to list its models.
const PATIENCE: Duration = Duration::from_secs(4);
/// Most models of one provider that are told.
const MOST: usize = 500;

/// Where the key of a provider is, by its name.
pub(super) type Source = Vec<(String, Place)>;

/// Every provider. Servers on this machine are asked, and those for which there is a key, all side
/// by side, each for a few seconds at most.
pub(crate) async fn providers(app: &App) -> Result<Vec<ProviderRow>, SetupProblem> {
    let env = model_env(app).map_err(|trouble| SetupProblem::Files(trouble.message))?;
    let kept = kept(app)?;
    let facts = provider_facts(&env);
    let rows = facts.iter().map(|facts| row(app, facts, &env, source_of(app, facts, &kept)));
    Ok(join_all(rows).await)
}

/// Which keys are kept, and where.
pub(super) fn kept(app: &App) -> Result<Source, SetupProblem> {
    let keys = app.keys().map_err(|trouble| SetupProblem::Files(trouble.message))?;
    keys.list().map_err(|error| SetupProblem::Files(error.to_string()))
}

/// From where the key of a provider comes: a variable goes before what is kept.
pub(super) fn source_of(app: &App, facts: &ProviderFacts, kept: &Source) -> Option<KeySource> {
    let variable = facts.key_variables.iter().find(|name| app.env.get(name).is_some());
    let kept = kept.iter().find(|(name, _)| name == facts.name).map(|(_, place)| place_of(place));
    match (variable, kept) {
        (Some(variable), kept) => Some(KeySource {
            from: KeyPlace::Environment,
            variable: Some((*variable).to_owned()),
            is_another_kept: kept.is_some(),
        }),
        (None, Some(from)) => Some(KeySource { from, variable: None, is_another_kept: false }),
        (None, None) => None,
    }
}

/// The same place in the words of the server.
pub(super) const fn place_of(place: &Place) -> KeyPlace {
    match place {
        Place::Keyring => KeyPlace::Keyring,
        Place::File => KeyPlace::File,
    }
}

async fn row(app: &App, facts: &ProviderFacts, env: &Env, key: Option<KeySource>) -> ProviderRow {
    let is_asked = facts.address.is_some() && (key.is_some() || !facts.needs_key);
    if !is_asked {
        let state = match facts.address {
            Some(_) => ProviderStanding::NoKey,
            None => ProviderStanding::NoAddress,
        };
        return told(app, facts, key, state, None, Vec::new());
    }
    let patience = if facts.is_server { DETECT_PATIENCE } else { PATIENCE };
    match list_models(facts.name, None, env, patience).await {
        Ok(listing) => listed(app, facts, key, listing),
        Err(error) => {
            let state = standing(&error);
            told(app, facts, key, state, Some(&error), Vec::new())
        }
    }
}

/// A provider that answered.
pub(super) fn listed(
    app: &App,
    facts: &ProviderFacts,
    key: Option<KeySource>,
    listing: Listing,
) -> ProviderRow {
    let is_unproven = key.is_some() && facts.needs_key && !listing.is_key_proven;
    let state = if is_unproven { ProviderStanding::Unproven } else { ProviderStanding::Ready };
    let models = listing.models.iter().take(MOST).map(|(name, _)| name.to_string()).collect();
    told(app, facts, key, state, None, models)
}

/// A provider, with what is wrong in words that hold no secret.
pub(super) fn told(
    app: &App,
    facts: &ProviderFacts,
    key: Option<KeySource>,
    state: ProviderStanding,
    error: Option<&ConnectError>,
    models: Vec<String>,
) -> ProviderRow {
    ProviderRow {
        name: facts.name.to_owned(),
        address: facts.address.clone(),
        is_server: facts.is_server,
        takes_key: !facts.key_variables.is_empty(),
        key,
        state,
        message: error.map(|error| app.redactor.text(&error.to_string()).into_owned()),
        models,
    }
}

/// How a provider is that gave no list.
pub(super) fn standing(error: &ConnectError) -> ProviderStanding {
    match error {
        // What has to be paid, or may do less, was taken as a key all the same.
        ConnectError::Unreachable(fault) => match fault.code.as_str() {
            "auth" => ProviderStanding::KeyRefused,
            "quota" | "permission" => ProviderStanding::Unproven,
            _ => ProviderStanding::Unreachable,
        },
        ConnectError::MissingKey { .. } => ProviderStanding::NoKey,
        ConnectError::BadAddress { .. } | ConnectError::MissingAddress { .. } => {
            ProviderStanding::NoAddress
        }
        ConnectError::BadReference { .. }
        | ConnectError::UnknownProvider { .. }
        | ConnectError::NoModel { .. }
        | ConnectError::NothingToRecord { .. }
        | ConnectError::Script(_)
        | ConnectError::Cassette(_) => ProviderStanding::Unreachable,
    }
}
