//! An executor with doors that a test controls.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tagline_executor::{
    Approval, Approver, CallResult, Capabilities, Choice, Doors, Executor, Keeping, Question,
    RecordError, Recorder,
};
use tagline_policy::{Mode, Situation};
use tagline_protocol::{Call, CallId, Effect, Event};
use tokio_util::sync::CancellationToken;

use crate::tools::{Log, registry};

/// How a person behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Person {
    Yes,
    Always,
    No,
    /// Changes the first call, and says yes from then on.
    Edits(&'static str),
    /// Changes the first call, and never answers again.
    EditsOnce(&'static str),
    /// Says yes to another call.
    Elsewhere,
    /// Never answers.
    Silent,
    /// Says yes to something that was not offered.
    Generous,
}

/// Doors that log. `fails_at` names the event that cannot be saved.
#[derive(Debug)]
struct Door {
    log: Arc<Log>,
    person: Person,
    fails_at: Option<&'static str>,
    /// Time that passes before the intent is saved.
    delay: Duration,
}

impl Approver for Door {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let hash = question.hash.clone();
            let choice = match self.person {
                Person::Yes | Person::Elsewhere => Choice::Once,
                Person::Always => Choice::Always(question.scopes.first().unwrap().clone()),
                Person::Generous => Choice::Always("tool everything".parse().unwrap()),
                Person::Edits(edit) | Person::EditsOnce(edit)
                    if self.log.text().matches("approval.asked").count() == 1 =>
                {
                    Choice::Edit(serde_json::from_str(edit).unwrap())
                }
                Person::Edits(_) => Choice::Once,
                Person::EditsOnce(_) => std::future::pending().await,
                Person::No => Choice::No { words: Some("not today".to_owned()) },
                Person::Silent => std::future::pending().await,
            };
            let is_elsewhere = matches!(self.person, Person::Elsewhere);
            Approval { hash: if is_elsewhere { "0".repeat(64) } else { hash }, choice }
        })
    }
}

impl Recorder for Door {
    fn record<'a>(
        &'a self,
        call: &'a CallId,
        events: Vec<Event>,
    ) -> BoxFuture<'a, Result<(), RecordError>> {
        Box::pin(async move {
            let names: Vec<String> = events.iter().map(name).collect();
            if self.fails_at.is_some_and(|it| names.iter().any(|name| name.starts_with(it))) {
                return Err(RecordError("the disk is full".to_owned()));
            }
            if matches!(events.first(), Some(Event::ApprovalAnswered { .. })) {
                tokio::time::sleep(self.delay).await;
            }
            self.log.note(format!("{call}: {}", names.join(", ")));
            Ok(())
        })
    }

    fn live(&self, call: &CallId, event: Event) {
        self.log.note(format!("{call}: live {}", name(&event)));
    }
}

/// The event's type, with what a reader wants to know of it.
fn name(event: &Event) -> String {
    let value = serde_json::to_value(event).unwrap();
    let kind = value["type"].as_str().unwrap().to_owned();
    let facts = ["attempt", "decision", "is_allowed", "by"].into_iter();
    let facts =
        facts.filter_map(|it| Some(format!(" {it}={}", value.get(it)?))).collect::<String>();
    let slow = value.get("ms").and_then(Value::as_u64).filter(|ms| *ms >= 1000);
    let facts = facts + &slow.map(|ms| format!(" ms={ms}")).unwrap_or_default();
    let audit = ["outcome", "attempts", "decision", "notes"].into_iter();
    let audit = audit.filter_map(|it| Some(format!(" {it}={}", value.get("record")?.get(it)?)));
    kind + &facts + &audit.collect::<String>()
}

/// A session with one person and one journal.
pub(crate) struct Bench {
    pub(crate) log: Arc<Log>,
    pub(crate) executor: Executor,
    pub(crate) cancel: CancellationToken,
}

/// The parts of a [`Bench`] that tests vary.
pub(crate) struct Setup {
    pub(crate) mode: Mode,
    pub(crate) is_attended: bool,
    pub(crate) person: Person,
    pub(crate) fails_at: Option<&'static str>,
    pub(crate) delay: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            mode: Mode::Full,
            is_attended: true,
            person: Person::Silent,
            fails_at: None,
            delay: Duration::ZERO,
        }
    }
}

impl Setup {
    pub(crate) fn bench(self) -> Bench {
        self.with(|capabilities, _| capabilities)
    }

    /// With somebody who keeps what calls change.
    pub(crate) fn bench_with(self, keeping: impl FnOnce(Arc<Log>) -> Keeping) -> Bench {
        self.with(|capabilities, log| capabilities.with(Arc::new(keeping(log))))
    }

    fn with(self, more: impl FnOnce(Capabilities, Arc<Log>) -> Capabilities) -> Bench {
        let log = Arc::new(Log::default());
        let situation = Situation {
            mode: self.mode,
            is_attended: self.is_attended,
            roots: vec!["/w".into()],
            home: Some("/home/u".into()),
            own: vec!["/home/u/.local/share/tagline".into()],
            ..Situation::default()
        };
        let Self { person, fails_at, delay, .. } = self;
        let door = Arc::new(Door { log: Arc::clone(&log), person, fails_at, delay });
        let doors = Doors { approver: Arc::clone(&door) as _, recorder: door };
        let capabilities = more(Capabilities::default().with(Arc::clone(&log)), Arc::clone(&log));
        let executor = Executor::new("s", Arc::new(registry()), capabilities, situation, doors);
        Bench { log, executor, cancel: CancellationToken::new() }
    }
}

impl Bench {
    pub(crate) async fn run(&self, calls: &[(&str, Value)]) -> Vec<CallResult> {
        let calls = calls.iter().enumerate().map(|(n, (tool, arguments))| Call {
            id: CallId(format!("c{}", n + 1)),
            tool: (*tool).to_owned(),
            arguments: arguments.clone(),
            effect: Effect::Pure,
            is_recovered: false,
            is_from_unclosed_cdata: false,
        });
        self.executor.run(calls.collect(), &self.cancel).await
    }

    /// Runs one call without arguments.
    pub(crate) async fn run_one(&self, tool: &str) -> CallResult {
        self.run(&[(tool, json!({}))]).await.remove(0)
    }
}

/// The results, a line each.
pub(crate) fn shown(results: &[CallResult]) -> String {
    results.iter().map(|result| format!("{}: {}\n", result.call, one(result))).collect()
}

fn one(result: &CallResult) -> String {
    let refusal = result.refusal.as_ref().map_or_else(String::new, |it| format!(" ({it:?})"));
    let unsaved = result.unsaved.as_ref().map_or_else(String::new, |it| format!(" ({it})"));
    match &result.outcome {
        Ok(output) => format!("{}{refusal}{unsaved}", output.echo),
        Err(failure) => format!("{}: {failure}{refusal}{unsaved}", failure.kind()),
    }
}
