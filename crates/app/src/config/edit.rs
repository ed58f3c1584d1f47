//! Writing into the user's file: one setting is another, and every other byte stays, comments too.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use tagline_protocol::system_words;
use toml_edit::{Decor, DocumentMut, Item, RawString, Table, TableLike};

use super::{Key, Value};
use crate::beside;

/// Why the file stays as it is.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EditError {
    #[error("{}: {words}; mend it or its folder", path.display())]
    System { path: PathBuf, words: String },
    #[error("{}: expected TOML, but found {found}; mend it", path.display())]
    Syntax { path: PathBuf, found: String },
    #[error("{}: `{name}`: expected a table, but found something else; mend it", path.display())]
    NoTable { path: PathBuf, name: String },
}

/// Sets the key in the file, below the profile's table unless that is `default`; `None` takes it
/// out. A link is followed, so that the file it leads to is the one that changes.
pub(crate) fn write(
    path: &Path,
    profile: &str,
    key: &Key,
    value: Option<&Value>,
) -> Result<(), EditError> {
    let system =
        |error: &io::Error| EditError::System { path: path.to_owned(), words: system_words(error) };
    let before = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| system(&error))?,
    };
    let after = edited(path, &before, &names(profile, key), value)?;
    if after == before {
        return Ok(());
    }
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    replace(&real, &after).map_err(|error| system(&error))
}

/// The names of the tables from the outermost in, and of the setting.
fn names<'a>(profile: &'a str, key: &Key) -> Vec<&'a str> {
    let own = key.name.split('.');
    match profile {
        "default" => own.collect(),
        profile => ["profiles", profile].into_iter().chain(own).collect(),
    }
}

fn edited(
    path: &Path,
    text: &str,
    names: &[&str],
    value: Option<&Value>,
) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let found = error.message().lines().collect::<Vec<_>>().join(", ");
        EditError::Syntax { path: path.to_owned(), found }
    })?;
    let Some((name, tables)) = names.split_last() else { return Ok(text.to_owned()) };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for outer in tables {
        if value.is_none() && !table.contains_key(outer) {
            return Ok(text.to_owned());
        }
        let inner = table.entry(outer).or_insert_with(unnamed);
        let no_table = || EditError::NoTable { path: path.to_owned(), name: (*outer).to_owned() };
        table = inner.as_table_like_mut().ok_or_else(no_table)?;
    }
    match value {
        None => take_out(table, name),
        Some(value) => put(table, name, item(value)),
    }
    Ok(document.to_string())
}

/// A table that is written only where something stands in it.
fn unnamed() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

/// Takes a setting out. What stands above it, such as the comment at the head of the file, goes on
/// to what comes next.
fn take_out(table: &mut dyn TableLike, name: &str) {
    let prefix = |decor: &Decor| decor.prefix().and_then(RawString::as_str).map(str::to_owned);
    let above = table.key(name).and_then(|key| prefix(key.leaf_decor())).unwrap_or_default();
    let names: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    let next = names.iter().skip_while(|found| *found != name).nth(1);
    table.remove(name);
    let Some(next) = next.filter(|_| !above.trim().is_empty()) else { return };
    if let Some(inner) = table.get_mut(next).and_then(Item::as_table_mut) {
        let old = prefix(inner.decor()).unwrap_or_default();
        inner.decor_mut().set_prefix(above + &old);
    } else if let Some(mut key) = table.key_mut(next) {
        let old = prefix(key.leaf_decor()).unwrap_or_default();
        key.leaf_decor_mut().set_prefix(above + &old);
    }
}

/// In place of the old value, with what stood around that, such as a comment behind it.
fn put(table: &mut dyn TableLike, name: &str, mut value: toml_edit::Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
}

fn item(value: &Value) -> toml_edit::Value {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Count(n) => (*n).into(),
        Value::Number(n) => (*n).into(),
        Value::Switch(is_on) => (*is_on).into(),
        Value::Names(names) => names.iter().collect::<toml_edit::Array>().into(),
    }
}

