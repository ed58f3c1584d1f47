//! Layers laid over each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{
    error::{ConfigError, hint},
    file::{self, Entry, File},
    keys::{KEYS, Key},
    project::{self, Project},
    seen,
    settings::Settings,
    value::{Origin, Value},
};
use crate::{env::Env, paths::Paths};

/// What the command line says about the configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// `--config`: read instead of the user's file.
    pub(crate) file: Option<PathBuf>,
    /// `--profile`.
    pub(crate) profile: Option<String>,
    /// `--set key=value`, in order.
    pub(crate) sets: Vec<String>,
    /// The flags that are settings: name and text, in order.
    pub(crate) flags: Vec<(String, String)>,
    /// `--strict-config`: unknown keys are errors.
    pub(crate) is_strict: bool,
}

/// Where a rule was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSource {
    /// The setting, such as `rules.deny`.
    pub(crate) key: &'static str,
    /// The scope, as it is written.
    pub(crate) scope: String,
    /// The file and line, the variable or the flag.
    pub(crate) origin: Origin,
}

/// The settings in force.
#[derive(Debug)]
pub(crate) struct Config {
    /// One for each setting that has a value, in the order of [`KEYS`].
    pub(crate) entries: Vec<Entry>,
    /// The rules in force, each with where it was set.
    pub(crate) rules: Vec<RuleSource>,
    /// Names of the settings that are locked.
    pub(crate) locked: Vec<&'static str>,
    /// Sentences the user should read.
    pub(crate) warnings: Vec<String>,
    /// Files that were read.
    pub(crate) files: Vec<PathBuf>,
    /// The project's file, if there is one.
    pub(crate) project: Option<Project>,
    /// The profile's name; `default` if none was named.
    pub(crate) profile: String,
}

impl Config {
    /// Reads every layer.
    pub(crate) fn load(env: &Env, paths: &Paths, request: &Request) -> Result<Self, ConfigError> {
        let mut layers = Layers::default();
        layers.built_in();
        layers.files(env, paths, request)?;
        layers.variables(env)?;
        layers.flags(request)?;
        layers.managed(paths)?;
        layers.finish(request.is_strict)
    }

    /// The settings, typed.
    pub(crate) fn settings(&self) -> Settings {
        Settings::from_entries(&self.entries)
    }
}

/// The user's own file.
pub(crate) fn user_file(env: &Env, paths: &Paths, request: &Request) -> PathBuf {
    let named = request.file.as_ref().map(|path| env.cwd().join(path));
    named.unwrap_or_else(|| paths.config.join("config.toml"))
}

/// The profiles of the machine and of the user.
pub(crate) fn profiles(
    env: &Env,
    paths: &Paths,
    request: &Request,
) -> Result<BTreeSet<String>, ConfigError> {
    let mut layers = Layers::default();
    let (system, user) =
        (layers.first("system", paths, "config.toml")?, layers.user(env, paths, request)?);
    Ok(system.profiles.into_keys().chain(user.profiles.into_keys()).collect())
}

/// The settings that the environment gives, by their names.
pub(crate) fn setting_vars(env: &Env) -> BTreeMap<String, String> {
    let set = KEYS.iter().filter_map(|key| {
        let text = key.vars.iter().find_map(|name| env.get(name))?;
        Some((key.name.to_owned(), text.to_owned()))
    });
    set.collect()
}

#[derive(Debug, Default)]
struct Layers {
    entries: Vec<Entry>,
    locked: Vec<Entry>,
    unknown: Vec<ConfigError>,
    warnings: Vec<String>,
    files: Vec<PathBuf>,
    project: Option<Project>,
    profile: String,
}

impl Layers {
    fn built_in(&mut self) {
        for key in KEYS {
            let value = key.default.and_then(|text| key.kind.read(text));
            self.entries.extend(value.map(|value| Entry { key, value, origin: Origin::BuiltIn }));
        }
    }

