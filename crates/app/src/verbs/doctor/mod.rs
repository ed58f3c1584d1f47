//! `tagline doctor`: is everything here that a task needs, and how to mend what is not.

mod here;
mod model;

use serde_json::json;

use crate::{
    app::App,
    exit::Exit,
    output::{print, print_json},
    screen::count,
};

/// `tagline doctor`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Look at this machine only: no server and no model is asked.
    #[arg(long)]
    offline: bool,
    /// Count warnings as problems.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object, without secrets.
    #[arg(long)]
    json: bool,
}

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    Ok,
    Warn,
    Fail,
}

impl Health {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Check {
    what: &'static str,
    health: Health,
    found: String,
    /// What to do; only where something is to be done.
    fix: Option<String>,
}

impl Check {
    fn ok(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, health: Health::Ok, found: found.into(), fix: None }
    }

    fn warn(what: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { what, health: Health::Warn, found: found.into(), fix: Some(fix.into()) }
    }

    /// Errors say themselves what to do.
    fn fail(what: &'static str, error: impl std::fmt::Display) -> Self {
        Self { what, health: Health::Fail, found: error.to_string(), fix: None }
    }
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let mut checks = here::checks(app);
    if !args.offline {
        checks.extend(App::runtime()?.block_on(model::checks(app)));
    }
    let n = |health| checks.iter().filter(|check| check.health == health).count();
    let is_bad = n(Health::Fail) > 0 || (args.strict && n(Health::Warn) > 0);
    if args.json {
        print_json(&as_json(&checks))?;
    } else {
        checks.iter().try_for_each(|check| print(&row(check)))?;
        print(&summary(&checks))?;
    }
    Ok(if is_bad { Exit::Problems } else { Exit::Done })
}

fn row(check: &Check) -> String {
    let Check { what, health, found, fix } = check;
    let fix = fix.as_ref().map(|fix| format!("{:<15} fix: {fix}\n", "")).unwrap_or_default();
    format!("{what:<10} {:<4} {found}\n{fix}", health.word())
}

fn summary(checks: &[Check]) -> String {
    let n = |health| checks.iter().filter(|check| check.health == health).count();
    let warnings = count(n(Health::Warn) as u64, "warning", "warnings");
    format!("{:<10} {} failed, {warnings}\n", "summary", n(Health::Fail))
}

fn as_json(checks: &[Check]) -> serde_json::Value {
    let rows = checks.iter().map(|check| {
        json!({
            "check": check.what, "health": check.health.word(), "found": check.found,
            "fix": check.fix,
        })
    });
    json!({ "version": env!("CARGO_PKG_VERSION"), "checks": rows.collect::<Vec<_>>() })
}
