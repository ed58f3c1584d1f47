//! The tools of a session.

use std::sync::{Arc, LazyLock};

use tagline_executor::Registry;

use crate::{config::Settings, exit::Exit, screen::Cards, trouble::Trouble};

/// Every tool. A server's sessions share them: they are the larger part of what a session holds.
static ALL: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(tagline_tools::all()));

/// The tools that the settings name, or all.
///
/// # Errors
///
/// [`Exit::Usage`] where no tool has one of the names.
pub(crate) fn registry(settings: &Settings) -> Result<Arc<Registry>, Trouble> {
    if settings.tools.is_empty() {
        return Ok(Arc::clone(&ALL));
    }
    let only = ALL.only(&settings.tools);
    only.map(Arc::new).map_err(|error| Trouble::new(Exit::Usage, error))
}

/// How the tools' calls are labelled.
pub(crate) fn cards(registry: &Registry) -> Cards {
    let specs = registry.entries().iter().map(|entry| &entry.spec);
    specs.map(|spec| (spec.name.clone(), spec.card.clone())).collect()
}
