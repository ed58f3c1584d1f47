//! Which models there are.

use std::time::Duration;

use futures_util::future::join_all;

use super::{
    connect::{Place, ProviderConfig},
    known::{Need, PROVIDERS, Provider},
    probe::{Probe, ServerModel, probe},
    reference::ModelRef,
};
use crate::{Env, transport::HttpTransport};

/// How long a server on this machine may take to say that it is there.
pub const DETECT_PATIENCE: Duration = Duration::from_millis(300);

/// Something that can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What to ask: the model that is taken if nothing else is said.
    pub model: ModelRef,
    /// How it was found.
    pub by: FoundBy,
    /// Where it is; empty for what was only named.
    pub address: String,
    /// What the server lists; empty for what was not asked.
    pub models: Vec<ServerModel>,
    /// Whether it takes a grammar.
    pub takes_grammar: bool,
}

/// How a model was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Named on the command line or in `TAGLINE_MODEL`.
    Flag,
    /// Named in the configuration.
    Config,
    /// Its key is in this variable.
    Key(&'static str),
    /// A server answers at its address.
    Server,
}

/// Looks for models: the one on the flag, the one in the configuration, keys in the environment,
/// servers on this machine on their default ports. The first is the one to take.
///
/// Servers are asked side by side, for `patience` at most, usually [`DETECT_PATIENCE`]. Providers in the cloud are not asked. A key
/// whose provider has no usual model is listed with the provider's name alone.
pub async fn detect(
    flag: Option<&ModelRef>,
    config: Option<&ModelRef>,
    env: &Env,
    patience: Duration,
) -> Vec<Found> {
    let named = |model: &ModelRef, by| Found {
        model: model.clone(),
        by,
        address: model.address.clone().unwrap_or_default(),
        models: Vec::new(),
        takes_grammar: false,
    };
    let mut found = Vec::new();
    found.extend(flag.map(|model| named(model, FoundBy::Flag)));
    found.extend(config.map(|model| named(model, FoundBy::Config)));
    found.extend(PROVIDERS.iter().filter_map(|provider| by_key(provider, env)));
    // Every client is made before the first is used: making one takes time that a probe must not lose.
    let servers: Vec<_> =
        PROVIDERS.iter().filter_map(|provider| Server::of(provider, env, patience)).collect();
    let servers = join_all(servers.into_iter().map(|server| server.found(patience))).await;
    found.extend(servers.into_iter().flatten());
    found
}

fn by_key(provider: &'static Provider, env: &Env) -> Option<Found> {
    if provider.key == Need::Optional {
        return None;
    }
    let (variable, _) = env.first(provider.key_variables)?;
    let place = Place::of(provider, None, &ProviderConfig::default(), env).ok()?;
    let name = provider.name.to_owned();
    let model = provider.model.map(str::to_owned);
    Some(Found {
        model: ModelRef { provider: name, model, address: None },
        by: FoundBy::Key(variable),
        address: place.address.text(),
        models: Vec::new(),
        takes_grammar: false,
    })
}

/// A server on this machine that may be there.
#[derive(Debug)]
struct Server {
    provider: &'static Provider,
    address: String,
    transport: HttpTransport,
}

impl Server {
    fn of(provider: &'static Provider, env: &Env, patience: Duration) -> Option<Self> {
        provider.port?;
        let place = Place::of(provider, None, &ProviderConfig::default(), env).ok()?;
        let address = place.address.text();
        let transport = HttpTransport::new(place.address, None, patience).ok()?;
        Some(Self { provider, address, transport })
    }

    async fn found(self, patience: Duration) -> Option<Found> {
        let Self { provider, address, transport } = self;
        let Probe { is_llama_cpp, models } =
            probe(&transport, provider.wire, patience).await.ok()?;
        let first = models.first()?.name.clone();
        let is_elsewhere = is_llama_cpp && provider.name != "llamacpp";
        let name = if is_llama_cpp { "llamacpp" } else { provider.name };
        Some(Found {
            model: ModelRef {
                provider: name.to_owned(),
                model: Some(first),
                address: is_elsewhere.then(|| address.clone()),
            },
            by: FoundBy::Server,
            address,
            models,
            takes_grammar: is_llama_cpp,
        })
    }
}
