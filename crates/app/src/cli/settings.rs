//! The settings as flags, made from the one list of keys.

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::config::{KEYS, Key, Kind};

/// The verbs whose work the settings change.
const VERBS: [&str; 9] =
    ["run", "chat", "serve", "tools", "rules", "prompt", "models", "doctor", "config"];
/// Of these, the ones whose short help lists them.
const SHOWING: [&str; 2] = ["run", "chat"];

/// Gives the verbs that use settings a flag for each.
pub(super) fn attach(command: Command) -> Command {
    VERBS.iter().fold(command, |command, verb| {
        let is_shown = SHOWING.contains(verb);
        command.mut_subcommand(verb, |verb| {
            verb.args(KEYS.iter().map(|key| flag(key).hide_short_help(!is_shown)))
        })
    })
}

fn flag(key: &'static Key) -> Arg {
    let value_name = match key.kind {
        Kind::Text if key.name == "model" => "MODEL",
        Kind::Text | Kind::Line { .. } | Kind::Prose { .. } => "TEXT",
        Kind::File => "FILE",
        Kind::Word(_) => "WORD",
        Kind::Count { .. } | Kind::Number { .. } => "N",
        Kind::Switch => "BOOL",
        Kind::Names => "NAMES",
    };
    let action = if matches!(key.kind, Kind::Names) { ArgAction::Append } else { ArgAction::Set };
    let arg = Arg::new(key.flag).long(key.flag).value_name(value_name).action(action);
    let arg = match key.kind {
        Kind::Text if key.name == "model" => arg.short('m'),
        Kind::Switch => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        Kind::Text
        | Kind::Line { .. }
        | Kind::Prose { .. }
        | Kind::File
        | Kind::Word(_)
        | Kind::Count { .. }
        | Kind::Number { .. }
        | Kind::Names => arg,
    };
    arg.global(true).help(help(key)).help_heading("Settings")
}

fn help(key: &Key) -> String {
    let words = match key.kind {
        Kind::Word(words) => format!(": {}", words.join(", ")),
        Kind::Text
        | Kind::Line { .. }
        | Kind::Prose { .. }
        | Kind::File
        | Kind::Count { .. }
        | Kind::Number { .. }
        | Kind::Switch
        | Kind::Names => String::new(),
    };
    let default = key.default.filter(|text| !text.is_empty());
    let default = default.map(|text| format!(" [default: {text}]")).unwrap_or_default();
    let var = key.vars.first().map(|name| format!(" [env: {name}]")).unwrap_or_default();
    format!("{}{words}{default}{var}", key.doc)
}

/// The settings that were given as flags: their flags and texts.
pub(super) fn given(matches: &ArgMatches) -> Vec<(String, String)> {
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    KEYS.iter()
        .filter_map(|key| {
            let texts = innermost.try_get_many::<String>(key.flag).ok()??;
            // Names may be given together or one by one.
            let text = texts.map(String::as_str).collect::<Vec<_>>().join(",");
            Some((key.flag.to_owned(), text))
        })
        .collect()
}
