//! `tagline rules`: which rules are in force, where each comes from, and what they make of a call.

pub(crate) mod grants;
mod judge;

use clap::Subcommand;
use tagline_policy::Sandbox;

use crate::{
    app::App,
    cli::ServerArgs,
    config::{Config, RuleSource},
    exit::Exit,
    output::{print, print_json},
    wiring,
};

/// `tagline rules`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the rules in force, each with where it was set, and what your answers at a server let run.
    List {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Take back what an answer at a server lets run: from the next call on it asks again.
    ///
    /// What you allow in `tagline run` ends with it; in `tagline chat` it is `/forget`.
    Revoke(grants::Args),
    /// Say in a line whether a call would run; nothing is run.
    ///
    /// Exit codes: 0 it would run, 5 it would be refused, 9 it would ask.
    Test(judge::Args),
    /// Say how a call would be judged, step by step; nothing is run.
    Explain(judge::Args),
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let config = app.config()?;
    match args.what {
        What::List { json, server } => list(app, &config, json, &server),
        What::Revoke(args) => grants::revoke(app, &args),
        What::Test(args) => judge::test(app, &config, &args),
        What::Explain(args) => judge::explain(app, &config, &args),
    }
}

/// The answer that a setting's rules give.
fn answer(source: &RuleSource) -> &'static str {
    match source.key {
        "rules.deny" => "deny",
        "rules.ask" => "ask",
        _ => "allow",
    }
}

/// Whether it is an allow rule that holds also after untrusted content.
fn is_tainted(source: &RuleSource) -> bool {
    source.key == "rules.allow_tainted"
}

fn list(app: &App, config: &Config, json: bool, server: &ServerArgs) -> Result<Exit, Exit> {
    // A scope that is none is told here as it is everywhere.
    wiring::rules(&config.settings().rules)?;
    let mode = config.entries.iter().find(|entry| entry.key.name == "mode");
    let mode = mode.map(|entry| (entry.value.to_string(), entry.origin.to_string()));
    let (mode, origin) = mode.unwrap_or_default();
    let sandbox = sandbox(wiring::sandbox(app, &config.settings()));
    let grants = grants::all(app, server)?;
    if json {
        let rule = |source: &RuleSource| {
            serde_json::json!({
                "answer": answer(source), "scope": source.scope, "origin": source.origin.to_string(),
                "also_when_tainted": is_tainted(source),
            })
        };
        print_json(&serde_json::json!({
            "mode": mode.trim_matches('"'), "mode_origin": origin, "sandbox": sandbox,
            "rules": config.rules.iter().map(rule).collect::<Vec<_>>(),
            "grants": grants.iter().map(grants::Granted::json).collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Done);
    }
    let mut text =
        format!("mode     {:<40}  # {origin}\nsandbox  {sandbox}\n", mode.trim_matches('"'));
    for name in ["deny", "ask", "allow"] {
        for source in config.rules.iter().filter(|source| answer(source) == name) {
            let also = if is_tainted(source) { ", also after untrusted content" } else { "" };
            text += &format!("{name:<8} {:<40}  # {}{also}\n", source.scope, source.origin);
        }
    }
    if config.rules.is_empty() {
        text += "no rules; set some with `rules.allow`, `rules.ask` and `rules.deny`\n";
    }
    text.extend(grants.iter().map(grants::Granted::line));
    print(&text)?;
    Ok(Exit::Done)
}

/// The state of the sandbox, in words.
const fn sandbox(sandbox: Sandbox) -> &'static str {
    match sandbox {
        Sandbox::Proven => "proven",
        Sandbox::Unproven => "not proven",
    }
}
