//! `tagline profiles`: names under which settings, sessions and a token stand by themselves.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Write as _,
};

use clap::Subcommand;
use tagline_protocol::system_words;
use tagline_store::{Journal as _, SqliteJournal};

use crate::{
    app::App,
    config,
    exit::Exit,
    journal::{open_whole, refuse},
    output::{fail, note, print, print_json},
    screen::count,
    serve::{Standing, standing, token_folder},
};

/// `tagline profiles`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List them, with what each has.
    List {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Add one to the user's configuration; its settings go below `[profiles.NAME]`.
    Create {
        /// Letters, digits, `-` and `_`.
        name: String,
    },
    /// Remove its sessions, its token and its settings. This cannot be undone.
    Delete {
        /// Its name.
        name: String,
        /// Do it; without this, what would be removed is said.
        #[arg(long)]
        yes: bool,
    },
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    match args.what {
        What::List { json } => list(app, json)?,
        What::Create { name } => create(app, &name)?,
        What::Delete { name, yes } => delete(app, &name, yes)?,
    }
    Ok(Exit::Done)
}

fn list(app: &App, json: bool) -> Result<(), Exit> {
    let known = config::profiles(&app.env, &app.paths()?, &app.request)
        .map_err(|error| fail(error.exit(), error))?;
    let used = match open_whole(app)? {
        None => Vec::new(),
        Some(journal) => {
            let all = App::runtime()?.block_on(journal.sessions());
            all.map_err(|error| refuse(&error))?.into_iter().map(|info| info.profile).collect()
        }
    };
    let names: BTreeSet<&String> = known.iter().chain(&used).collect();
    let default = "default".to_owned();
    let names: BTreeSet<&String> = names.into_iter().chain([&default]).collect();
    for name in names {
        let n = used.iter().filter(|used| *used == name).count() as u64;
        let (is_active, is_set) = (name == app.profile(), known.contains(name));
        if json {
            print_json(&serde_json::json!({
                "name": name, "sessions": n, "is_configured": is_set, "is_active": is_active,
            }))?;
        } else {
            let mark = if is_active { "*" } else { " " };
            let sessions = count(n, "session", "sessions");
            print(&format!("{mark} {name:<16} {sessions}\n"))?;
        }
    }
    Ok(())
}

/// The file only grows, so nothing that stands in it can be lost.
fn create(app: &App, name: &str) -> Result<(), Exit> {
    let paths = app.paths()?;
    token_folder(&paths, name)?;
    let known = config::profiles(&app.env, &paths, &app.request)
        .map_err(|error| fail(error.exit(), error))?;
    if name == "default" || known.iter().any(|known| known == name) {
        return Err(fail(Exit::Usage, format_args!("profile `{name}` exists already")));
    }
    let path = paths.config.join("config.toml");
    let before = fs::read_to_string(&path).unwrap_or_default();
    let gap = match before.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let write = || {
        fs::create_dir_all(&paths.config)?;
        let mut file = File::options().append(true).create(true).open(&path)?;
        file.write_all(format!("{gap}[profiles.{name}]\n").as_bytes())?;
        file.sync_all()
    };
    write().map_err(|error| {
        fail(Exit::Setup, format_args!("{}: {}", path.display(), system_words(&error)))
    })?;
    if !app.is_quiet {
        note(format_args!("its settings go below `[profiles.{name}]` in {}", path.display()));
        note(format_args!("use it with `--profile {name}`"));
    }
    Ok(())
}

fn delete(app: &App, name: &str, yes: bool) -> Result<(), Exit> {
    let paths = app.paths()?;
    let token = token_folder(&paths, name)?;
    if name == "default" {
        return Err(fail(
            Exit::Usage,
            "the profile `default` always exists; delete its sessions with `tagline sessions delete`",
        ));
    }
    if let Standing::Owned(_) = standing(&paths) {
        return Err(fail(Exit::Setup, "a server has the sessions of this folder; stop it first"));
    }
    let journal = open_whole(app)?.map(|journal| journal.of(name));
    let runtime = App::runtime()?;
    let sessions = match &journal {
        None => Vec::new(),
        Some(journal) => runtime.block_on(journal.sessions()).map_err(|error| refuse(&error))?,
    };
    let n = count(sessions.len() as u64, "session", "sessions");
    if !yes {
        let words =
            format!("profile `{name}` has {n}; `--yes` removes them, its token and its settings");
        return Err(fail(Exit::NeedsHuman, words));
    }
    if let Some(journal) = &journal {
        let ids = sessions.iter().map(|info| info.id.as_str());
        runtime.block_on(remove(journal, ids))?;
    }
    // What cannot be removed was most likely never made.
    let _ = fs::remove_dir_all(token);
    let is_left = take_out(app, name)?;
    if !app.is_quiet {
        note(format_args!("removed profile `{name}` with {n}"));
        if is_left {
            note("what the configuration says of it in another form than `[profiles.NAME]` stays");
        }
    }
    Ok(())
}

async fn remove(journal: &SqliteJournal, ids: impl Iterator<Item = &str>) -> Result<(), Exit> {
    for id in ids {
        journal.delete(id).await.map_err(|error| refuse(&error))?;
    }
    Ok(())
}

/// Takes its table out of the user's file, of which a copy is kept. Whether something is left.
fn take_out(app: &App, name: &str) -> Result<bool, Exit> {
    let paths = app.paths()?;
    let path = paths.config.join("config.toml");
    let Ok(before) = fs::read_to_string(&path) else { return Ok(false) };
    let after = without(&before, name);
    if after != before {
        let (kept, new) = (path.with_extension("toml.before"), path.with_extension("toml.new"));
        let write = || {
            fs::copy(&path, &kept)?;
            let mut file = File::create(&new)?;
            file.write_all(after.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        write().map_err(|error| {
            fail(Exit::Setup, format_args!("{}: {}", path.display(), system_words(&error)))
        })?;
    }
    let known = config::profiles(&app.env, &paths, &app.request)
        .map_err(|error| fail(error.exit(), error))?;
    Ok(known.iter().any(|known| known == name))
}

/// The text without the tables of the profile.
fn without(text: &str, name: &str) -> String {
    let (own, below) = (format!("[profiles.{name}]"), format!("[profiles.{name}."));
    let mut is_inside = false;
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with('[') {
            is_inside = start.starts_with(&own) || start.starts_with(&below);
        }
        if !is_inside {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_one_profile_are_taken_out_and_nothing_else() {
        let text = "mode = \"ask\"\n\n[profiles.a]\nmode = \"plan\"\n[profiles.a.limits]\nmax_calls = 1\n[profiles.ab]\n[limits]\n";
        assert_eq!(without(text, "a"), "mode = \"ask\"\n\n[profiles.ab]\n[limits]\n");
        assert_eq!(without(text, "c"), text);
    }
}
