//! The page in a real browser.

use crate::{
    Chore, dist,
    package::{Need, is_in_path},
    run, ui,
};

/// Tries the page, and what pages of others can do, at the program itself. Installs the package
/// `chromium` where there is none.
pub(crate) fn run() -> Chore {
    prepare()?;
    ui::npm(&["run", "--silent", "e2e"])
}

/// Makes the pictures of `docs/images`.
pub(crate) fn screenshots() -> Chore {
    prepare()?;
    ui::npm(&["run", "--silent", "screenshots"])
}

fn prepare() -> Chore {
    CHROMIUM.meet()?;
    ui::install()?;
    // As the tests build it, so that nothing is built twice.
    run::sh("cargo", &["build", "--locked", "--workspace", "--bins", "--features", dist::FEATURES])
}

pub(crate) const CHROMIUM: Need = Need {
    package: "chromium",
    what: "`chromium` in PATH, or its place in TAGLINE_TEST_CHROMIUM",
    is_there: || is_named() || is_in_path("chromium"),
};

#[expect(clippy::disallowed_methods, reason = "a chore may look where programs are")]
fn is_named() -> bool {
    std::env::var_os("TAGLINE_TEST_CHROMIUM").is_some()
}
