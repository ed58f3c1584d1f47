//! Checks of this machine: they ask nobody.

use tagline_store::SqliteJournal;

use super::Check;
use crate::{
    app::App,
    approver::is_attended,
    config::Config,
    paths::Paths,
    screen::count,
    verbs::tools,
    wiring::{Held, held},
};

/// Every check that needs nobody else.
pub(super) fn checks(app: &App) -> Vec<Check> {
    let paths = match Paths::new(&app.env) {
        Ok(paths) => paths,
        Err(error) => return vec![Check::fail("paths", error)],
    };
    vec![config(app, &paths), journal(&paths), lint(), terminal(app), sandbox(app, &paths)]
}

fn config(app: &App, paths: &Paths) -> Check {
    match Config::load(&app.env, paths, &app.request) {
        Err(error) => Check::fail("config", error),
        Ok(config) => {
            let files = count(config.files.len() as u64, "file", "files");
            let found = format!("{files}, profile {}", config.profile);
            match config.warnings.first() {
                None => Check::ok("config", found),
                Some(first) => Check::warn("config", found, first),
            }
        }
    }
}

fn sandbox(app: &App, paths: &Paths) -> Check {
    let Ok(config) = Config::load(&app.env, paths, &app.request) else {
        return Check::warn("sandbox", "not looked at", "mend the configuration first");
    };
    match held(app, &config.settings()) {
        Held::Yes(words) => Check::ok("sandbox", words),
        Held::No(words) => {
            Check::warn("sandbox", words, "keep `--mode ask`, or run tagline in a container")
        }
        Held::Off => Check::warn(
            "sandbox",
            "off: a command that is allowed runs with your rights",
            "set `sandbox = \"auto\"`",
        ),
    }
}

/// Opens the journal only where there is one.
fn journal(paths: &Paths) -> Check {
    let path = paths.journal();
    if !path.exists() {
        return Check::ok("journal", format!("none yet at {}", path.display()));
    }
    match SqliteJournal::open(&path) {
        Ok(_) => Check::ok("journal", path.display().to_string()),
        Err(error) => Check::fail("journal", error),
    }
}

fn lint() -> Check {
    let all = tagline_tools::all();
    let problems = tools::problems(&all);
    match problems.first() {
        None => Check::ok(
            "tools",
            format!("{} in order", count(all.entries().len() as u64, "tool", "tools")),
        ),
        Some(first) => {
            let found = format!(
                "{}, the first: {first}",
                count(problems.len() as u64, "problem", "problems")
            );
            Check::warn("tools", found, "list them with `tagline tools lint`")
        }
    }
}

fn terminal(app: &App) -> Check {
    let style = app.stderr();
    let color = if style.color { "color" } else { "no color" };
    let asked = if is_attended(&app.env) { "questions can be asked" } else { "nobody to ask" };
    Check::ok("terminal", format!("{color}, {} columns, {asked}", style.width))
}
