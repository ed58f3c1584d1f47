//! One variable per flag: `--strict-config` is `TAGLINE_STRICT_CONFIG`.
//!
//! A variable gives a flag its default, so the flag still wins. It wins over the variables of the
//! flags that it excludes, too: with `-c`, `TAGLINE_RESUME` counts for nothing. The settings have
//! variables of their own, read with the configuration, which must know where a value came from.

use clap::{Arg, ArgAction, ArgMatches, Command, parser::ValueSource};

use crate::{
    config::{KEYS, read_switch},
    env::Env,
    exit::Exit,
    output::fail,
};

/// Flags without a variable: they ask for something else than what the verb does.
const WITHOUT: [&str; 2] = ["help", "version"];

/// Takes defaults from the environment, and names each variable in the help. `given` is what the
/// command line says by itself, where this is the verb that it asks for.
pub(super) fn apply(
    command: Command,
    env: &Env,
    given: Option<&ArgMatches>,
) -> Result<Command, Exit> {
    let ids: Vec<String> =
        command.get_arguments().filter(|arg| has_variable(arg)).map(id).collect();
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let silent = given.map(|given| outdone(&command, env, given)).transpose()?.unwrap_or_default();
    let mut wrong = None;
    let mut command = ids.into_iter().fold(command, |command, id| {
        let counts = !silent.contains(&id);
        command.mut_arg(id, |arg| {
            let arg = named(arg);
            if counts { with_variable(arg, env, &mut wrong) } else { arg }
        })
    });
    if let Some(exit) = wrong {
        return Err(exit);
    }
    for name in verbs {
        let inner = command.find_subcommand(&name).cloned().unwrap_or_default();
        let inner = apply(inner, env, given.and_then(|given| given.subcommand_matches(&name)))?;
        command = command.mut_subcommand(name, |_| inner);
    }
    Ok(command)
}

/// The flags whose variables count for nothing, because a flag that was given excludes them.
///
/// # Errors
///
/// [`Exit::Setup`] where two variables exclude each other.
fn outdone(command: &Command, env: &Env, given: &ArgMatches) -> Result<Vec<String>, Exit> {
    let is_given =
        |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let is_set = |arg: &Arg| has_variable(arg) && !is_given(arg) && sets(arg, env);
    let mut silent = Vec::new();
    for (one, other) in exclusive(command) {
        let pair = [(one, other), (other, one)];
        silent.extend(pair.iter().filter(|(flag, _)| is_given(flag)).map(|(_, loser)| id(loser)));
    }
    let counts = |arg: &Arg| is_set(arg) && !silent.contains(&id(arg));
    match exclusive(command).find(|(one, other)| counts(one) && counts(other)) {
        None => Ok(silent),
        Some((one, other)) => {
            let (one, other) = (variable(one), variable(other));
            let found =
                format!("expected one of the two, but found {other} set as well; unset one");
            Err(fail(Exit::Setup, format_args!("environment {one}: {found}")))
        }
    }
}

/// The pairs of flags that exclude each other, each at least once.
fn exclusive(command: &Command) -> impl Iterator<Item = (&Arg, &Arg)> {
    command.get_arguments().flat_map(|arg| {
        command.get_arg_conflicts_with(arg).into_iter().map(move |other| (arg, other))
    })
}

/// Whether the flag's variable asks for something. One that does not fit does: it is refused later.
fn sets(arg: &Arg, env: &Env) -> bool {
    let text = env.get(&variable(arg));
    text.is_some_and(|text| arg.get_action().takes_values() || read_switch(text) != Some(false))
}

fn id(arg: &Arg) -> String {
    arg.get_id().to_string()
}

fn has_variable(arg: &Arg) -> bool {
    let Some(long) = arg.get_long() else { return false };
    !WITHOUT.contains(&long) && !KEYS.iter().any(|key| key.flag == long)
}

fn variable(arg: &Arg) -> String {
    let long = arg.get_long().unwrap_or_default();
    format!("TAGLINE_{}", long.replace('-', "_").to_uppercase())
}

/// The flag, whose help names its variable.
fn named(arg: Arg) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let help = format!("{help} [env: {}]", variable(&arg));
    arg.help(help)
}

/// The flag with its variable's value. One that does not fit is said and noted in `wrong`.
fn with_variable(arg: Arg, env: &Env, wrong: &mut Option<Exit>) -> Arg {
    let name = variable(&arg);
    let Some(text) = env.get(&name) else { return arg };
    if arg.get_action().takes_values() {
        // Help prints defaults, and a hidden one may be a secret.
        let is_hidden = arg.is_hide_env_values_set();
        return arg.default_value(text.to_owned()).hide_default_value(is_hidden);
    }
    let is_count = matches!(arg.get_action(), ArgAction::Count);
    match read_switch(text) {
        _ if is_count && text.parse::<u8>().is_ok() => arg.default_value(text.to_owned()),
        Some(true) => arg.default_value(if is_count { "1" } else { "true" }),
        Some(false) => arg,
        None => {
            let found = format!("expected true or false, but found `{text}`; mend or unset it");
            *wrong = Some(fail(Exit::Setup, format_args!("environment {name}: {found}")));
            arg
        }
    }
}
