//! A key, tried at its provider before it is kept.

use std::time::Duration;

use tagline_model::{ConnectError, ProviderFacts, key_variables, list_models, provider_facts};
use tagline_secret::Secret;
use tagline_server::{
    IfUnreachable, KeyKept, KeyPlace, ProviderRow, ProviderStanding, SetupProblem,
};

use super::providers::{kept, listed, place_of, source_of, standing, told};
use crate::{
    app::App,
    keys::{LONGEST, Place, key_of},
    wiring::model_env,
};

/// How long a provider may take to say whether it takes a key.
const PATIENCE: Duration = Duration::from_secs(8);

/// Keeps a key once its provider takes it. From here on no text that leaves has it in it.
///
/// # Errors
///
/// Why it was not kept.
pub(crate) async fn keep_key(
    app: &App,
    provider: &str,
    key: &Secret,
    unreachable: IfUnreachable,
) -> Result<KeyKept, SetupProblem> {
    let variables = variables_of(provider)?;
    let key = key_of(key.expose()).map_err(|no_key| SetupProblem::NoKey {
        least: Secret::SHORTEST,
        most: LONGEST,
        found: no_key.found(),
    })?;
    app.redactor.learn(variables.first().copied().unwrap_or(provider), &key);
    let env = model_env(app).map_err(|trouble| SetupProblem::Files(trouble.message))?;
    let facts = provider_facts(&env).into_iter().find(|facts| facts.name == provider);
    let facts = facts.ok_or_else(|| unknown(provider))?;
    let answer = list_models(provider, Some(&key), &env, PATIENCE).await;
    let mut notes = match &answer {
        Ok(_) => Vec::new(),
        Err(error) => refused(app, error, unreachable)?,
    };
    notes.extend(store(app, &facts, &key)?);
    let key = source_of(app, &facts, &kept(app)?);
    let row = match answer {
        Ok(listing) => listed(app, &facts, key, listing),
        Err(error) => told(app, &facts, key, standing(&error), Some(&error), Vec::new()),
    };
    notes.extend(unproven(&row));
    Ok(KeyKept { is_proven: row.state == ProviderStanding::Ready, provider: row, notes })
}

/// What keeps a key from being kept, or else what is to be known about it.
fn refused(
    app: &App,
    error: &ConnectError,
    unreachable: IfUnreachable,
) -> Result<Vec<String>, SetupProblem> {
    let words = app.redactor.text(&error.to_string()).into_owned();
    match (standing(error), unreachable) {
        (ProviderStanding::KeyRefused, _) => Err(SetupProblem::Refused(words)),
        (ProviderStanding::Unproven | ProviderStanding::Ready, _) => Ok(vec![words]),
        (_, IfUnreachable::Keep) => Ok(vec![format!("it could not be tried: {words}")]),
        (_, IfUnreachable::Refuse) => Err(SetupProblem::Unreachable(words)),
    }
}

/// Writes it down, and says where and what goes before it.
fn store(app: &App, facts: &ProviderFacts, key: &Secret) -> Result<Vec<String>, SetupProblem> {
    let keys = app.keys().map_err(|trouble| SetupProblem::Files(trouble.message))?;
    let stored = keys.set(facts.name, key, false);
    // That this build or machine has no keyring is nothing that anybody has to do something about.
    let (place, _) = stored.map_err(|error| SetupProblem::Files(error.to_string()))?;
    let mut notes = vec![match place {
        Place::Keyring => "it is in the keyring of the system".to_owned(),
        Place::File => {
            format!("it is in `{}`, which you alone can read", keys.path().display())
        }
    }];
    let set = facts.key_variables.iter().filter(|name| app.env.get(name).is_some());
    notes.extend(set.map(|name| format!("{name} is set, and goes before it")));
    Ok(notes)
}

fn unproven(row: &ProviderRow) -> Option<String> {
    let is_silent = row.state == ProviderStanding::Unproven && row.message.is_none();
    is_silent.then(|| {
        format!("`{}` shows its models to everybody, so the key itself was not tried", row.name)
    })
}

/// Forgets a key that is kept.
///
/// # Errors
///
/// Where none is, or the files say no.
pub(crate) fn forget_key(app: &App, provider: &str) -> Result<KeyPlace, SetupProblem> {
    variables_of(provider)?;
    let keys = app.keys().map_err(|trouble| SetupProblem::Files(trouble.message))?;
    let removed = keys.remove(provider).map_err(|error| SetupProblem::Files(error.to_string()))?;
    let place = removed.ok_or_else(|| SetupProblem::NotKept(provider.to_owned()))?;
    Ok(place_of(&place))
}

/// Whether there is such a provider, and it takes a key.
///
/// # Errors
///
/// Which ones there are.
pub(crate) fn takes_key(provider: &str) -> Result<(), SetupProblem> {
    variables_of(provider).map(|_| ())
}

fn variables_of(provider: &str) -> Result<&'static [&'static str], SetupProblem> {
    let found = key_variables().find(|(name, _)| *name == provider);
    found.map(|(_, variables)| variables).ok_or_else(|| unknown(provider))
}

fn unknown(provider: &str) -> SetupProblem {
    let known = key_variables().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    SetupProblem::NoProvider { name: provider.to_owned(), known }
}
