//! Which model is asked.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use tagline_model::{
    ConnectError, DETECT_PATIENCE, Env, FallbackModel, Model, ModelLimits, ModelRef,
    ProviderConfig, detect, key_variables,
};

use crate::{
    app::App,
    config::{Network, Settings},
    exit::Exit,
    output::note,
    trouble::Trouble,
};

/// Whether there is a model.
#[derive(Debug)]
pub(crate) enum Connected {
    /// It can be asked.
    Yes(Arc<dyn Model>),
    /// There is none.
    No {
        /// How the program ends by it.
        exit: Exit,
        /// Why, and what to do.
        message: String,
    },
}

/// The model of a run; where there is none, that is said. What its provider sends is recorded if
/// the settings say where.
pub(crate) async fn choose(app: &App, settings: &Settings) -> Result<Arc<dyn Model>, Trouble> {
    let record = settings.record.as_ref().map(|file| app.env.cwd().join(file));
    match connect_recorded(app, settings, record).await {
        Connected::Yes(model) => Ok(model),
        Connected::No { exit, message } => Err(Trouble { exit, message }),
    }
}

/// Connects the model that the settings name, or the first one that is found. Nothing is recorded.
pub(crate) async fn connect(app: &App, settings: &Settings) -> Connected {
    connect_recorded(app, settings, None).await
}

async fn connect_recorded(app: &App, settings: &Settings, record: Option<PathBuf>) -> Connected {
    let env = match model_env(app) {
        Ok(env) => env,
        Err(Trouble { exit, message }) => return Connected::No { exit, message },
    };
    match try_connect(app, settings, &env, record).await {
        Ok(Some(model)) => Connected::Yes(model),
        Ok(None) => Connected::No { exit: Exit::Setup, message: NONE.to_owned() },
        Err(error) => Connected::No { exit: exit_of(&error), message: error.to_string() },
    }
}

fn exit_of(error: &ConnectError) -> Exit {
    if error.is_unreachable() {
        return Exit::Unreachable;
    }
    let is_misuse = matches!(error, ConnectError::NothingToRecord { .. });
    if is_misuse { Exit::Usage } else { Exit::Setup }
}

const NONE: &str = "no model was found: expected `--model`, a key such as ANTHROPIC_API_KEY or \
                    OPENAI_API_KEY, or a local server (Ollama, LM Studio, llama.cpp, vLLM) on its \
                    usual port; `tagline models` shows what there is, `tagline demo` needs none";

async fn try_connect(
    app: &App,
    settings: &Settings,
    env: &Env,
    record: Option<PathBuf>,
) -> Result<Option<Arc<dyn Model>>, ConnectError> {
    let reference = match &settings.model {
        Some(name) => Some(in_folder(app, ModelRef::parse(name)?)),
        None => {
            let found = detect(None, None, env, DETECT_PATIENCE).await.into_iter().next();
            found.map(|found| found.model)
        }
    };
    let Some(reference) = reference else { return Ok(None) };
    let limits = limits(&settings.network);
    let takes_images = settings.takes_images;
    let config = ProviderConfig { limits, record, takes_images, ..ProviderConfig::default() };
    let first = app.connector.connect(&reference, &config, env).await;
    let config = ProviderConfig { record: None, ..config };
    let mut others = Vec::new();
    for name in &settings.fallback {
        let reference = in_folder(app, ModelRef::parse(name)?);
        others.push(app.connector.connect(&reference, &config, env).await);
    }
    in_order(app, first, others).map(Some)
}

/// The first model with the others behind it. One that cannot be reached now is left out with a
/// warning, if there is another; what has to be set right is not passed over.
fn in_order(
    app: &App,
    first: Result<Arc<dyn Model>, ConnectError>,
    others: Vec<Result<Arc<dyn Model>, ConnectError>>,
) -> Result<Arc<dyn Model>, ConnectError> {
    let mut others = others.into_iter();
    let mut first = first;
    loop {
        match first {
            Err(error) if error.is_unreachable() => match others.next() {
                Some(next) => {
                    left_out(app, &error);
                    first = next;
                }
                None => return Err(error),
            },
            Err(error) => return Err(error),
            Ok(model) => return behind(app, model, others),
        }
    }
}

fn behind(
    app: &App,
    first: Arc<dyn Model>,
    others: impl Iterator<Item = Result<Arc<dyn Model>, ConnectError>>,
) -> Result<Arc<dyn Model>, ConnectError> {
    let mut reached = Vec::new();
    for other in others {
        match other {
            Ok(model) => reached.push(model),
            Err(error) if error.is_unreachable() => left_out(app, &error),
            Err(error) => return Err(error),
        }
    }
    let is_alone = reached.is_empty();
    Ok(if is_alone { first } else { Arc::new(FallbackModel::new(first, reached)) })
}

fn left_out(app: &App, error: &ConnectError) {
    if !app.is_quiet {
        note(format_args!("warning: {error}"));
    }
}

/// The environment, as models take it: with the keys that are kept, where no variable holds one.
///
/// # Errors
///
/// [`Exit::Setup`] where kept keys cannot be read.
pub(crate) fn model_env(app: &App) -> Result<Env, Trouble> {
    let kept = app.keys()?.all().map_err(|error| Trouble::new(Exit::Setup, error))?;
    let mut vars: BTreeMap<String, String> =
        app.env.vars().iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    for (provider, key) in kept {
        let Some((_, variables)) = key_variables().find(|(name, _)| *name == provider) else {
            continue;
        };
        let Some(first) = variables.first() else { continue };
        app.redactor.learn(first, &key);
        if variables.iter().all(|name| app.env.get(name).is_none()) {
            vars.insert((*first).to_owned(), key.expose().to_owned());
        }
    }
    Ok(vars.into_iter().collect())
}

/// A script or a cassette is a file below the working folder.
fn in_folder(app: &App, reference: ModelRef) -> ModelRef {
    if !matches!(reference.provider.as_str(), "script" | "cassette") {
        return reference;
    }
    let file = reference.model.as_deref().unwrap_or_default();
    let path = app.env.cwd().join(file).display().to_string();
    ModelRef { model: Some(path), ..reference }
}

const fn limits(network: &Network) -> ModelLimits {
    ModelLimits {
        connect: network.connect_timeout,
        first_byte: network.first_byte_timeout,
        idle: network.idle_timeout,
        attempts: network.attempts,
    }
}
