//! The command line: verbs, flags, and one variable per flag.

mod args;
mod settings;
mod vars;

use clap::{
    Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

pub(crate) use self::args::{Format, OutputArgs, RunArgs, ServerArgs, TurnArgs};
use crate::{
    config, demo,
    env::Env,
    exit::Exit,
    output::fail,
    parse, serve,
    terminal::{Color, Wish},
    verbs::{
        audit, completion, doctor, init, keys, man, models, profiles, prompt, replay, rules,
        sessions, settings as config_verb, stats, token, tools, undo,
    },
};

/// Runs models that write their tool calls inline, as XML tags.
#[derive(Debug, Parser)]
#[command(
    name = "tagline",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 unreachable, 5 refused, \
                  6 limit, 7 protocol, 8 problems found, 9 needs a human."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Flags of every verb.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Work in this folder.
    #[arg(short = 'C', long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub(crate) directory: Option<std::path::PathBuf>,
    /// Read this file instead of the user's configuration.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    pub(crate) config: Option<std::path::PathBuf>,
    /// Use the settings of `[profiles.NAME]`.
    #[arg(long, global = true, value_name = "NAME", help_heading = "Everywhere")]
    pub(crate) profile: Option<String>,
    /// Set a setting for this run, such as `limits.max_passes=5`.
    #[arg(long, global = true, value_name = "KEY=VALUE", help_heading = "Everywhere")]
    pub(crate) set: Vec<String>,
    /// Refuse unknown keys in the configuration.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) strict_config: bool,
    /// When to color.
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Everywhere"
    )]
    pub(crate) color: Color,
    /// Write nothing but ASCII of our own.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) ascii: bool,
    /// One line per event: no redrawing, no glyphs.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) screen_reader: bool,
    /// Write what a turn did, and how long each part took, into this file as JSON lines.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    pub(crate) trace_file: Option<std::path::PathBuf>,
    /// Print the answer alone.
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,
    /// Show more; twice, still more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Everywhere")]
    pub(crate) verbose: u8,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Do a task and end.
    Run(RunArgs),
    /// Talk with the model.
    Chat(TurnArgs),
    /// Serve sessions over HTTP, on this machine alone.
    Serve(serve::Args),
    /// Read model text, write its calls.
    Parse(parse::Args),
    /// Show, check and call the tools.
    Tools(tools::Args),
    /// Show the rules, and what they make of a call.
    Rules(rules::Args),
    /// Show what the model is told.
    Prompt(prompt::Args),
    /// List the models that were found.
    Models(models::Args),
    /// Check this installation.
    Doctor(doctor::Args),
    /// Watch a task being done, without a key and without a network.
    Demo(demo::Args),
    /// Print a session as it was shown.
    Replay(replay::Args),
    /// List, show, find, move and remove sessions.
    Sessions(sessions::Args),
    /// Bring back what calls changed.
    Undo(undo::Args),
    /// Show what a turn changed.
    Diff(undo::DiffArgs),
    /// Count tokens, money and calls by day and model.
    Stats(stats::Args),
    /// List, create and delete profiles.
    Profiles(profiles::Args),
    /// Show or replace the token of the server.
    Token(token::Args),
    /// List decisions and effects, and check that nobody changed them.
    Audit(audit::Args),
    /// Say which model is asked, and who the assistant is.
    Init(init::Args),
    /// Keep, list and forget keys of providers.
    Keys(keys::Args),
    /// Write completions for a shell.
    Completion(completion::Args),
    /// Write a manual page.
    Man(man::Args),
    /// Show and trust settings.
    Config(config_verb::Args),
}

/// A command line, understood.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) cli: Cli,
    /// The flags that are settings.
    pub(crate) settings: Vec<(String, String)>,
}

/// The whole command, as help, completions and manual pages have it.
pub(crate) fn command() -> clap::Command {
    settings::attach(Cli::command())
}

/// Understands the command line. Help, versions and mistakes are printed here.
pub(crate) fn read(
    env: &Env,
    args: impl Iterator<Item = std::ffi::OsString>,
) -> Result<Asked, Exit> {
    let choice = if Wish::default().colors(env, is_terminal()) {
        clap::ColorChoice::Always
    } else {
        clap::ColorChoice::Never
    };
    let args: Vec<_> = args.collect();
    // Mistakes are told below, with the variables' defaults in place.
    let given = command().ignore_errors(true).try_get_matches_from(&args).ok();
    let command = vars::apply(command(), env, given.as_ref())?.color(choice);
    let matches = command.try_get_matches_from(args).map_err(|error| refuse(&error))?;
    let settings = settings::given(&matches);
    let cli = Cli::from_arg_matches(&matches).map_err(|error| refuse(&error))?;
    Ok(Asked { cli, settings })
}

fn is_terminal() -> bool {
    use std::io::IsTerminal as _;
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}

fn refuse(error: &clap::Error) -> Exit {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return unknown_verb(error);
    }
    match error.print() {
        Err(cut) if cut.kind() == std::io::ErrorKind::BrokenPipe => Exit::ReaderGone,
        _ if error.use_stderr() => Exit::Usage,
        _ => Exit::Done,
    }
}

/// A stray word is never taken for a task.
fn unknown_verb(error: &clap::Error) -> Exit {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => word.clone(),
        Some(_) | None => String::new(),
    };
    let command = command();
    let verbs = command.get_subcommands().flat_map(|verb| {
        let inner = verb.get_subcommands().map(clap::Command::get_name);
        std::iter::once(verb.get_name()).chain(inner)
    });
    let near = nearest(&word, verbs).map(|verb| format!("; did you mean `{verb}`?"));
    let hint = near.unwrap_or_else(|| "; `tagline --help` lists the verbs".to_owned());
    fail(Exit::Usage, format_args!("there is no verb `{word}`{hint}"))
}

/// The name that is at most two slips away, if one is.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let slips = |name| strsim::damerau_levenshtein(word, name);
    let best = names.min_by_key(|name| slips(name))?;
    (slips(best) <= 2 && slips(best) < best.len()).then_some(best)
}

impl Asked {
    /// What the command line says about the configuration.
    pub(crate) fn request(&self) -> config::Request {
        let global = &self.cli.global;
        config::Request {
            file: global.config.clone(),
            profile: global.profile.clone(),
            sets: global.set.clone(),
            flags: self.settings.clone(),
            is_strict: global.strict_config,
        }
    }

    /// What the command line says about the terminal.
    pub(crate) fn wish(&self) -> Wish {
        let Global { color, ascii, screen_reader, .. } = self.cli.global;
        Wish { color, ascii, screen_reader }
    }
}
