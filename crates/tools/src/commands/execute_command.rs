//! `execute_command`: runs a command, and answers while it may still run.

use std::{collections::BTreeSet, future, path::PathBuf, sync::Arc, time::Duration};

use rustix::process::Signal;
use schemars::JsonSchema;
use serde::Deserialize;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::{Claims, Fact, PathClaim};
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::Workspace;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};

use super::{
    Runs, put_aside, report,
    runs::{Asked, End, Maker, Run, StartError},
    stop_on_drop::StopOnDrop,
};

/// Runs a command with bash in the workspace and answers with its exit code and output. One that
/// takes longer than 60 seconds goes on with a run id; start servers with background="true".
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExecuteCommand {
    /// Folder below the workspace in which it runs.
    #[serde(default)]
    cwd: Option<String>,
    /// Answer as soon as it listens on a port, or after 15 seconds, and let it run on.
    #[serde(default)]
    background: bool,
    /// End the command after this many seconds. Without it, it may run until the session ends.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86400))]
    timeout_seconds: Option<u32>,
    /// Let it reach public hosts, by a proxy. Without it a command reaches what other commands serve
    /// on this session's 127.0.0.1, and nothing else.
    #[serde(default)]
    network: bool,
    /// Run it in a terminal, for a program that asks while it runs; type its answers with
    /// write_command_input.
    #[serde(default)]
    terminal: bool,
    /// The command. Without a terminal input is empty, so give what it would ask for as options.
    #[schemars(extend("x-tag" = "body child raw"))]
    command: String,
}

/// When a command that still runs is answered for.
const FOREGROUND: Duration = Duration::from_secs(60);
/// The same for a background command that does not listen.
const BACKGROUND: Duration = Duration::from_secs(15);
/// How often live output is shown: with two streams, at most 30 events a second.
const SHOW: Duration = Duration::from_millis(70);
/// How often it is looked whether a background command listens.
const LOOK: Duration = Duration::from_millis(200);

/// When a command in a terminal counts as waiting for input: it wrote nothing for so long.
const QUIET: Duration = Duration::from_secs(2);

/// Why the call is answered.
enum Answer {
    /// The command is over.
    Ended(End),
    /// It goes on, and listens on these ports.
    Listens(BTreeSet<u16>),
    /// It goes on, and may wait for input.
    IsQuiet,
    /// It goes on; this long was waited.
    GoesOn(Duration),
    /// The call is cancelled.
    Cancelled,
}

impl Tool for ExecuteCommand {
    const NAME: &'static str = "execute_command";
    const EFFECT: Effect = Effect::Exec;
    const EXAMPLES: &'static [&'static str] = &[
        "<execute_command><![CDATA[cargo test 2>&1 | tail -n 20]]></execute_command>",
        r#"<execute_command background="true" cwd="site"><![CDATA[python3 -m http.server 8000]]></execute_command>"#,
    ];
    const LABEL: &'static str = "run";
    const SUBTITLE: Option<&'static str> = Some("command");

    fn claims(&self, cx: &ToolContext) -> Claims {
        let resolve = |asked: &str| cx.get::<Workspace>().ok()?.resolve(asked).ok();
        let cwd = self.cwd.as_deref().and_then(resolve);
        // The command may write wherever it stands.
        let (is_write, is_removal) = (true, false);
        let claim =
            |asked: String| PathClaim { asked, resolved: cwd.clone(), is_write, is_removal };
        let paths = self.cwd.clone().map(claim).into_iter().collect();
        let hosts = if self.network { vec!["*".to_owned()] } else { Vec::new() };
        let facts = self.facts(cx);
        Claims { paths, command: Some(self.command.clone()), cwd, hosts, facts }
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let runs = cx.get::<Runs>()?;
        let cwd = self.folder(cx)?;
        let limit = self.timeout_seconds.map(|n| Duration::from_secs(n.into()));
        let keeping = cx.capabilities.get();
        let maker = Maker { call: cx.call.clone(), keeping };
        let asked = Asked {
            command: &self.command,
            cwd: &cwd,
            wants_network: self.network,
            has_terminal: self.terminal,
            limit,
            maker: (!cx.is_approved).then_some(&maker),
        };
        let run = runs.start(asked).await.map_err(failure)?;
        cx.audit.note("run_id", run.id.as_str());
        cx.audit.note("network", self.network);
        let guard = StopOnDrop::new(&runs, &run);
        let answer = self.watch(&run, cx).await;
        let outcome = outcome(answer, &runs, &run).await;
        if let hosts @ [_, ..] = report::hosts(&run).as_slice() {
            cx.audit.note("hosts", hosts.to_vec());
        }
        guard.disarm();
        put_aside::told(outcome, cx).await
    }
}

impl ExecuteCommand {
    /// What a yes is bound to beside the command. What cannot start has nothing to be bound to.
    fn facts(&self, cx: &ToolContext) -> Vec<Fact> {
        match (cx.get::<Runs>(), self.folder(cx)) {
            (Ok(runs), Ok(cwd)) => runs.facts(&self.command, &cwd),
            (Ok(_) | Err(_), _) => Vec::new(),
        }
    }

