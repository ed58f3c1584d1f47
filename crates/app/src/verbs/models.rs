//! `tagline models`: which models were found, and which one would be asked.

use serde_json::json;
use tagline_model::{DETECT_PATIENCE, Found, FoundBy, ModelRef, detect};

use crate::{
    app::App,
    config::{Config, Origin, Value},
    exit::Exit,
    output::{fail, note, print, print_json},
    screen::clean,
    trouble::Trouble,
    wiring::model_env,
};

/// `tagline models`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the verb: the first line is the model that would be asked.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let config = app.config()?;
    let found = App::runtime()?.block_on(find(app, &config))?;
    if found.is_empty() {
        let looked = "no model was found; set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, \
                      start a local server (Ollama, LM Studio, llama.cpp, vLLM), or name one with \
                      `--model`";
        return Err(fail(Exit::Setup, looked));
    }
    if args.json {
        found.iter().try_for_each(|found| print_json(&as_json(found)))?;
        return Ok(Exit::Done);
    }
    let width = found.iter().map(|found| name(found).chars().count()).max().unwrap_or(0);
    found.iter().try_for_each(|found| print(&row(found, width)))?;
    if !app.is_quiet {
        note("the first one is asked; `--model` names another");
    }
    Ok(Exit::Done)
}

/// Everything that can be asked, the one to take first.
pub(crate) async fn find(app: &App, config: &Config) -> Result<Vec<Found>, Trouble> {
    let (flag, file) = named(config)?;
    Ok(detect(flag.as_ref(), file.as_ref(), &model_env(app)?, DETECT_PATIENCE).await)
}

/// The model of this run, and the model of the files.
fn named(config: &Config) -> Result<(Option<ModelRef>, Option<ModelRef>), Trouble> {
    let entry = config.entries.iter().find(|entry| entry.key.name == "model");
    let Some((Value::Text(name), origin)) = entry.map(|entry| (&entry.value, &entry.origin)) else {
        return Ok((None, None));
    };
    let model = ModelRef::parse(name).map_err(|error| Trouble::new(Exit::Setup, error))?;
    Ok(match origin {
        Origin::Flag(_) | Origin::Variable(_) => (Some(model), None),
        Origin::File { .. } | Origin::BuiltIn => (None, Some(model)),
    })
}

fn name(found: &Found) -> String {
    clean(&found.model.to_string())
}

fn by(found: &Found) -> &'static str {
    match found.by {
        FoundBy::Flag => "flag",
        FoundBy::Config => "configuration",
        FoundBy::Key(variable) => variable,
        FoundBy::Server => "server",
    }
}

fn row(found: &Found, width: usize) -> String {
    let mut row = format!("{:<width$}  {:<18} {}", name(found), by(found), found.address);
    if found.takes_grammar {
        row += "  takes a grammar";
    }
    row = row.trim_end().to_owned() + "\n";
    // The first of a server's models is the one in the row.
    for model in found.models.iter().skip(1) {
        row += &format!("  also {}\n", clean(&model.name));
    }
    row
}

fn as_json(found: &Found) -> serde_json::Value {
    let models = found.models.iter().map(|model| {
        json!({
            "name": model.name, "context_tokens": model.context_tokens, "parameters": model.parameters,
            "takes_images": model.takes_images,
        })
    });
    json!({
        "model": found.model.to_string(), "found_by": by(found), "address": found.address,
        "takes_grammar": found.takes_grammar, "models": models.collect::<Vec<_>>(),
    })
}
