//! `wait_until`: really waits, for a time, a command, a text or a port.

use std::{
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_protocol::{Effect, Event, ToolFailure, ToolOutcome, ToolOutput};
use tokio::{
    net::TcpStream,
    time::{Instant, interval_at, sleep, sleep_until},
};

use super::{Runs, find::find, pattern, put_aside, runs::Run};

/// Waits: some seconds, or until a command ends, or writes a text, or a local port answers. Use
/// it instead of asking again and again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitUntil {
    /// How long; with one of the others, how long at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3600))]
    seconds: Option<u16>,
    /// Wait for this command, such as `r1`: for its end, or for `pattern`.
    #[serde(default)]
    run_id: Option<String>,
    /// A regular expression that a line of the command's output matches.
    #[serde(default)]
    pattern: Option<String>,
    /// Wait for the command's end.
    #[serde(default)]
    exit: bool,
    /// Wait until something answers on this port of this machine.
    #[serde(default)]
    #[schemars(range(min = 1))]
    port: Option<u16>,
}

/// Longest wait.
const MAX: Duration = Duration::from_secs(3600);
/// How often a port is tried.
const LOOK: Duration = Duration::from_millis(250);
/// How often the countdown is shown at most.
const SHOW: Duration = Duration::from_secs(1);
/// How many times it is shown at most, however long the wait.
const MAX_SHOWN: u32 = 100;

/// What is waited for.
enum Goal {
    Time,
    End(Arc<Run>),
    Text(Arc<Run>, Regex),
    Port(u16),
}

/// How the wait ended.
enum Met {
    /// What was waited for is there; in words.
    Yes(String),
    /// It cannot come any more; in words.
    Never(String),
    /// The time is over.
    Late,
    /// The user stopped it.
    Cancelled,
}

impl Tool for WaitUntil {
    const NAME: &'static str = "wait_until";
    // Not `Read`, though it only looks: reads that follow each other may run at the same time,
    // and what stands behind a wait must come after it.
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<wait_until seconds="5"/>"#,
        r#"<wait_until run_id="r1" exit="true"/>"#,
        r#"<wait_until run_id="r1" pattern="listening on" seconds="30"/>"#,
        r#"<wait_until port="8000" seconds="20"/>"#,
    ];
    const LABEL: &'static str = "wait";
    const TIMEOUT: Duration = MAX.saturating_add(Duration::from_secs(60));

    fn is_polling(&self) -> bool {
        true
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let goal = self.goal(cx)?;
        let limit = self.seconds.map_or(MAX, |n| Duration::from_secs(n.into())).min(MAX);
        let began = Instant::now();
        let met = wait(&goal, limit, cx).await;
        put_aside::told(answer(met, &goal, limit, began.elapsed()), cx).await
    }
}

impl WaitUntil {
    fn goal(&self, cx: &ToolContext) -> Result<Goal, ToolFailure> {
        let run = |id: &str| find(&*cx.get::<Runs>()?, id);
        match (&self.run_id, &self.pattern, self.port) {
            (Some(id), Some(text), None) if !self.exit => Ok(Goal::Text(run(id)?, regex(text)?)),
            (Some(id), None, None) => Ok(Goal::End(run(id)?)),
            (None, None, Some(port)) if !self.exit => Ok(Goal::Port(port)),
            (None, None, None) if !self.exit && self.seconds.is_some() => Ok(Goal::Time),
            _ => Err(ToolFailure::BadCall(NO_GOAL.to_owned())),
        }
    }
}

const NO_GOAL: &str = "`wait_until`: expected one thing to wait for: `seconds`, or `run_id` with \
     `exit` or `pattern`, or `port`; write for example <wait_until run_id=\"r1\" exit=\"true\"/>";

fn regex(text: &str) -> Result<Regex, ToolFailure> {
    Regex::new(text).map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        ToolFailure::BadCall(format!(
            "`pattern` of `wait_until`: expected a regular expression, but found `{text}`: {why}; \
             put a backslash before signs that stand for themselves"
        ))
    })
}

/// Waits and counts down.
async fn wait(goal: &Goal, limit: Duration, cx: &ToolContext) -> Met {
    let deadline = Instant::now() + limit;
    let step = SHOW.max(limit / MAX_SHOWN);
    let mut show = interval_at(Instant::now(), step);
    let mut met = std::pin::pin!(reach(goal));
    loop {
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => return Met::Cancelled,
            met = &mut met => return met,
            () = sleep_until(deadline) => return Met::Late,
            _ = show.tick() => (cx.emit)(countdown(deadline, limit)),
        }
    }
}

fn countdown(deadline: Instant, limit: Duration) -> Event {
    let left = deadline.saturating_duration_since(Instant::now());
    let payload = json!({ "seconds_left": left.as_secs(), "seconds": limit.as_secs() });
    Event::ToolProgress { payload }
}

/// Waits for the goal alone, without end.
async fn reach(goal: &Goal) -> Met {
    match goal {
        Goal::Time => std::future::pending().await,
        Goal::End(run) => Met::Yes(format!("{} is over: {}", run.id, run.ended().await)),
        Goal::Text(run, regex) => match pattern::line(run, regex).await {
            Ok(line) => Met::Yes(format!("{} wrote: {line}", run.id)),
            Err(why) => Met::Never(why),
        },
        Goal::Port(port) => {
            while !answers(*port).await {
                sleep(LOOK).await;
            }
            Met::Yes(format!("port {port} answers"))
        }
    }
}

async fn answers(port: u16) -> bool {
    let v4 = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let v6 = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
    TcpStream::connect(v4).await.is_ok() || TcpStream::connect(v6).await.is_ok()
}

fn answer(met: Met, goal: &Goal, limit: Duration, waited: Duration) -> ToolOutcome {
    let (is_met, words) = match (met, goal) {
        (Met::Yes(words), _) => (true, words),
        (Met::Never(words), _) => (false, words),
        (Met::Late, Goal::Time) => (true, format!("waited {} s", limit.as_secs())),
        (Met::Late, Goal::End(run)) => (false, late(limit, &format!("{} still runs", run.id))),
        (Met::Late, Goal::Text(run, regex)) => {
            (false, late(limit, &format!("{} wrote no line that matches `{regex}`", run.id)))
        }
        (Met::Late, Goal::Port(port)) => {
            (false, late(limit, &format!("port {port} does not answer")))
        }
        (Met::Cancelled, _) => {
            return Err(ToolFailure::Cancelled(format!(
                "waited {} of {} s",
                waited.as_secs(),
                limit.as_secs()
            )));
        }
    };
    let payload = json!({ "is_met": is_met, "waited_ms": waited.as_millis() as u64 });
    Ok(ToolOutput::new(words, payload))
}

fn late(limit: Duration, what: &str) -> String {
    format!("waited {} s: {what}", limit.as_secs())
}