    /// The folder it runs in.
    fn folder(&self, cx: &ToolContext) -> Result<PathBuf, ToolFailure> {
        let workspace = cx.get::<Workspace>()?;
        let asked = self.cwd.as_deref().unwrap_or(".");
        let wrong = |error| ToolFailure::BadCall(format!("`cwd` of `execute_command`: {error}"));
        workspace.folder(asked).map_err(wrong)
    }

    /// Shows live output until the call can be answered.
    async fn watch(&self, run: &Run, cx: &ToolContext) -> Answer {
        let wait = if self.background { BACKGROUND } else { FOREGROUND };
        let deadline = Instant::now() + wait;
        let mut show = interval(SHOW);
        show.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let answer = {
            let mut listens = std::pin::pin!(listens(run, self.background));
            let mut is_quiet = std::pin::pin!(is_quiet(run));
            loop {
                tokio::select! {
                    biased;
                    () = cx.cancel.cancelled() => break Answer::Cancelled,
                    end = run.ended() => break Answer::Ended(end),
                    ports = &mut listens => break Answer::Listens(ports),
                    () = &mut is_quiet => break Answer::IsQuiet,
                    () = sleep_until(deadline) => break Answer::GoesOn(wait),
                    _ = show.tick() => run.take_live().into_iter().for_each(|event| (cx.emit)(event)),
                }
            }
        };
        run.take_live().into_iter().for_each(|event| (cx.emit)(event));
        run.end_live();
        answer
    }
}

/// Waits until a background command listens. A server tells its address just after it listens,
/// so its output gets a moment more.
async fn listens(run: &Run, is_background: bool) -> BTreeSet<u16> {
    if !is_background {
        return future::pending().await;
    }
    while run.listening().await.is_empty() {
        sleep(LOOK).await;
    }
    sleep(LOOK).await;
    run.listening().await
}

/// Waits until a command in a terminal writes nothing more.
async fn is_quiet(run: &Run) {
    if run.terminal().is_none() {
        return future::pending().await;
    }
    let mut growth = run.growth();
    while let Ok(Ok(())) = timeout(QUIET, growth.changed()).await {}
}

async fn outcome(answer: Answer, runs: &Runs, run: &Arc<Run>) -> ToolOutcome {
    match answer {
        Answer::Ended(End::TimedOut(_)) => {
            Err(ToolFailure::TimedOut(format!("{}\n{}", run.state(), report::so_far(run))))
        }
        Answer::Ended(end @ End::Limited(reached)) => {
            let head = format!("the command {end}, with everything that it had started");
            let advice = reached.advice();
            Err(ToolFailure::Failed(format!("{head}; {advice}\n{}", report::so_far(run))))
        }
        Answer::Ended(end) => {
            let n_left = run.members().await.len();
            let echo = format!("{end}\n{}", report::over(run, n_left));
            Ok(output(&echo, run, &BTreeSet::new()))
        }
        Answer::Listens(ports) => {
            let urls = report::urls(run, &ports).join(", ");
            let ports_text = report::ports(&ports);
            let head =
                format!("runs in the background as {}, listens on {ports_text}: {urls}", run.id);
            let taken = report::taken(run, &ports).map_or(String::new(), |it| format!(" ({it})"));
            Ok(output(&format!("{head}{taken}\n{}", report::going_on(run)), run, &ports))
        }
        Answer::IsQuiet => {
            let head = format!(
                "runs as {}, and wrote nothing for {} s: it may wait for input; type it with write_command_input",
                run.id,
                QUIET.as_secs()
            );
            Ok(output(&format!("{head}\n{}", report::going_on(run)), run, &BTreeSet::new()))
        }
        Answer::GoesOn(wait) => {
            let head = format!("still runs after {} s as {}", wait.as_secs(), run.id);
            Ok(output(&format!("{head}\n{}", report::going_on(run)), run, &BTreeSet::new()))
        }
        Answer::Cancelled => {
            runs.stop(run, Signal::TERM).await;
            let head = "ended, with everything that it had started";
            Err(ToolFailure::Cancelled(format!("{head}\n{}", report::so_far(run))))
        }
    }
}

fn output(echo: &str, run: &Run, ports: &BTreeSet<u16>) -> ToolOutput {
    ToolOutput::new(echo, report::payload(run, ports))
}

fn failure(error: StartError) -> ToolFailure {
    let words = error.to_string();
    match error {
        StartError::Empty | StartError::Nul | StartError::TooLong { .. } => {
            ToolFailure::BadCall(words)
        }
        StartError::Closing => ToolFailure::Cancelled(words),
        StartError::NoSandbox(_) => ToolFailure::Denied(words),
        StartError::NoBash { .. } | StartError::TooMany | StartError::Io(_) => {
            ToolFailure::Failed(words)
        }
    }
}
