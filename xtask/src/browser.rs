//! The page in a real browser.

use crate::{Chore, dist, run, ui};

/// Names the browser where it is not `chromium` in `PATH`.
const VARIABLE: &str = "TAGLINE_TEST_CHROMIUM";

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
    install()?;
    ui::install()?;
    // As the tests build it, so that nothing is built twice.
    run::sh("cargo", &["build", "--locked", "--workspace", "--bins", "--features", dist::FEATURES])
}

fn install() -> Chore {
    if is_there() {
        return Ok(());
    }
    let wanted = format!(
        "the tests need the browser `chromium` in PATH, or its place in {VARIABLE}; \
         install the package `chromium`"
    );
    println!("no browser was found; installing the package `chromium`");
    let installed = run::sh("apt-get", &["update", "--quiet"])
        .and_then(|()| run::sh("apt-get", &["install", "--yes", "--quiet", "chromium"]));
    installed.map_err(|error| format!("{error}; {wanted}"))?;
    if is_there() { Ok(()) } else { Err(wanted) }
}

#[expect(clippy::disallowed_methods, reason = "a chore may look where programs are")]
fn is_there() -> bool {
    if std::env::var_os(VARIABLE).is_some() {
        return true;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("chromium").is_file())
}
