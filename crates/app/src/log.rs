//! Diagnostics on standard error, only where `TAGLINE_LOG` asks for them.

use tracing_subscriber::EnvFilter;

use crate::{env::Env, exit::Exit, output::fail};

/// Starts logging, if it is asked for.
pub(crate) fn start(env: &Env) -> Result<(), Exit> {
    let Some(wanted) = env.get("TAGLINE_LOG") else { return Ok(()) };
    let filter = EnvFilter::try_new(wanted).map_err(|error| {
        fail(Exit::Setup, format_args!("environment TAGLINE_LOG: {error}; mend or unset it"))
    })?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    Ok(())
}
