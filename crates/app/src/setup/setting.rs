//! The settings that the page and `tagline init` write into the user's file.

use tagline_model::{ModelRef, provider_names};
use tagline_server::{SettingKept, SetupProblem};

use crate::{
    app::App,
    config::{self, Config, Key, Origin, Value, user_file},
};

/// These and no others: what gives rights is changed by hand.
const NAMES: [&str; 3] = ["model", "assistant.name", "assistant.persona"];

/// Sets one of them in the user's file, or takes it out.
///
/// # Errors
///
/// Why the file stays as it is.
pub(crate) fn set(app: &App, name: &str, text: Option<&str>) -> Result<SettingKept, SetupProblem> {
    let key = NAMES.contains(&name).then(|| config::find(name)).flatten().ok_or_else(|| {
        let known = NAMES.map(|name| format!("`{name}`")).join(", ");
        SetupProblem::NoSetting { name: name.to_owned(), known }
    })?;
    let value = text.map(|text| value(key, text)).transpose()?;
    let before = load(app)?;
    if before.locked.contains(&key.name) {
        return Err(SetupProblem::Locked(key.name.to_owned()));
    }
    let paths = app.paths().map_err(|trouble| SetupProblem::Files(trouble.message))?;
    let path = user_file(&app.env, &paths, &app.request);
    config::write(&path, &before.profile, key, value.as_ref())
        .map_err(|error| SetupProblem::Files(error.to_string()))?;
    Ok(in_force(key, &load(app)?, value.as_ref()))
}

fn load(app: &App) -> Result<Config, SetupProblem> {
    app.config().map_err(|trouble| SetupProblem::Files(trouble.message))
}

/// What counts now. Where that is something else than was meant, it is said what goes before it.
fn in_force(key: &Key, config: &Config, meant: Option<&Value>) -> SettingKept {
    let entry = config.entries.iter().find(|entry| entry.key.name == key.name);
    let value = entry.and_then(|entry| match &entry.value {
        Value::Text(text) => Some(text.clone()),
        Value::Count(_) | Value::Number(_) | Value::Switch(_) | Value::Names(_) => None,
    });
    let is_other = |entry: &&config::Entry| {
        entry.origin != Origin::BuiltIn && meant.is_none_or(|meant| *meant != entry.value)
    };
    let behind = entry.filter(is_other).map(|entry| entry.origin.to_string());
    SettingKept { name: key.name.to_owned(), value, behind }
}

fn value(key: &Key, text: &str) -> Result<Value, SetupProblem> {
    let text = text.trim();
    let unfit = |expected: String| SetupProblem::Value {
        name: key.name.to_owned(),
        expected,
        found: format!("another text, of {} characters", text.chars().count()),
    };
    if key.name == "model" && !model_fits(text) {
        let expected = "`provider/model` with a provider that there is, or an address such as \
                        `http://127.0.0.1:8080`";
        return Err(unfit(expected.to_owned()));
    }
    key.kind.read(text).ok_or_else(|| unfit(key.kind.expected()))
}

/// Whether this names a model that may be there.
fn model_fits(text: &str) -> bool {
    const OTHERS: [&str; 3] = ["server", "script", "cassette"];
    let is_known = |name: &str| provider_names().contains(&name) || OTHERS.contains(&name);
    ModelRef::parse(text).is_ok_and(|model| is_known(&model.provider))
}