    fn files(&mut self, env: &Env, paths: &Paths, request: &Request) -> Result<(), ConfigError> {
        let mut system = self.first("system", paths, "config.toml")?;
        let mut user = self.user(env, paths, request)?;
        let path = user_file(env, paths, request);
        // What comes through a pipe is there once, and is nobody's file.
        if path.is_file()
            && let Some(text) = file::read(&path)?
        {
            seen::check(paths, &path, &text)?;
        }
        self.entries.append(&mut system.entries);
        self.entries.append(&mut user.entries);
        self.profile(env, request, system, user)?;
        self.project = project::find(env, paths)?;
        let Some(project) = &self.project else { return Ok(()) };
        if let Project { is_trusted: false, path, text } = project {
            let forbidding = forbidding(path, text);
            let used =
                if forbidding.is_empty() { "not used" } else { "used only where it forbids" };
            self.warnings.push(format!(
                "{}: {used}, because its content is not trusted; \
                 read it, then trust it with `tagline config trust`",
                path.display()
            ));
            self.entries.extend(forbidding);
            return Ok(());
        }
        let File { mut entries, unknown, .. } =
            file::parse("project", &project.path, &project.text)?;
        self.files.push(project.path.clone());
        self.entries.append(&mut entries);
        self.unknown.extend(unknown);
        Ok(())
    }

    fn user(&mut self, env: &Env, paths: &Paths, request: &Request) -> Result<File, ConfigError> {
        let path = user_file(env, paths, request);
        if request.file.is_some() && !path.exists() {
            let message = "there is no such file".to_owned();
            return Err(ConfigError::Unreadable { path, message });
        }
        self.read("user", &path)
    }

    fn profile(
        &mut self,
        env: &Env,
        request: &Request,
        system: File,
        user: File,
    ) -> Result<(), ConfigError> {
        let asked = request.profile.as_deref().or_else(|| env.get("TAGLINE_PROFILE"));
        let name = asked.unwrap_or("default");
        let names: Vec<&String> = system.profiles.keys().chain(user.profiles.keys()).collect();
        if name != "default" && !names.iter().any(|known| *known == name) {
            let near = names.iter().find(|known| strsim::jaro_winkler(name, known) > 0.8);
            let hint = hint(near.map(|known| known.as_str()));
            return Err(ConfigError::Profile { name: name.to_owned(), hint });
        }
        for mut file in [system, user] {
            self.entries.extend(file.profiles.remove(name).unwrap_or_default());
            self.unknown.extend(file.unknown);
        }
        name.clone_into(&mut self.profile);
        Ok(())
    }

    /// The first file of that name among the system's folders.
    fn first(&mut self, layer: &str, paths: &Paths, name: &str) -> Result<File, ConfigError> {
        let found = paths.system.iter().map(|folder| folder.join(name)).find(|path| path.exists());
        found.map_or_else(|| Ok(File::default()), |path| self.read(layer, &path))
    }

    fn read(&mut self, layer: &str, path: &Path) -> Result<File, ConfigError> {
        let Some(text) = file::read(path)? else { return Ok(File::default()) };
        self.files.push(path.to_owned());
        file::parse(layer, path, &text)
    }

    fn variables(&mut self, env: &Env) -> Result<(), ConfigError> {
        for key in KEYS {
            let set = key.vars.iter().find_map(|name| Some((*name, env.get(name)?)));
            let Some((name, text)) = set else { continue };
            let value = key.kind.read(text).ok_or_else(|| ConfigError::Variable {
                name: name.to_owned(),
                expected: key.kind.expected(),
                found: text.to_owned(),
            })?;
            self.entries.push(Entry { key, value, origin: Origin::Variable(name.to_owned()) });
        }
        Ok(())
    }

    fn flags(&mut self, request: &Request) -> Result<(), ConfigError> {
        for text in &request.sets {
            self.entries.push(file::parse_set(text)?);
        }
        for (flag, text) in &request.flags {
            let Some(key) = KEYS.iter().find(|key| key.flag == flag) else { continue };
            self.entries.push(flag_entry(key, text)?);
        }
        Ok(())
    }

    fn managed(&mut self, paths: &Paths) -> Result<(), ConfigError> {
        let File { entries, unknown, .. } = self.first("managed", paths, "managed.toml")?;
        self.locked = entries;
        self.unknown.extend(unknown);
        Ok(())
    }

