//! One TOML file, read into entries with their lines.

use std::{collections::BTreeMap, fs, io, path::Path};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use tagline_protocol::system_words;

use super::{
    error::{ConfigError, Place, hint},
    keys::{self, Key, Kind},
    value::{Origin, Value},
};

/// A setting that a layer sets.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) entries: Vec<Entry>,
    /// By the profile's name.
    pub(crate) profiles: BTreeMap<String, Vec<Entry>>,
    /// Keys that nobody knows: [`ConfigError::Unknown`], kept as warnings.
    pub(crate) unknown: Vec<ConfigError>,
}

/// Reads the file; `None` where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(ConfigError::Unreadable { path: path.to_owned(), message: system_words(&error) })
        }
    }
}

/// Takes the text apart. `layer` names where it stands among the layers.
pub(crate) fn parse(layer: &str, path: &Path, text: &str) -> Result<File, ConfigError> {
    let reader = Reader { layer, path, text };
    let table = DeTable::parse(text).map_err(|error| reader.syntax(&error))?;
    let mut file = File::default();
    reader.root(table.get_ref(), &mut file)?;
    file.unknown.sort_by_key(ConfigError::line);
    Ok(file)
}

/// Reads `key.path=value`, the value as TOML, or else as a bare word.
pub(crate) fn parse_set(text: &str) -> Result<Entry, ConfigError> {
    let bad = |found: &str| ConfigError::Set { text: text.to_owned(), found: found.to_owned() };
    let (name, value) = text.split_once('=').ok_or_else(|| bad("no `=`"))?;
    let name = name.trim();
    let key = keys::find(name)
        .ok_or_else(|| bad(&format!("unknown key `{name}`{}", hint(keys::nearest(name)))))?;
    let typed = DeValue::parse(value.trim()).ok().and_then(|value| convert(value.get_ref()));
    let typed = typed.and_then(|value| key.kind.check(value)).or_else(|| key.kind.read(value));
    let expected = || bad(&format!("`{value}`, which is not {}", key.kind.expected()));
    let value = typed.ok_or_else(expected)?;
    Ok(Entry { key, value, origin: Origin::Flag("set".to_owned()) })
}

struct Reader<'a> {
    layer: &'a str,
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn root(&self, table: &DeTable<'_>, file: &mut File) -> Result<(), ConfigError> {
        for (name, value) in table {
            let DeValue::Table(inner) = value.get_ref() else {
                self.one("", name, value, &mut file.entries, &mut file.unknown)?;
                continue;
            };
            if name.get_ref() == "profiles" {
                self.profiles(inner, file)?;
            } else {
                self.one("", name, value, &mut file.entries, &mut file.unknown)?;
            }
        }
        Ok(())
    }

    fn profiles(&self, table: &DeTable<'_>, file: &mut File) -> Result<(), ConfigError> {
        for (name, value) in table {
            let DeValue::Table(inner) = value.get_ref() else {
                let key = format!("profiles.{}", name.get_ref());
                return Err(self.unfit(&key, "a table".to_owned(), value));
            };
            let layer = format!("profile {}", name.get_ref());
            let reader = Reader { layer: &layer, ..*self };
            let entries = file.profiles.entry(name.get_ref().to_string()).or_default();
            for (name, value) in inner {
                reader.one("", name, value, entries, &mut file.unknown)?;
            }
        }
        Ok(())
    }

    /// A setting, a table of settings, or neither.
    fn one(
        &self,
        above: &str,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        entries: &mut Vec<Entry>,
        unknown: &mut Vec<ConfigError>,
    ) -> Result<(), ConfigError> {
        let full = join(above, name.get_ref());
        if keys::is_table(&full) {
            let DeValue::Table(inner) = value.get_ref() else {
                return Err(self.unfit(&full, "a table".to_owned(), value));
            };
            for (name, value) in inner {
                self.one(&full, name, value, entries, unknown)?;
            }
            return Ok(());
        }
        let line = self.line(name.span().start);
        if full == "toolsets"
            && let (Some(key), DeValue::Table(sets)) = (keys::find(&full), value.get_ref())
        {
            return self.toolsets(key, sets, entries);
        }
        match keys::find(&full) {
            Some(key) => entries.push(self.entry(key, value, line)?),
            // Says where the schema is, to editors.
            None if full == "$schema" => {}
            None => unknown.push(self.unknown(full, line)),
        }
        Ok(())
    }

    /// A table of sets: each is written as the flag has it.
    fn toolsets(
        &self,
        key: &'static Key,
        sets: &DeTable<'_>,
        entries: &mut Vec<Entry>,
    ) -> Result<(), ConfigError> {
        for (name, value) in sets {
            let full = join(key.name, name.get_ref());
            let Some(Value::Names(names)) = convert(value.get_ref()) else {
                return Err(self.unfit(&full, Kind::Names.expected(), value));
            };
            let line = self.line(name.span().start);
            let origin =
                Origin::File { layer: self.layer.to_owned(), path: self.path.to_owned(), line };
            let value = Value::Names(vec![format!("{}={}", name.get_ref(), names.join(" "))]);
            entries.push(Entry { key, value, origin });
        }
        Ok(())
    }

    fn entry(
        &self,
        key: &'static Key,
        value: &Spanned<DeValue<'_>>,
        line: usize,
    ) -> Result<Entry, ConfigError> {
        let typed = convert(value.get_ref()).and_then(|value| key.kind.check(value));
        let typed = typed.ok_or_else(|| self.unfit(key.name, key.kind.expected(), value))?;
        let origin =
            Origin::File { layer: self.layer.to_owned(), path: self.path.to_owned(), line };
        Ok(Entry { key, value: typed, origin })
    }

    fn unfit(&self, key: &str, expected: String, value: &Spanned<DeValue<'_>>) -> ConfigError {
        let span = value.span();
        let found = self.text.get(span.clone()).unwrap_or_default();
        let found = found.lines().next().unwrap_or_default();
        let place = self.place(span.start);
        ConfigError::Value { place, key: key.to_owned(), expected, found: format!("`{found}`") }
    }

    fn unknown(&self, key: String, line: usize) -> ConfigError {
        let hint = hint(keys::nearest(&key));
        ConfigError::Unknown { place: Place { path: self.path.to_owned(), line }, key, hint }
    }

    fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let place = self.place(error.span().map_or(0, |span| span.start));
        let line = self.text.lines().nth(place.line - 1).unwrap_or_default();
        let key = line.split_once('=').map(|(key, _)| format!("`{}`: ", key.trim()));
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        ConfigError::Syntax { place, message: format!("{}{message}", key.unwrap_or_default()) }
    }

    fn place(&self, at: usize) -> Place {
        Place { path: self.path.to_owned(), line: self.line(at) }
    }

    /// From 1.
    fn line(&self, at: usize) -> usize {
        let before = self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes());
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

fn join(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// The value as one of ours; `None` for tables, dates and mixed lists, which fit nothing.
fn convert(value: &DeValue<'_>) -> Option<Value> {
    if let Some(text) = value.as_str() {
        return Some(Value::Text(text.to_owned()));
    }
    if let Some(n) = value.as_integer() {
        return i64::from_str_radix(n.as_str(), n.radix()).ok().map(Value::Count);
    }
    if let Some(n) = value.as_float() {
        return n.as_str().parse().ok().map(Value::Number);
    }
    if let Some(is_on) = value.as_bool() {
        return Some(Value::Switch(is_on));
    }
    let items = value.as_array()?.iter();
    let names: Option<Vec<_>> =
        items.map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
    names.map(Value::Names)
}
