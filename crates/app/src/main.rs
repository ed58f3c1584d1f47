//! The binary `tagline`: configuration, wiring, command line.
//!
//! `main` reads the environment and the command line; a verb reads everything else when it needs
//! it, so that `tagline --version` and `tagline parse` start at once. Before all that it may be asked to
//! become a command: this program is also the helper by which it starts commands.

mod app;
mod approver;
mod attach;
mod beside;
mod changes;
mod chat;
mod cli;
mod config;
mod demo;
mod env;
mod exit;
mod journal;
mod keys;
mod log;
mod output;
mod parse;
mod paths;
mod quiet;
mod run;
mod screen;
mod serve;
mod setup;
mod signals;
mod terminal;
mod trouble;
mod verbs;
mod wiring;

use std::process::{ExitCode, Termination as _};

use app::App;
use cli::Verb;
use exit::Exit;
use tagline_tools::commands::helper;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(code) = helper::serve(std::env::args_os()) {
        return code;
    }
    begin().map_or_else(|exit| exit, |()| Exit::Done).report()
}

fn begin() -> Result<(), Exit> {
    let env = env::Env::read();
    let asked = cli::read(&env, std::env::args_os())?;
    let redactor = keys::held(&env);
    output::cover(&redactor);
    quiet::prepare();
    let logging = log::start(&env, asked.cli.global.trace_file.as_deref())?;
    let app = App::new(env, &asked, redactor)?;
    let exit = act(&app, asked.cli.verb);
    logging.finish();
    let exit = exit?;
    if exit == Exit::Done { Ok(()) } else { Err(exit) }
}

/// Does what the verb asks for.
fn act(app: &App, verb: Verb) -> Result<Exit, Exit> {
    Ok(match verb {
        Verb::Run(args) => run::run(app, args),
        Verb::Serve(args) => serve::run(app, &args),
        Verb::Chat(args) => chat::run(app, args),
        Verb::Parse(args) => parse::run(args),
        Verb::Demo(args) => demo::run(app, args),
        Verb::Tools(args) => verbs::tools::run(app, args)?,
        Verb::Rules(args) => verbs::rules::run(app, args)?,
        Verb::Prompt(args) => verbs::prompt::run(app, args)?,
        Verb::Models(args) => verbs::models::run(app, args)?,
        Verb::Doctor(args) => verbs::doctor::run(app, args)?,
        Verb::Replay(args) => verbs::replay::run(app, args)?,
        Verb::Undo(args) => verbs::undo::run(app, args)?,
        Verb::Diff(args) => verbs::undo::diff(app, args)?,
        Verb::Stats(args) => verbs::stats::run(app, args)?,
        Verb::Sessions(args) => verbs::sessions::run(app, args)?,
        Verb::Profiles(args) => verbs::profiles::run(app, args)?,
        Verb::Token(args) => verbs::token::run(app, &args)?,
        Verb::Audit(args) => verbs::audit::run(app, args)?,
        Verb::Init(args) => verbs::init::run(app, &args)?,
        Verb::Keys(args) => verbs::keys::run(app, args)?,
        Verb::Completion(args) => verbs::completion::run(&args)?,
        Verb::Man(args) => verbs::man::run(&args)?,
        Verb::Config(args) => verbs::settings::run(app, args)?,
    })
}
