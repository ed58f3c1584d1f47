//! `tagline keys`: keys of providers that are kept for the user.

use std::io::{self, IsTerminal as _, Read as _, Write as _};

use clap::Subcommand;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use serde_json::json;
use tagline_model::key_variables;
use tagline_protocol::system_words;
use tagline_secret::Secret;

use crate::{
    app::App,
    cli::nearest,
    exit::Exit,
    keys::{LONGEST, Place, key_of},
    output::{fail, note, print, print_json},
};

/// `tagline keys`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Keep the key of a provider. It is read from standard input, and never shown.
    Set {
        /// Such as `openai`.
        provider: String,
        /// Keep it in the file, although there is a keyring.
        #[arg(long)]
        file: bool,
    },
    /// List which providers have a key, and from where. No key is shown.
    List {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Forget the key of a provider.
    Remove {
        /// Such as `openai`.
        provider: String,
    },
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    match args.what {
        What::Set { provider, file } => set(app, &provider, file)?,
        What::List { json } => list(app, json)?,
        What::Remove { provider } => remove(app, &provider)?,
    }
    Ok(Exit::Done)
}

fn set(app: &App, provider: &str, is_file: bool) -> Result<(), Exit> {
    let variables = variables_of(provider)?;
    let key = read(provider)?;
    let keys = app.keys()?;
    let (place, why_not) =
        keys.set(provider, &key, is_file).map_err(|error| fail(Exit::Setup, error))?;
    if app.is_quiet {
        return Ok(());
    }
    why_not.iter().for_each(|why| note(format_args!("note: {why}")));
    match place {
        Place::Keyring => note(format_args!("the key of `{provider}` is in the keyring")),
        Place::File => {
            let file = keys.path().display();
            note(format_args!("the key of `{provider}` is in `{file}`, which you alone can read"));
        }
    }
    for name in variables.iter().filter(|name| app.env.get(name).is_some()) {
        note(format_args!("warning: {name} is set, and goes before it"));
    }
    Ok(())
}

/// The key, from a pipe or from the terminal, which does not show it.
fn read(provider: &str) -> Result<Secret, Exit> {
    let text = if io::stdin().is_terminal() {
        unseen(&format!("the key of `{provider}`, which is not shown, then Enter:\n"))?
    } else {
        let mut text = String::new();
        let read = io::stdin().take(LONGEST as u64 + 1).read_to_string(&mut text);
        read.map_err(|error| {
            fail(Exit::Usage, format_args!("standard input: {}", system_words(&error)))
        })?;
        text
    };
    key_of(&text).map_err(|no_key| {
        let (least, found) = (Secret::SHORTEST, no_key.found());
        let message = format!(
            "keys set: expected one line with a key of {least} bytes or more on standard input, but found {found}"
        );
        fail(Exit::Usage, message)
    })
}

/// What Ctrl-C writes while the terminal is told to make no signal of it.
const CTRL_C: char = '\u{3}';

/// A line that the terminal does not show, from the moment at which it is asked for. It also makes no signals meanwhile, so that it is never
/// left like this.
///
/// # Errors
///
/// [`Exit::Interrupted`] by Ctrl-C, [`Exit::Failed`] with a sentence on standard error.
pub(super) fn unseen(question: &str) -> Result<String, Exit> {
    let text = quietly(question).map_err(|error| fail(Exit::Failed, system_words(&error)))?;
    if text.contains(CTRL_C) { Err(Exit::Interrupted) } else { Ok(text) }
}

fn quietly(question: &str) -> io::Result<String> {
    let input = io::stdin();
    let before = tcgetattr(&input)?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
    tcsetattr(&input, OptionalActions::Flush, &quiet)?;
    let mut line = String::new();
    let read = write!(io::stderr(), "{question}").and_then(|()| input.read_line(&mut line));
    tcsetattr(&input, OptionalActions::Flush, &before)?;
    read.map(|_| line)
}

fn list(app: &App, is_json: bool) -> Result<(), Exit> {
    let kept = app.keys()?.list().map_err(|error| fail(Exit::Setup, error))?;
    let mut rows: Vec<(String, String)> = Vec::new();
    for (provider, variables) in key_variables() {
        let set = variables.iter().find(|name| app.env.get(name).is_some());
        rows.extend(set.map(|name| (provider.to_owned(), (*name).to_owned())));
    }
    rows.extend(kept.into_iter().map(|(provider, place)| (provider, place.word().to_owned())));
    if rows.is_empty() && !is_json {
        note("no keys; `tagline keys set PROVIDER` keeps one");
        return Ok(());
    }
    let is_used =
        |n: usize| rows.iter().take(n).all(|row| rows.get(n).is_none_or(|it| it.0 != row.0));
    for (n, (provider, place)) in rows.iter().enumerate() {
        if is_json {
            print_json(&json!({ "provider": provider, "from": place, "is_used": is_used(n) }))?;
        } else {
            let hidden = if is_used(n) { "" } else { "  behind the variable" };
            print(&format!("{provider:<12} {place}{hidden}\n"))?;
        }
    }
    Ok(())
}

fn remove(app: &App, provider: &str) -> Result<(), Exit> {
    let removed = app.keys()?.remove(provider).map_err(|error| fail(Exit::Setup, error))?;
    let Some(place) = removed else {
        let message =
            format!("no key of `{provider}` is kept; `tagline keys list` shows which are");
        return Err(fail(Exit::Usage, message));
    };
    if !app.is_quiet {
        note(format_args!("the key of `{provider}` is no longer in the {}", place.word()));
    }
    Ok(())
}

/// The variables of a provider that takes a key.
fn variables_of(provider: &str) -> Result<&'static [&'static str], Exit> {
    let found = key_variables().find(|(name, _)| *name == provider);
    found.map(|(_, variables)| variables).ok_or_else(|| {
        let names: Vec<_> = key_variables().map(|(name, _)| name).collect();
        let near = nearest(provider, names.iter().copied());
        let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        let all = names.join(", ");
        fail(Exit::Usage, format_args!("keys: expected one of {all}, but found `{provider}`{near}"))
    })
}
