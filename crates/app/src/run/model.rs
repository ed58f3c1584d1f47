//! Which model is asked.

use std::sync::Arc;

use tagline_model::{
    ConnectError, DETECT_PATIENCE, Env, Model, ModelLimits, ModelRef, ProviderConfig, connect,
    detect,
};

use crate::{
    app::App,
    config::{Network, Settings},
    exit::Exit,
    output::fail,
};

/// The model that the settings name, or the first that is found.
pub(crate) async fn choose(app: &App, settings: &Settings) -> Result<Arc<dyn Model>, Exit> {
    let env = environment(app);
    let reference = match &settings.model {
        Some(name) => in_folder(app, ModelRef::parse(name).map_err(refuse)?),
        None => first(&env).await?,
    };
    let config = ProviderConfig { limits: limits(&settings.network), ..ProviderConfig::default() };
    connect(&reference, &config, &env).await.map_err(refuse)
}

/// The environment, as the model crate takes it.
pub(crate) fn environment(app: &App) -> Env {
    app.env.vars().iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

async fn first(env: &Env) -> Result<ModelRef, Exit> {
    let found = detect(None, None, env, DETECT_PATIENCE).await.into_iter().next();
    found.map(|found| found.model).ok_or_else(|| {
        let message = "no model was found: expected `--model`, a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, \
                       or a local server (Ollama, LM Studio, llama.cpp, vLLM) on its usual port; \
                       `tagline models` shows what was looked for, `tagline demo` needs none";
        fail(Exit::Setup, message)
    })
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
        first_byte: None,
        idle: network.idle_timeout,
        attempts: network.attempts,
    }
}

fn refuse(error: ConnectError) -> Exit {
    fail(if error.is_unreachable() { Exit::Unreachable } else { Exit::Setup }, error)
}
