//! Working at a server that has the folder: the same output and the same exit codes as alone.
//!
//! A run attaches where nothing about it is its own: the server works with its settings, so what
//! names other ones works beside it, in a session of its own.

mod asks;
mod door;
mod ends;
mod events;
mod patience;
mod turn;

use std::time::Duration;

pub(crate) use self::{
    door::Door,
    turn::{Seat, part},
};
use crate::{
    app::App,
    cli::{ServerArgs, TurnArgs},
    config::{Config, setting_vars},
    exit::Exit,
    output::note,
    serve::{Notice, Standing, standing},
    trouble::Trouble,
};

/// Where the work is done.
#[derive(Debug)]
pub(crate) enum Way {
    /// In this process.
    Alone,
    /// At a server.
    Attached(Door),
}

/// Where the work of this command line is done; `own` is something about it that no server can be
/// told, if there is such a thing.
///
/// # Errors
///
/// Where a server is named that cannot do it, or a session is that another process works on.
pub(crate) fn way(
    app: &App,
    config: &Config,
    args: &TurnArgs,
    own: Option<&str>,
) -> Result<Way, Trouble> {
    let own = own.map(str::to_owned).or_else(|| own_of_turn(app, args));
    if let Some(url) = &args.server.server {
        return match own {
            None => Door::remote(app, url).map(Way::Attached),
            Some(own) => Err(Trouble::new(Exit::Usage, unfit(&own))),
        };
    }
    let Some(notice) = served(app)? else { return Ok(Way::Alone) };
    let own = own.or_else(|| differs(app, config, &notice));
    let is_alone = args.server.no_server;
    match own {
        None if !is_alone => Door::local(app, &notice).map(Way::Attached),
        own => beside(app, args, own).map(|()| Way::Alone),
    }
}

/// The server of a verb that only looks at sessions.
pub(crate) fn for_sessions(app: &App, args: &ServerArgs) -> Result<Option<Found>, Trouble> {
    if let Some(url) = &args.server {
        return Ok(Some(Found { door: Door::remote(app, url)?, is_elsewhere: true }));
    }
    let notice = if args.no_server { None } else { served(app)? };
    let Some(notice) = notice.filter(|notice| notice.profile == app.profile()) else {
        return Ok(None);
    };
    Ok(Some(Found { door: Door::local(app, &notice)?, is_elsewhere: notice.is_shared }))
}

/// A server that was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) door: Door,
    /// Its sessions are not in the file of this folder.
    pub(crate) is_elsewhere: bool,
}

/// How long a server that starts is waited for.
const PATIENCE: Duration = Duration::from_millis(50);
const TRIES: u32 = 100;

/// Who serves this folder, once it answers.
fn served(app: &App) -> Result<Option<Notice>, Trouble> {
    let paths = app.paths()?;
    for _ in 0..TRIES {
        match standing(&paths) {
            Standing::Free => return Ok(None),
            Standing::Owned(Some(notice)) if notice.url.is_some() => return Ok(Some(notice)),
            Standing::Owned(_) => std::thread::sleep(PATIENCE),
        }
    }
    let words = "the server of this folder is starting or ending and does not answer; try again";
    Err(Trouble::new(Exit::Unreachable, words))
}

/// What of the command line is its own.
fn own_of_turn(app: &App, args: &TurnArgs) -> Option<String> {
    let request = &app.request;
    let flag = request.flags.first().map(|(flag, _)| format!("--{flag}"));
    let set = request.sets.first().map(|set| format!("--set {set}"));
    let file = request.file.as_ref().map(|_| "--config".to_owned());
    let ephemeral = args.ephemeral.then(|| "--ephemeral".to_owned());
    let trace = app.is_traced.then(|| "--trace-file".to_owned());
    // A request of the server's size holds no images.
    let image = (!args.images.is_empty()).then(|| "--image".to_owned());
    flag.or(set).or(file).or(ephemeral).or(trace).or(image)
}

/// What of the environment or the profile is not the server's.
fn differs(app: &App, config: &Config, notice: &Notice) -> Option<String> {
    if config.profile != notice.profile {
        return Some(format!("the profile `{}`", config.profile));
    }
    let ours = setting_vars(&app.env);
    let other = ours.iter().find(|(name, text)| notice.vars.get(*name) != Some(text));
    other.map(|(name, _)| format!("the setting `{name}` of the environment"))
}

fn unfit(own: &str) -> String {
    format!("--server: the server works with its own settings, but this names {own}; leave it out")
}

/// Works beside the server, which is fine in a session that it does not know.
fn beside(app: &App, args: &TurnArgs, own: Option<String>) -> Result<(), Trouble> {
    let why = own.map_or_else(|| "of `--no-server`".to_owned(), |own| format!("{own} is its own"));
    if args.goes_on() {
        let words = format!(
            "a server has the sessions of this folder, and this would work beside it, because {why}; \
             leave that out, copy the session with `--fork`, or stop the server"
        );
        return Err(Trouble::new(Exit::Usage, words));
    }
    if !app.is_quiet && !args.server.no_server {
        note(format_args!("working beside the server of this folder, because {why}"));
    }
    Ok(())
}
