//! A name → a model that can be asked.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tagline_secret::Secret;

use super::{
    error::ConnectError,
    known::{Images, LLAMA_CPP, Need, PROVIDERS, Provider, SERVER, provider, provider_names},
    probe::{Probe, probe},
    reference::ModelRef,
};
use crate::{
    CassetteModel, Env, Model, ModelInfo, ModelLimits, ScriptedModel,
    cassette::{Head, RecordingTransport},
    fault::{Asked, Signal, explain},
    host::{HostState, Hosts},
    remote::RemoteModel,
    transport::{Address, HttpTransport, Key, KeyHeader, SharedTransport},
    wire::Wire,
};

/// What the user has configured for a provider.
///
/// An address from here gets the provider's key, so it must come from the user's own settings,
/// never from a folder that is being worked in.
#[derive(Clone, Debug, Default)]
pub struct ProviderConfig {
    /// In place of the provider's usual address and its variable.
    pub address: Option<String>,
    /// In place of the provider's variable.
    pub key: Option<Secret>,
    /// Whether the model takes images, where the provider does not say so.
    pub takes_images: Option<bool>,
    /// Tokens of context, where the provider does not say so.
    pub context_tokens: Option<u64>,
    /// Bounds of each asking.
    pub limits: ModelLimits,
    /// Writes every exchange into this file, without keys: neither the one in use nor any other
    /// that the environment holds for a provider.
    pub record: Option<PathBuf>,
}

/// Connects models, and holds what all of them know of their hosts: how many requests are under
/// way, and which host is in trouble. A process wants one of them. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Connector {
    hosts: Hosts,
}

impl Connector {
    /// One that sends so many requests to a host at the same time; 16 if nothing is said.
    #[must_use]
    pub fn with_places(places: usize) -> Self {
        Self { hosts: Hosts::with_places(places) }
    }

    /// The hosts that failed lately, by name.
    #[must_use]
    pub fn troubled(&self) -> Vec<HostState> {
        self.hosts.troubled()
    }

    /// Connects a model.
    ///
    /// A provider in the cloud is not asked for anything yet; a server on this machine, or at an
    /// address that was given, is asked for its list of models: that tells whether it is there,
    /// which model is the first, and whether it takes a grammar.
    ///
    /// # Errors
    ///
    /// [`ConnectError`]: a missing key is found before any request.
    pub async fn connect(
        &self,
        reference: &ModelRef,
        config: &ProviderConfig,
        env: &Env,
    ) -> Result<Arc<dyn Model>, ConnectError> {
        let file = reference.model.clone().unwrap_or_default();
        match reference.provider.as_str() {
            "script" | "cassette" if config.record.is_some() => {
                Err(ConnectError::NothingToRecord { model: reference.to_string() })
            }
            "script" => {
                let model = ScriptedModel::from_path(file)?.without_record();
                let info = model.info().clone();
                let takes_images = config.takes_images.unwrap_or(info.takes_images);
                Ok(Arc::new(model.with_info(ModelInfo { takes_images, ..info })))
            }
            "cassette" => Ok(Arc::new(CassetteModel::from_path(file)?.with_limits(config.limits))),
            name => {
                let Some(provider) = provider(name) else {
                    let name = name.to_owned();
                    return Err(ConnectError::UnknownProvider { name, known: provider_names() });
                };
                Ok(Arc::new(remote(&self.hosts, provider, reference, config, env).await?))
            }
        }
    }
}

async fn remote(
    hosts: &Hosts,
    provider: &'static Provider,
    reference: &ModelRef,
    config: &ProviderConfig,
    env: &Env,
) -> Result<RemoteModel, ConnectError> {
    let place = Place::of(provider, reference.address.as_deref(), config, env)?;
    let key = place.key(provider, config, env)?;
    let asked = Asked {
        model: named(reference),
        host: place.address.origin(),
        key_variables: provider.key_variables,
        address_variables: provider.address_variables,
        is_local: place.address.is_local(),
    };
    let unreachable = |signal| ConnectError::Unreachable(explain(&asked, &signal, 1));
    let transport = HttpTransport::new(place.address.clone(), key, config.limits.connect)
        .map_err(|fault| unreachable(Signal::Transport(fault)))?;
    let is_server = provider.key == Need::Optional || reference.address.is_some();
    let probed = if is_server {
        about(&transport, provider.wire, reference, config).await.map_err(unreachable)?
    } else {
        Probe::default()
    };
    let choice = Choice::of(provider, reference, &place, &probed)?;
    let info = choice.info(&place, config, &probed);
    let transport = match &config.record {
        Some(path) => recorded(path, Arc::new(transport), &Head::of(choice.wire, &info), env)?,
        None => Arc::new(transport),
    };
    let asked = Asked { model: info.name.clone(), ..asked };
    let gate = hosts.gate(&asked.host, &choice.model);
    let limits = config.limits;
    Ok(RemoteModel { info, wire: choice.wire, model: choice.model, transport, asked, limits, gate })
}

fn named(reference: &ModelRef) -> String {
    match &reference.model {
        Some(model) => format!("{}/{}", reference.provider, shown(model)),
        None => reference.provider.clone(),
    }
}

