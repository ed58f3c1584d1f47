//! The tools of a session.

use std::sync::{Arc, LazyLock};

use tagline_executor::{Registry, ToolSets};
use tagline_policy::Scope;
use tagline_protocol::Toolset;

use crate::{config::Settings, exit::Exit, screen::Cards, trouble::Trouble};

/// Every tool. A server's sessions share them: they are the larger part of what a session holds.
static ALL: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(tagline_tools::all()));

/// The tools that the settings select, or all.
///
/// # Errors
///
/// [`Exit::Usage`] where a word is the name of no tool and no set.
pub(crate) fn registry(settings: &Settings) -> Result<Arc<Registry>, Trouble> {
    let sets = sets(settings)?;
    if settings.tools.is_empty() && sets == tagline_tools::sets() {
        return Ok(Arc::clone(&ALL));
    }
    let selected = ALL.select(&settings.tools, &sets);
    selected.map(Arc::new).map_err(|error| Trouble::new(Exit::Usage, error))
}

/// The built-in sets, with those of the settings over them.
///
/// # Errors
///
/// [`Exit::Usage`] where a set is not written as `name=tool tool`.
pub(crate) fn sets(settings: &Settings) -> Result<ToolSets, Trouble> {
    let mut sets = tagline_tools::sets();
    for text in &settings.toolsets {
        let parts = text.split_once('=').map(|(name, words)| (name.trim(), words));
        let Some((name, words)) = parts.filter(|(name, _)| is_name(name)) else {
            let words = "expected a name of letters, digits, `_` and `-`, then `=`, then names of tools, such as `review=read_file search`";
            return Err(Trouble::new(Exit::Usage, format!("toolset `{text}`: {words}")));
        };
        sets.add(name, words.split_whitespace().map(str::to_owned));
    }
    Ok(sets)
}

fn is_name(name: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    name.starts_with(|it: char| it.is_ascii_alphanumeric()) && name.bytes().all(is_part)
}

/// The tools that a model is told of: those that a rule denies whatever they are called with would
/// only cost it words and refusals. Called all the same, they are refused in words.
pub(crate) fn offered(settings: &Settings, tools: &Toolset) -> Toolset {
    let denied = settings.rules.deny.iter().filter_map(|text| match text.parse() {
        Ok(Scope::Tool { name, arguments }) if arguments.is_empty() => Some(name),
        Ok(Scope::Tool { .. } | Scope::Command(_) | Scope::Host(_) | Scope::Folder(_)) | Err(_) => {
            None
        }
    });
    denied.fold(tools.clone(), |tools, name| tools.without(&name))
}

/// How the tools' calls are labelled.
pub(crate) fn cards(registry: &Registry) -> Cards {
    let specs = registry.entries().iter().map(|entry| &entry.spec);
    specs.map(|spec| (spec.name.clone(), spec.card.clone())).collect()
}
