//! `tagline config`: shows the settings in force, and trusts a project's.

use std::path::PathBuf;

use clap::Subcommand;

use tagline_protocol::system_words;

use crate::{
    app::App,
    config::{self, Origins},
    exit::Exit,
    output::{fail, note, print, print_json},
    screen::clean_lines,
    wiring,
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
    /// Trust this project's `.tagline/config.toml` and `AGENTS.md` as they are now.
    Trust,
    /// Take your settings as they are now, although they lost what took rights away.
    Accept,
    /// Print where the files are.
    Path,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    match args.what {
        What::Show { json: true, .. } => print_json(&config::as_json(&app.config()?))?,
        What::Show { origin, .. } => {
            let origins = if origin { Origins::Shown } else { Origins::Hidden };
            print(&config::show(&app.config()?, origins))?;
        }
        What::Trust => trust(app)?,
        What::Accept => accept(app)?,
        What::Path => path(app)?,
    }
    Ok(Exit::Done)
}

/// Shows what would be trusted, in full, and trusts it.
fn trust(app: &App) -> Result<(), Exit> {
    let mut files: Vec<(PathBuf, String)> =
        app.config()?.project.into_iter().map(|project| (project.path, project.text)).collect();
    for path in wiring::project_files(app) {
        let text = config::read(&path).map_err(|error| fail(error.exit(), error))?;
        files.extend(text.map(|text| (path, text)));
    }
    if files.is_empty() {
        let message = "config trust: expected `.tagline/config.toml` or `AGENTS.md` in this folder \
                       or above it, up to the repository's root, but found none";
        return Err(fail(Exit::Setup, message));
    }
    for (path, text) in files {
        note(format_args!("{}:\n{}", path.display(), clean_lines(text.trim_end())));
        config::trust(&app.paths()?, &path, &text).map_err(|error| {
            fail(Exit::Setup, format_args!("config trust: {}", system_words(&error)))
        })?;
        let digest = config::digest(&text);
        note(format_args!("trusted as it is now (SHA-256 {digest}); a change asks again"));
    }
    Ok(())
}

fn accept(app: &App) -> Result<(), Exit> {
    let paths = app.paths()?;
    let path = config::user_file(&app.env, &paths, &app.request);
    let text = config::read(&path).map_err(|error| fail(error.exit(), error))?;
    let text = text.unwrap_or_default();
    config::accept(&paths, &path, &text).map_err(|error| {
        fail(Exit::Setup, format_args!("config accept: {}", system_words(&error)))
    })?;
    note(format_args!("{}: taken as it is now, {} bytes", path.display(), text.len()));
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