    fn finish(mut self, is_strict: bool) -> Result<Config, ConfigError> {
        if is_strict && !self.unknown.is_empty() {
            return Err(self.unknown.remove(0));
        }
        self.warnings.extend(self.unknown.iter().map(ToString::to_string));
        self.warnings.extend(self.locked.iter().filter_map(|lock| overridden(lock, &self.entries)));
        let locked = self.locked.iter().map(|entry| entry.key.name).collect();
        self.entries.append(&mut self.locked);
        let entries = KEYS.iter().filter_map(|key| merged(key, &self.entries)).collect();
        let rules = sources(&self.entries);
        let Self { warnings, files, project, profile, .. } = self;
        Ok(Config { entries, rules, locked, warnings, files, project, profile })
    }
}

/// What only takes rights away: all layers count, so that none loses what a weaker one forbids.
const ADDING: [&str; 2] = ["rules.ask", "rules.deny"];

/// Named things: all layers count, and the last one of a name.
const NAMING: &str = "toolsets";

/// The value of a setting over all layers: the last one, or all together where they only forbid or
/// name.
fn merged(key: &Key, entries: &[Entry]) -> Option<Entry> {
    let mut entry = entries.iter().rfind(|entry| entry.key.name == key.name)?.clone();
    if ADDING.contains(&key.name) || key.name == NAMING {
        let mut all: Vec<String> = Vec::new();
        for (name, _) in names(key.name, entries) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        entry.value = Value::Names(all);
    }
    Some(entry)
}

/// The names that all layers set under this key, each with where.
fn names<'a>(
    key: &'a str,
    entries: &'a [Entry],
) -> impl Iterator<Item = (&'a String, &'a Origin)> + 'a {
    entries.iter().filter(move |entry| entry.key.name == key).flat_map(|entry| {
        let names = match &entry.value {
            Value::Names(names) => names.as_slice(),
            Value::Text(_) | Value::Count(_) | Value::Number(_) | Value::Switch(_) => &[],
        };
        names.iter().map(move |name| (name, &entry.origin))
    })
}

/// Where each rule in force was set.
fn sources(entries: &[Entry]) -> Vec<RuleSource> {
    let source = |key: &'static str| {
        move |(scope, origin): (&String, &Origin)| RuleSource {
            key,
            scope: scope.clone(),
            origin: origin.clone(),
        }
    };
    let mut sources = Vec::new();
    for key in ["rules.allow", "rules.allow_tainted"] {
        let last = entries.iter().rfind(|entry| entry.key.name == key);
        let last = last.map(std::slice::from_ref).unwrap_or_default();
        sources.extend(names(key, last).map(source(key)));
    }
    for key in ADDING {
        sources.extend(names(key, entries).map(source(key)));
    }
    sources
}

/// What a project that nobody trusts may still say: what it forbids. One that cannot be read says
/// nothing.
fn forbidding(path: &Path, text: &str) -> Vec<Entry> {
    let entries = file::parse("project", path, text).map(|file| file.entries).unwrap_or_default();
    entries.into_iter().filter(|entry| ADDING.contains(&entry.key.name)).collect()
}

fn flag_entry(key: &'static Key, text: &str) -> Result<Entry, ConfigError> {
    let value: Option<Value> = key.kind.read(text);
    let value = value.ok_or_else(|| ConfigError::Flag {
        flag: key.flag.to_owned(),
        expected: key.kind.expected(),
        found: text.to_owned(),
    })?;
    Ok(Entry { key, value, origin: Origin::Flag(key.flag.to_owned()) })
}

/// What to say where the user set something that is locked.
fn overridden(lock: &Entry, entries: &[Entry]) -> Option<String> {
    let same = |entry: &&Entry| entry.key.name == lock.key.name;
    let other = entries.iter().rfind(same).filter(|entry| entry.origin != Origin::BuiltIn)?;
    let (name, origin) = (lock.key.name, &other.origin);
    Some(format!("`{name}` from {origin} is not used: {} locks it", lock.origin))
}
