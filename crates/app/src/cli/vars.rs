//! One variable per flag: `--strict-config` is `TAGLINE_STRICT_CONFIG`.
//!
//! A variable gives a flag its default, so the flag still wins. The settings have variables of
//! their own, read with the configuration, which must know where a value came from.

use clap::{Arg, ArgAction, Command};

use crate::{
    config::{KEYS, read_switch},
    env::Env,
    exit::Exit,
    output::fail,
};

/// Flags without a variable: they ask for something else than what the verb does.
const WITHOUT: [&str; 2] = ["help", "version"];

/// Takes defaults from the environment, and names each variable in the help.
pub(super) fn apply(command: Command, env: &Env) -> Result<Command, Exit> {
    let ids: Vec<String> =
        command.get_arguments().filter(|arg| has_variable(arg)).map(id).collect();
    let verbs: Vec<String> =
        command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let mut wrong = None;
    let mut command = ids.into_iter().fold(command, |command, id| {
        command.mut_arg(id, |arg| with_variable(arg, env, &mut wrong))
    });
    if let Some(exit) = wrong {
        return Err(exit);
    }
    for name in verbs {
        let inner = command.find_subcommand(&name).cloned().unwrap_or_default();
        let inner = apply(inner, env)?;
        command = command.mut_subcommand(name, |_| inner);
    }
    Ok(command)
}

fn id(arg: &Arg) -> String {
    arg.get_id().to_string()
}

fn has_variable(arg: &Arg) -> bool {
    let Some(long) = arg.get_long() else { return false };
    !WITHOUT.contains(&long) && !KEYS.iter().any(|key| key.flag == long)
}

/// The flag with its variable. A value that does not fit is said and noted in `wrong`.
fn with_variable(arg: Arg, env: &Env, wrong: &mut Option<Exit>) -> Arg {
    let long = arg.get_long().unwrap_or_default();
    let name = format!("TAGLINE_{}", long.replace('-', "_").to_uppercase());
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let arg = arg.help(format!("{help} [env: {name}]"));
    let Some(text) = env.get(&name) else { return arg };
    if arg.get_action().takes_values() {
        return arg.default_value(text.to_owned());
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
