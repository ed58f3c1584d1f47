//! Whether each part of the server is well.
//!
//! None of it looks at a session, so that it costs the same however many there are.

use std::time::Duration;

use tagline_store::Claim;
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{Check, ProviderState, state::App};

/// How long the journal may take to take something.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is known of the journal, and since when.
#[derive(Debug, Default)]
pub(crate) struct Probe(Mutex<Option<(Instant, Check)>>);

/// Each part.
pub(crate) async fn all(app: &App) -> Vec<Check> {
    let mut checks = app.backstage.checks().await;
    let vitals = app.sessions.vitals();
    let (is_shutting_down, full) = (vitals.is_shutting_down, vitals.full_queues);
    let hub = if is_shutting_down { "shutting down" } else { "taking work in" };
    let queues = match full {
        0 => "every session takes messages".to_owned(),
        1 => "1 session takes no more messages before some of those that wait are done".to_owned(),
        n => format!("{n} sessions take no more messages before some of those that wait are done"),
    };
    checks.push(app.probe.look(app).await);
    checks.push(check("hub", !is_shutting_down, hub.to_owned()));
    checks.push(check("queues", full == 0, queues));
    checks.push(providers(&app.backstage.providers()));
    checks
}

fn check(name: &str, is_well: bool, detail: String) -> Check {
    Check { name: name.to_owned(), is_well, detail }
}

/// One that fails now and then is still asked; one that is spared answers nothing for now.
fn providers(troubled: &[ProviderState]) -> Check {
    let words = |state: &ProviderState| {
        let ProviderState { name, is_asked, code } = state;
        match is_asked {
            true => format!("{name} failed lately (`{code}`)"),
            false => format!("{name} is not asked for now, because it failed (`{code}`)"),
        }
    };
    let is_well = troubled.iter().all(|state| state.is_asked);
    let detail = match troubled {
        [] => "none is in trouble".to_owned(),
        some => some.iter().map(words).collect::<Vec<_>>().join("; "),
    };
    check("providers", is_well, detail)
}

impl Probe {
    /// Whether the journal takes what is written. Found out anew only where what is known is too
    /// old, and by one request at a time, so that asking often writes no more.
    async fn look(&self, app: &App) -> Check {
        let mut known = self.0.lock().await;
        if let Some((at, check)) = &*known
            && at.elapsed() < app.limits.health_age
        {
            return check.clone();
        }
        let found = match timeout(PATIENCE, write(app)).await {
            Ok(Ok(())) => check("journal", true, "takes what is written".to_owned()),
            Ok(Err(error)) => check("journal", false, error.to_string()),
            Err(_) => {
                let words = format!("took nothing within {} s", PATIENCE.as_secs());
                check("journal", false, words)
            }
        };
        *known = Some((Instant::now(), found.clone()));
        found
    }
}

/// Takes a key and gives it back: what every request does that is done once.
async fn write(app: &App) -> Result<(), tagline_session::HubError> {
    let key = format!("health-{}", app.run);
    app.sessions.claim(Claim::new(&key, b"health", &app.backstage.now())).await?;
    app.sessions.unclaim(&key).await
}
