//! What a provider says for itself: whether it is there, whether it takes a key, which models it has.

use std::time::Duration;

use tagline_secret::Secret;

use super::{
    connect::{Place, ProviderConfig},
    error::ConnectError,
    known::{Need, PROVIDERS, Proof, Provider, provider, provider_names},
    probe::{Probe, ServerModel, knock, probe},
    reference::ModelRef,
};
use crate::{
    Env,
    fault::{Asked, Signal, explain},
    transport::HttpTransport,
};

/// What is known of a provider before it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFacts {
    /// Its name.
    pub name: &'static str,
    /// Where it is asked: its own address, or what a variable says; `None` where no address that
    /// can be used is known.
    pub address: Option<String>,
    /// Whether it is a server that people run for themselves.
    pub is_server: bool,
    /// Whether it is asked with a key alone.
    pub needs_key: bool,
    /// Where its key is looked for; none where it takes no key.
    pub key_variables: &'static [&'static str],
    /// Where its address is looked for.
    pub address_variables: &'static [&'static str],
    /// The model that is taken where only the provider is named.
    pub usual: Option<&'static str>,
}

/// What a provider said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Its models, in its order, each with the name by which it is asked.
    pub models: Vec<(ModelRef, ServerModel)>,
    /// Whether it looked at the key: some show their models to everybody.
    pub is_key_proven: bool,
}

/// Every provider that has a name, in the order in which they are looked for. None is asked.
#[must_use]
pub fn provider_facts(env: &Env) -> Vec<ProviderFacts> {
    let facts = |provider: &'static Provider| {
        let place = Place::of(provider, None, &ProviderConfig::default(), env);
        ProviderFacts {
            name: provider.name,
            address: place.ok().map(|place| place.address.text()),
            is_server: provider.port.is_some(),
            needs_key: provider.key == Need::Needed,
            key_variables: provider.key_variables,
            address_variables: provider.address_variables,
            usual: provider.model,
        }
    };
    PROVIDERS.iter().map(facts).collect()
}

/// Asks a provider for its models, with this key or else the one of the environment, for
/// `patience` at most. Nothing else is sent to it, and the key to nobody else.
///
/// # Errors
///
/// [`ConnectError`]; where it answers with a refusal, [`ConnectError::is_unreachable`] says no.
pub async fn list_models(
    name: &str,
    key: Option<&Secret>,
    env: &Env,
    patience: Duration,
) -> Result<Listing, ConnectError> {
    let provider = provider(name).ok_or_else(|| ConnectError::UnknownProvider {
        name: name.to_owned(),
        known: provider_names(),
    })?;
    let config = ProviderConfig { key: key.cloned(), ..ProviderConfig::default() };
    let place = Place::of(provider, None, &config, env)?;
    // Whoever brings a key is not told to put one elsewhere.
    let key_variables = if key.is_some() { &[] } else { provider.key_variables };
    let key = place.key(provider, &config, env)?;
    let has_key = key.is_some();
    let asked = Asked {
        model: provider.name.to_owned(),
        host: place.address.origin(),
        key_variables,
        address_variables: provider.address_variables,
        is_local: place.address.is_local(),
    };
    let told = |signal| ConnectError::Unreachable(explain(&asked, &signal, 1));
    let address = place.address.text();
    let transport = HttpTransport::new(place.address, key, patience)
        .map_err(|fault| told(Signal::Transport(fault)))?;
    let probed = ask(&transport, provider, patience).await.map_err(told)?;
    let is_key_proven = has_key && provider.proof != Proof::None;
    Ok(Listing { models: named(provider, &address, probed), is_key_proven })
}

async fn ask(
    transport: &HttpTransport,
    provider: &Provider,
    patience: Duration,
) -> Result<Probe, Signal> {
    if let Proof::At(path) = provider.proof {
        knock(transport, path, patience).await?;
    }
    probe(transport, provider.wire, patience).await
}

/// A llama.cpp server answers on whatever port it was given, and is asked as what it is.
fn named(
    provider: &Provider,
    address: &str,
    Probe { is_llama_cpp, models }: Probe,
) -> Vec<(ModelRef, ServerModel)> {
    let is_elsewhere = is_llama_cpp && provider.name != "llamacpp";
    let name = if is_llama_cpp { "llamacpp" } else { provider.name };
    let reference = |model: &ServerModel| ModelRef {
        provider: name.to_owned(),
        model: Some(model.name.clone()),
        address: is_elsewhere.then(|| address.to_owned()),
    };
    models.into_iter().map(|model| (reference(&model), model)).collect()
}
