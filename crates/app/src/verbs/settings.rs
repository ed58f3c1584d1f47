//! `tagline config`: shows the settings in force, and trusts a project's.

use clap::Subcommand;

use crate::{
    app::App,
    config::{self, Config, Origins},
    exit::Exit,
    output::{fail, note, print, print_json},
};

/// `tagline config`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print every setting that has a value, as TOML.
    Show {
        /// Print behind each where it was set: file and line, variable or flag.
        #[arg(long)]
        origin: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Trust this project's `.tagline/config.toml` as it is now.
    Trust,
    /// Print where the files are.
    Path,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    match args.what {
        What::Show { json: true, .. } => show_json(&app.config()?)?,
        What::Show { origin, .. } => {
            let origins = if origin { Origins::Shown } else { Origins::Hidden };
            print(&config::show(&app.config()?, origins))?;
        }
        What::Trust => trust(app)?,
        What::Path => path(app)?,
    }
    Ok(Exit::Done)
}

fn show_json(config: &Config) -> Result<(), Exit> {
    let settings = config.entries.iter().map(|entry| {
        let is_locked = config.locked.contains(&entry.key.name);
        let value = serde_json::json!({
            "value": entry.value, "origin": entry.origin.to_string(), "locked": is_locked,
        });
        (entry.key.name.to_owned(), value)
    });
    print_json(&settings.collect::<serde_json::Map<_, _>>())
}

fn trust(app: &App) -> Result<(), Exit> {
    let Some(project) = app.config()?.project else {
        let message = "config trust: expected `.tagline/config.toml` in this folder or above it, \
                       up to the repository's root, but found none";
        return Err(fail(Exit::Setup, message));
    };
    let path = project.path.display();
    note(format_args!("{path}:\n{}", project.text.trim_end()));
    config::trust(&app.paths()?, &project.path, &project.text)
        .map_err(|error| fail(Exit::Setup, format_args!("config trust: {error}")))?;
    let digest = config::digest(&project.text);
    note(format_args!("trusted as it is now (SHA-256 {digest}); a change asks again"));
    Ok(())
}

fn path(app: &App) -> Result<(), Exit> {
    let paths = app.paths()?;
    let rows = [
        ("config", paths.config.join("config.toml")),
        ("journal", paths.journal()),
        ("state", paths.state),
        ("cache", paths.cache),
    ];
    let lines = rows.iter().map(|(name, path)| format!("{name:<8} {}\n", path.display()));
    print(&lines.collect::<String>())
}
