//! Checks that ask: keys, servers, and the model itself.

use std::time::Duration;

use futures_util::StreamExt as _;
use tagline_model::{Found, FoundBy, Model, ModelEvent, Request};
use tagline_parser::{Event, Finish, Limits, Parser, TagSet, TagSpec, ValueKind};
use tagline_protocol::{Message, Role};
use tokio::time::{Instant, timeout};

use super::Check;
use crate::{
    app::App,
    config::Config,
    screen::{clean, count},
    verbs::models,
    wiring::{self, Connected},
};

/// Longest wait for the test reply.
const PATIENCE: Duration = Duration::from_secs(60);

/// Every check that asks somebody.
pub(super) async fn checks(app: &App) -> Vec<Check> {
    // What is wrong with the configuration has its own line already.
    let Ok(paths) = crate::paths::Paths::new(&app.env) else { return Vec::new() };
    let Ok(config) = Config::load(&app.env, &paths, &app.request) else { return Vec::new() };
    let Ok(found) = models::find(app, &config).await else { return Vec::new() };
    let mut checks = vec![keys(&found), servers(&found)];
    match wiring::connect(app, &config.settings()).await {
        Connected::Yes(model) => {
            checks.push(Check::ok("model", about(model.as_ref())));
            checks.push(reply(model.as_ref()).await);
        }
        Connected::No { message, .. } => checks.push(Check::fail("model", message)),
    }
    checks
}

fn keys(found: &[Found]) -> Check {
    let names = found.iter().filter_map(|found| match found.by {
        FoundBy::Key(variable) => Some(variable),
        FoundBy::Flag | FoundBy::Config | FoundBy::Server => None,
    });
    let names: Vec<_> = names.collect();
    let shown =
        if names.is_empty() { "none in the environment".to_owned() } else { names.join(", ") };
    Check::ok("keys", shown)
}

fn servers(found: &[Found]) -> Check {
    let servers = found.iter().filter(|found| found.by == FoundBy::Server);
    let shown: Vec<String> = servers
        .map(|found| {
            let models = count(found.models.len() as u64, "model", "models");
            format!("{} at {}, {models}", found.model.provider, found.address)
        })
        .collect();
    let shown =
        if shown.is_empty() { "none on the usual ports".to_owned() } else { shown.join("; ") };
    Check::ok("servers", shown)
}

fn about(model: &dyn Model) -> String {
    let info = model.info();
    let context = info.context_tokens.map(|n| format!(", context {n} tokens")).unwrap_or_default();
    let grammar = if info.takes_grammar { ", takes a grammar" } else { "" };
    format!("{}{context}{grammar}", clean(&info.name))
}

/// Has the model write one call, and reads it.
async fn reply(model: &dyn Model) -> Check {
    let began = Instant::now();
    let text = match timeout(PATIENCE, collect(model)).await {
        Err(_) => return Check::fail("calls", format!("no reply within {} s", PATIENCE.as_secs())),
        Ok(Err(message)) => return Check::fail("calls", message),
        Ok(Ok(text)) => text,
    };
    let took = format!("{:.1} s", began.elapsed().as_secs_f32());
    if writes_a_call(&text) {
        return Check::ok("calls", format!("the model wrote a well-formed call, {took}"));
    }
    let shown: String = clean(&text).chars().take(60).collect();
    Check::warn(
        "calls",
        format!("expected `<say>…</say>`, but the model wrote `{shown}`, {took}"),
        "try `--loop guided`, `--detail compact`, a larger model, or llama.cpp with its grammar",
    )
}

async fn collect(model: &dyn Model) -> Result<String, String> {
    let system = "You act by writing XML elements. Reply with one element and nothing else.";
    let request = Request {
        messages: vec![
            Message::new(Role::System, system),
            Message::new(Role::User, "Write exactly: <say>ready</say>"),
        ],
        max_tokens: Some(256),
        temperature: Some(0.0),
        ..Request::default()
    };
    let mut stream = model.ask(request);
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        if let ModelEvent::Text(delta) = event.map_err(|fault| fault.to_string())? {
            text.push_str(&delta);
        }
    }
    Ok(text)
}

fn writes_a_call(text: &str) -> bool {
    let say = TagSpec { name: "say".into(), body: Some(ValueKind::Scalar), ..TagSpec::default() };
    let mut parser = Parser::new(&TagSet::new([say]), Limits::default());
    parser.feed(text);
    parser.flush(Finish::Stop);
    parser.drain().any(|event| matches!(event, Event::End(block) if !block.is_partial))
}