/// Who may read the file stays.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mode = fs::metadata(path).map_or(0o600, |metadata| metadata.permissions().mode());
    beside::write(path, text, mode & 0o777)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{super::keys::find, *};

    #[track_caller]
    fn check(text: &str, profile: &str, key: &str, value: Option<&str>, expected: Expect) {
        let value = value.map(|text| Value::Text(text.to_owned()));
        let names = names(profile, find(key).unwrap());
        let edited = edited(Path::new("c.toml"), text, &names, value.as_ref());
        expected.assert_eq(&edited.unwrap_or_else(|error| error.to_string()));
    }

    const FILE: &str = "# mine\nmodel = \"ollama/a\"   # the small one\nmode = 'ask'\n\n[limits] # few\nmax_calls = 7\n\n[profiles.work]\nmodel = \"openai/b\"\n";

    #[test]
    fn a_value_is_replaced_where_it_stands() {
        check(
            FILE,
            "default",
            "model",
            Some("openai/gpt \"5\""),
            expect![[r##"
            # mine
            model = 'openai/gpt "5"'   # the small one
            mode = 'ask'

            [limits] # few
            max_calls = 7

            [profiles.work]
            model = "openai/b"
        "##]],
        );
        check(
            FILE,
            "work",
            "model",
            Some("openai/c"),
            expect![[r##"
            # mine
            model = "ollama/a"   # the small one
            mode = 'ask'

            [limits] # few
            max_calls = 7

            [profiles.work]
            model = "openai/c"
        "##]],
        );
    }

    #[test]
    fn what_is_new_is_added() {
        check(
            "",
            "default",
            "model",
            Some("ollama/a"),
            expect![[r#"
            model = "ollama/a"
        "#]],
        );
        check(
            FILE,
            "default",
            "assistant.name",
            Some("Ada"),
            expect![[r##"
            # mine
            model = "ollama/a"   # the small one
            mode = 'ask'

            [limits] # few
            max_calls = 7

            [profiles.work]
            model = "openai/b"

            [assistant]
            name = "Ada"
        "##]],
        );
        check(
            "mode = 'ask' # mine",
            "other",
            "model",
            Some("a/b"),
            expect![[r#"
                mode = 'ask' # mine

                [profiles.other]
                model = "a/b"
            "#]],
        );
    }

    #[test]
    fn what_is_taken_out_leaves_the_rest() {
        check(
            FILE,
            "default",
            "model",
            None,
            expect![[r##"
                # mine
                mode = 'ask'

                [limits] # few
                max_calls = 7

                [profiles.work]
                model = "openai/b"
            "##]],
        );
        check(
            FILE,
            "default",
            "assistant.name",
            None,
            expect![[r##"
            # mine
            model = "ollama/a"   # the small one
            mode = 'ask'

            [limits] # few
            max_calls = 7

            [profiles.work]
            model = "openai/b"
        "##]],
        );
        check(
            "assistant = { name = 'A' }\n",
            "default",
            "assistant.persona",
            Some("Be brief.\nBe kind."),
            expect![[r#"
            assistant = { name = 'A' , persona = """
            Be brief.
            Be kind.""" }
        "#]],
        );
    }

    #[test]
    fn what_is_no_table_and_no_toml_is_left_alone() {
        check(
            "assistant = 1\n",
            "default",
            "assistant.name",
            Some("Ada"),
            expect!["c.toml: `assistant`: expected a table, but found something else; mend it"],
        );
        check(
            "model = \n",
            "default",
            "model",
            Some("a/b"),
            expect![
                "c.toml: expected TOML, but found string values must be quoted, expected literal string; mend it"
            ],
        );
    }

    #[test]
    fn a_link_is_followed_and_who_may_read_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.toml"), folder.path().join("config.toml"));
        fs::write(&real, "mode = \"ask\"\n").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let value = Value::Text("a/b".to_owned());
        write(&link, "default", find("model").unwrap(), Some(&value)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "mode = \"ask\"\nmodel = \"a/b\"\n");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        let new = folder.path().join("none/config.toml");
        write(&new, "default", find("model").unwrap(), Some(&value)).unwrap();
        assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
