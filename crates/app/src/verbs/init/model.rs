//! Which providers there are, keys for more, and the model that is asked.

use tagline_server::{IfUnreachable, KeyKept, ProviderRow, ProviderStanding, SetupProblem};

use super::{ask::Ask, told};
use crate::{
    app::App,
    exit::Exit,
    output::{fail, note},
    screen::clean,
    setup,
};

/// Most models that are listed; the others are named.
const SHOWN: usize = 20;

/// Looks for providers, and keeps keys until none is given.
pub(super) fn keys(app: &App, ask: &mut Ask) -> Result<(), Exit> {
    note("Models: looking for keys and for servers on this machine.");
    for row in look(app)?.iter().filter(|row| is_there(row)) {
        note(format_args!("  {:<12} {}", row.name, standing(row)));
    }
    loop {
        note("\nKey: the name of a provider to enter its key, such as `openai`; Enter goes on.");
        let Some(provider) = ask.line()? else { return Ok(()) };
        key(app, ask, &provider)?;
    }
}

fn look(app: &App) -> Result<Vec<ProviderRow>, Exit> {
    let rows = App::runtime()?.block_on(setup::providers(app));
    rows.map_err(|problem| fail(Exit::Setup, problem))
}

/// Asks for a key until one is taken, or none is typed.
fn key(app: &App, ask: &mut Ask, provider: &str) -> Result<(), Exit> {
    if let Err(problem) = setup::takes_key(provider) {
        note(problem);
        return Ok(());
    }
    note(format_args!("The key of `{provider}`, which is not shown; Enter leaves it."));
    while let Some(key) = ask.secret()? {
        note("Trying it.");
        let mut kept = keep(app, provider, &key, IfUnreachable::Refuse)?;
        if let Err(SetupProblem::Unreachable(_)) = &kept {
            note(kept.as_ref().err().map(ToString::to_string).unwrap_or_default());
            note("Keep it all the same? y or Enter");
            if !ask.yes()? {
                return Ok(());
            }
            kept = keep(app, provider, &key, IfUnreachable::Keep)?;
        }
        match kept {
            Ok(kept) => {
                say(&kept);
                return Ok(());
            }
            Err(problem) => note(format_args!("{problem}; try again, or press Enter")),
        }
    }
    Ok(())
}

fn keep(
    app: &App,
    provider: &str,
    key: &tagline_secret::Secret,
    unreachable: IfUnreachable,
) -> Result<Result<KeyKept, SetupProblem>, Exit> {
    Ok(App::runtime()?.block_on(setup::keep_key(app, provider, key, unreachable)))
}

fn say(kept: &KeyKept) {
    note(format_args!("kept: {} {}", kept.provider.name, standing(&kept.provider)));
    kept.notes.iter().for_each(|words| note(format_args!("  {words}")));
}

/// The model that is asked, by its number in the list or by its name.
pub(super) fn choose(app: &App, ask: &mut Ask) -> Result<(), Exit> {
    let rows = look(app)?;
    let models: Vec<&String> = rows.iter().flat_map(|row| &row.models).collect();
    note("\nModel: a number of the list or a name such as `ollama/qwen3:8b`.");
    for (n, model) in models.iter().take(SHOWN).enumerate() {
        note(format_args!("  {:>2}  {}", n + 1, clean(model)));
    }
    if let Some(more) = models.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        note(format_args!("      and {more} more: `tagline models`"));
    }
    match app.config()?.settings().model {
        Some(now) => note(format_args!("Enter leaves it at `{}`.", clean(&now))),
        None => note("Enter takes the first that is found, each time."),
    }
    while let Some(text) = ask.line()? {
        let listed = text.parse().ok().and_then(|n: usize| models.get(n.checked_sub(1)?));
        let name = listed.map_or(text.as_str(), |model| model.as_str());
        match setup::set(app, "model", Some(name)) {
            Ok(kept) => {
                told(&kept);
                return Ok(());
            }
            Err(problem) => note(format_args!("{problem}; try again, or press Enter")),
        }
    }
    Ok(())
}

/// Those that answer, or that somebody meant to.
fn is_there(row: &ProviderRow) -> bool {
    row.key.is_some() || matches!(row.state, ProviderStanding::Ready | ProviderStanding::Unproven)
}

/// How it is, in words.
fn standing(row: &ProviderRow) -> String {
    let n = row.models.len();
    let models = if n == 1 { "1 model".to_owned() } else { format!("{n} models") };
    match (row.state, &row.message) {
        (ProviderStanding::Ready, _) if row.is_server => format!("runs, {models}"),
        (ProviderStanding::Ready, _) => format!("takes the key, {models}"),
        (_, Some(message)) => clean(message),
        (ProviderStanding::Unproven, None) => "answers, but the key was not tried".to_owned(),
        (ProviderStanding::KeyRefused, None) => "does not take the key".to_owned(),
        (ProviderStanding::Unreachable, None) => "does not answer".to_owned(),
        (ProviderStanding::NoKey, None) => "has no key".to_owned(),
        (ProviderStanding::NoAddress, None) => "has no address".to_owned(),
    }
}
