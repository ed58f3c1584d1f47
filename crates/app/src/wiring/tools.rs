//! The tools of a session.

use tagline_executor::Registry;

use crate::{config::Settings, exit::Exit, screen::Cards, trouble::Trouble};

/// The tools that the settings name, or all.
///
/// # Errors
///
/// [`Exit::Usage`] where no tool has one of the names.
pub(crate) fn registry(settings: &Settings) -> Result<Registry, Trouble> {
    let all = tagline_tools::all();
    if settings.tools.is_empty() {
        return Ok(all);
    }
    all.only(&settings.tools).map_err(|error| Trouble::new(Exit::Usage, error))
}

/// How the tools' calls are labelled.
pub(crate) fn cards(registry: &Registry) -> Cards {
    let specs = registry.entries().iter().map(|entry| &entry.spec);
    specs.map(|spec| (spec.name.clone(), spec.card.clone())).collect()
}