/// What the server says. One without a list can still answer, if it is told which model.
async fn about(
    transport: &HttpTransport,
    wire: Wire,
    reference: &ModelRef,
    config: &ProviderConfig,
) -> Result<Probe, Signal> {
    match probe(transport, wire, config.limits.connect).await {
        Err(Signal::Provider { .. }) if reference.model.is_some() => Ok(Probe::default()),
        probed => probed,
    }
}

fn recorded(
    path: &Path,
    transport: SharedTransport,
    head: &Head,
    env: &Env,
) -> Result<SharedTransport, ConnectError> {
    let keys = PROVIDERS.iter().flat_map(|provider| provider.key_variables);
    let secrets = keys.filter_map(|name| env.secret(name)).collect();
    Ok(Arc::new(RecordingTransport::create(path, transport, head, secrets)?))
}

/// Where a provider is, and whether its key may go there.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) address: Address,
    /// Whether the address is the provider's own, or was set in its variable or the user's configuration.
    is_home: bool,
}

impl Place {
    /// The address: from the reference, the configuration, the variable, the table.
    pub(crate) fn of(
        provider: &'static Provider,
        given: Option<&str>,
        config: &ProviderConfig,
        env: &Env,
    ) -> Result<Self, ConnectError> {
        let variable = || env.first(provider.address_variables);
        let (text, origin, is_home) = if let Some(text) = given {
            (text, "the model's name".to_owned(), false)
        } else if let Some(text) = &config.address {
            (text.as_str(), format!("the configuration of `{}`", provider.name), true)
        } else if let Some((name, text)) = variable() {
            (text, format!("`{name}`"), true)
        } else if provider.address.is_empty() {
            let provider_name = provider.name.to_owned();
            let variable = provider.address_variables.first().copied().unwrap_or_default();
            return Err(ConnectError::MissingAddress { provider: provider_name, variable });
        } else {
            (provider.address, "the table of providers".to_owned(), true)
        };
        let mut address = Address::parse(text).map_err(|expected| ConnectError::BadAddress {
            address: without_credentials(text),
            origin,
            expected,
        })?;
        // `OLLAMA_HOST` may be a bare host; the other variables hold whole addresses.
        if let (Some(port), false) = (provider.port, text.contains("://")) {
            address = address.for_client(port, text);
        }
        if !provider.path.is_empty() {
            address = address.with_default_path(provider.path);
        }
        Ok(Self { address, is_home })
    }

    pub(crate) fn key(
        &self,
        provider: &'static Provider,
        config: &ProviderConfig,
        env: &Env,
    ) -> Result<Option<Key>, ConnectError> {
        if !self.is_home {
            return Ok(None);
        }
        let header = provider.keys.first().map_or(KeyHeader::Bearer, |(_, header)| *header);
        let configured = config.key.clone().map(|secret| Key { header, secret });
        let in_env = || {
            provider
                .keys
                .iter()
                .find_map(|(name, header)| Some(Key { header: *header, secret: env.secret(name)? }))
        };
        match configured.or_else(in_env) {
            None if provider.key == Need::Needed && !self.address.is_local() => {
                Err(ConnectError::MissingKey {
                    provider: provider.name.to_owned(),
                    variables: provider.key_variables.to_vec(),
                })
            }
            key => Ok(key),
        }
    }
}

/// Which model, and how it is spoken to.
#[derive(Debug)]
struct Choice {
    provider: &'static str,
    model: String,
    wire: Wire,
    images: Images,
}

impl Choice {
    fn of(
        provider: &'static Provider,
        reference: &ModelRef,
        place: &Place,
        probed: &Probe,
    ) -> Result<Self, ConnectError> {
        let first = || probed.models.first().map(|model| model.name.clone());
        let usual = || provider.model.map(str::to_owned);
        let model = reference.model.clone().or_else(first).or_else(usual);
        let is_llama_cpp = probed.is_llama_cpp && matches!(provider.wire, Wire::OpenAi(_));
        let Some(model) = model else {
            let (provider, address) = (provider.name.to_owned(), place.address.text());
            return Err(ConnectError::NoModel { provider, address });
        };
        Ok(Self {
            provider: if is_llama_cpp && provider.name == SERVER.name {
                "llamacpp"
            } else {
                provider.name
            },
            model,
            wire: if is_llama_cpp { Wire::OpenAi(LLAMA_CPP) } else { provider.wire },
            images: provider.images,
        })
    }

    fn info(&self, place: &Place, config: &ProviderConfig, probed: &Probe) -> ModelInfo {
        let listed = probed.models.iter().find(|model| model.name == self.model);
        let listed = listed.cloned().unwrap_or_default();
        ModelInfo {
            name: format!("{}/{}", self.provider, shown(&self.model)),
            address: place.address.text(),
            is_local: place.address.is_local(),
            takes_grammar: matches!(self.wire, Wire::OpenAi(dialect) if dialect.llama_cpp),
            takes_images: config
                .takes_images
                .or(listed.takes_images)
                .unwrap_or(self.images == Images::Taken),
            context_tokens: config.context_tokens.or(listed.context_tokens),
            parameters: listed.parameters,
        }
    }
}

/// A llama.cpp server names its model by the path of its file; people by the file's name.
pub(crate) fn shown(model: &str) -> &str {
    if model.starts_with('/') { model.rsplit('/').next().unwrap_or(model) } else { model }
}

fn without_credentials(text: &str) -> String {
    match (text.find("://"), text.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            let host = text.get(at + 1..).unwrap_or_default();
            format!("{}://…@{host}", text.get(..scheme).unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}
