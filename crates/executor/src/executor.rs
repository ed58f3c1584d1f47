//! The executor: batches, order, and the way of one call.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::future::join_all;
use serde_json::Value;
use tagline_policy::{Claims, Mode, Rule, Scope, Situation};
use tagline_protocol::{Call, CallId, Effect, Event, ToolFailure, ToolOutcome};
use tokio::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    Approver, Audit, Capabilities, Edit, Entry, Grant, Question, RecordError, Recorder, Refusal,
    Registry, ToolContext,
    attempt::{Attempt, Attempted, panicked},
    binding::Binding,
    edit::{self, Edited},
    grant::Grants,
    keep,
    permit::{Judge, Judged, Permit, Refused, request},
    record::Story,
    taint,
};

/// Who answers and who writes down.
#[derive(Clone)]
pub struct Doors {
    /// Asks a person.
    pub approver: Arc<dyn Approver>,
    /// Makes events durable and shows them.
    pub recorder: Arc<dyn Recorder>,
}

impl std::fmt::Debug for Doors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Doors")
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// The call.
    pub call: CallId,
    /// What the model reads of it.
    pub outcome: ToolOutcome,
    /// Why it was refused, if it was.
    pub refusal: Option<Refusal>,
    /// Its end took place but could not be saved: the turn must not go on before it can.
    pub unsaved: Option<RecordError>,
}

/// Runs the calls of one session.
#[derive(Debug)]
pub struct Executor {
    session: String,
    registry: Arc<Registry>,
    capabilities: Capabilities,
    doors: Doors,
    situation: Mutex<Situation>,
    grants: Grants,
    n_attempts: u32,
    /// How each call that is on its way is stopped by itself.
    stops: Mutex<BTreeMap<CallId, CancellationToken>>,
}

impl Executor {
    /// Tries of a call that reads and finds something busy.
    pub const ATTEMPTS: u32 = 3;

    /// An executor for a session.
    #[must_use]
    pub fn new(
        session: impl Into<String>,
        registry: Arc<Registry>,
        capabilities: Capabilities,
        situation: Situation,
        doors: Doors,
    ) -> Self {
        let situation = Mutex::new(situation);
        let session = session.into();
        let (n_attempts, stops, grants) = (Self::ATTEMPTS, Mutex::default(), Grants::default());
        Self { session, registry, capabilities, doors, situation, grants, n_attempts, stops }
    }

    /// Tries a busy read this often in all; at least once.
    #[must_use]
    pub fn with_attempts(mut self, n_attempts: u32) -> Self {
        self.n_attempts = n_attempts.max(1);
        self
    }

    /// The tools.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Where calls run now, with what was granted.
    #[must_use]
    pub fn situation(&self) -> Situation {
        let mut situation = self.situation.lock().unwrap_or_else(PoisonError::into_inner).clone();
        situation.rules.extend(self.grants.rules());
        situation
    }

    /// What the answers of this session let run.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        self.grants.all()
    }

    /// Takes a grant back, from the next decision on. `false` where there is none of this scope.
    pub fn revoke(&self, scope: &Scope) -> bool {
        self.grants.take_back(scope)
    }

    /// Changes how much runs without a question, from the next decision on.
    pub fn set_mode(&self, mode: Mode) {
        self.situation.lock().unwrap_or_else(PoisonError::into_inner).mode = mode;
    }

    /// Replaces what the settings say, from the next decision on. Grants stay.
    pub fn set_rules(&self, rules: Vec<Rule>) {
        self.situation.lock().unwrap_or_else(PoisonError::into_inner).rules = rules;
    }

    /// Notes what the session has read according to its past, which neither the user nor we wrote.
    pub fn recall<'a>(&self, past: impl Iterator<Item = &'a Event>) {
        if let Some(source) = taint::recalled(past) {
            self.taint(source);
        }
    }

    /// The first source stays: it explains the most.
    fn taint(&self, source: String) {
        let mut situation = self.situation.lock().unwrap_or_else(PoisonError::into_inner);
        situation.taint.get_or_insert(source);
    }

    /// Stops one call that is on its way; the others go on. `false` where it is not, or no more.
    pub fn stop(&self, call: &CallId) -> bool {
        let stop = self.stops().get(call).cloned();
        stop.inspect(CancellationToken::cancel).is_some()
    }

    fn stops(&self) -> MutexGuard<'_, BTreeMap<CallId, CancellationToken>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the rule against repeating an equal call with an equal result spares this one.
    #[must_use]
    pub fn is_polling(&self, call: &Call) -> bool {
        let poll = |entry: &Entry| catch_unwind(|| (entry.is_polling)(&call.arguments));
        self.registry.get(&call.tool).is_some_and(|entry| poll(entry).unwrap_or(false))
    }

    /// Runs calls and returns their results in the same order, one for each. Consecutive calls
    /// that read run side by side, all others one by one: a *pure* call may be a wait, and what
    /// comes behind a wait means to come after it. After `cancel` fires, running
    /// calls end within seconds and the rest do not begin.
    pub async fn run(&self, mut batch: Vec<Call>, cancel: &CancellationToken) -> Vec<CallResult> {
        for call in &mut batch {
            // The tool says what it may do, not the call.
            let entry = self.registry.get(&call.tool);
            call.effect = entry.map_or(call.effect, |entry| entry.spec.effect);
        }
        let is_side_by_side =
            |one: &Call, two: &Call| [one, two].iter().all(|call| call.effect == Effect::Read);
        let mut results = Vec::with_capacity(batch.len());
        // Also one that waits behind another can be stopped.
        let stops = batch.iter().map(|call| (call.id.clone(), cancel.child_token()));
        let _no_longer = Stoppable::new(self, stops.collect());
        for group in batch.chunk_by(is_side_by_side) {
            results.extend(join_all(group.iter().map(|call| self.one(call, cancel))).await);
        }
        results
    }

    /// One call from its first decision to its last record.
    async fn one(&self, call: &Call, turn: &CancellationToken) -> CallResult {
        let stop = self.stops().get(&call.id).cloned();
        let cx = self.context(call, &stop.unwrap_or_else(|| turn.child_token()));
        let ended = self.judged_and_run(call, &cx, turn).await;
        let story = Story {
            call,
            hash: &ended.hash,
            decision: &ended.decision,
            attempts: ended.n_attempts,
            ms: u64::try_from(ended.took.as_millis()).unwrap_or(u64::MAX),
            notes: cx.audit.notes(),
        };
        let saved = self.doors.recorder.record(&call.id, story.ending(&ended.outcome)).await;
        CallResult {
            call: call.id.clone(),
            outcome: ended.outcome,
            refusal: ended.refusal,
            unsaved: saved.err(),
        }
    }

    fn context(&self, call: &Call, cancel: &CancellationToken) -> ToolContext {
        let (recorder, id) = (Arc::clone(&self.doors.recorder), call.id.clone());
        ToolContext {
            call: call.id.clone(),
            session: self.session.clone(),
            is_approved: false,
            cancel: cancel.child_token(),
            audit: Audit::default(),
            emit: Arc::new(move |event| recorder.live(&id, event)),
            capabilities: self.capabilities.clone(),
        }
    }

    async fn judged_and_run(
        &self,
        call: &Call,
        cx: &ToolContext,
        turn: &CancellationToken,
    ) -> Ended {
        let mut hash = String::new();
        match self.permitted(call, cx, turn, &mut hash).await {
            Ok(ran) => Ended {
                outcome: ran.attempted.outcome,
                n_attempts: ran.attempted.n_attempts,
                took: ran.took,
                hash,
                decision: ran.decision,
                refusal: None,
            },
            Err(refused) => Ended {
                outcome: Err(refused.failure),
                n_attempts: 0,
                took: Duration::ZERO,
                hash,
                decision: refused.decision,
                refusal: refused.refusal,
            },
        }
    }

    /// Judges, then runs what may run. `hash` is set as soon as it is known.
    async fn permitted(
        &self,
        call: &Call,
        cx: &ToolContext,
        turn: &CancellationToken,
        hash: &mut String,
    ) -> Result<Ran, Refused> {
        if cx.cancel.is_cancelled() {
            return Err(Refused::cancelled(turn));
        }
        let entry = self.registry.get(&call.tool).ok_or_else(|| self.unknown(call))?;
        let mut changed: Option<(Box<Edited>, Question)> = None;
        loop {
            let edited = changed.as_ref().map(|(edited, _)| edited.as_ref());
            let call = edited.map_or(call, |edited| &edited.call);
            let note = edited.map(|edited| edited.note.as_str());
            let is_less = edited.is_some_and(|edited| edited.is_less);
            let answered = changed.as_ref().map(|(_, question)| question).filter(|_| is_less);
            let told = |refused: Refused| refused.with_note(note);
            let at = Place { entry, call, cx, turn };
            match self.judged(&at, answered, hash).await.map_err(told)? {
                Judged::Edited(edited, question) => changed = Some((edited, question)),
                Judged::Permit(permit) => {
                    let mut ran = self.permitted_run(&at, permit).await.map_err(told)?;
                    if let Some(note) = note {
                        ran.attempted.outcome = edit::with_note(ran.attempted.outcome, note);
                    }
                    return Ok(ran);
                }
            }
        }
    }

    async fn judged(
        &self,
        at: &Place<'_>,
        answered: Option<&Question>,
        hash: &mut String,
    ) -> Result<Judged, Refused> {
        let Place { entry, call, cx, turn } = *at;
        let recorder = self.doors.recorder.as_ref();
        let approver = self.doors.approver.as_ref();
        let situation = &self.situation();
        let claims = claims(call, entry, cx)?;
        let binding = Binding::of(call, &entry.spec, &claims);
        *hash = binding.hash();
        let judge = Judge { entry, answered, call, cx, turn, situation, approver, recorder };
        judge.permit(&claims, binding).await
    }

    async fn permitted_run(&self, at: &Place<'_>, mut permit: Permit) -> Result<Ran, Refused> {
        let Place { entry, call, cx, turn } = *at;
        let recorder = self.doors.recorder.as_ref();
        let (situation, claims) = (self.situation(), claims(call, entry, cx)?);
        let rule = permit.rule.take();
        let now = Binding::of(call, &entry.spec, &claims);
        let used = permit.redeem(&now)?;
        rule.into_iter().for_each(|rule| self.grants.add(rule, &call.id));
        let cx = &ToolContext { is_approved: used.is_approved, ..cx.clone() };
        let (hash, decision) = (used.hash.as_str(), used.decision.as_str());
        if let Some(source) = tagline_policy::taint(&request(call, &claims), &situation) {
            cx.audit.note(taint::NOTE, source.as_str());
            self.taint(source);
        }
        let attempt = Attempt { call, entry, cx, turn, recorder, hash, decision };
        let kept = keep::before(call, &claims, cx).await;
        let began = Instant::now();
        let attempted = attempt.run(self.n_attempts).await;
        let took = began.elapsed();
        if let Some(source) = taint::pictured(&attempted.outcome) {
            cx.audit.note(taint::NOTE, source);
            self.taint(source.to_owned());
        }
        keep::after(kept, cx).await;
        Ok(Ran { attempted, decision: used.decision, took })
    }

    /// Whether the edit can be made of a call with these arguments; why not, in words.
    ///
    /// # Errors
    ///
    /// The words.
    pub fn check_edit(&self, tool: &str, arguments: &Value, edit: &Edit) -> Result<(), String> {
        let entry = self.registry.get(tool).ok_or_else(|| format!("there is no tool `{tool}`"))?;
        let call = Call {
            id: CallId(String::new()),
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            effect: entry.spec.effect,
            is_recovered: false,
            is_from_unclosed_cdata: false,
        };
        edit::apply(entry, &call, edit).map(drop)
    }

    fn unknown(&self, call: &Call) -> Refused {
        let error = self.registry.no_such_tool(&call.tool);
        Refused::bad(ToolFailure::BadCall(error.to_string()))
    }
}

/// Calls that can be stopped one by one, for as long as this lives.
struct Stoppable<'a> {
    executor: &'a Executor,
    calls: Vec<CallId>,
}

impl<'a> Stoppable<'a> {
    fn new(executor: &'a Executor, stops: Vec<(CallId, CancellationToken)>) -> Self {
        let calls = stops.iter().map(|(call, _)| call.clone()).collect();
        executor.stops().extend(stops);
        Self { executor, calls }
    }
}

impl Drop for Stoppable<'_> {
    fn drop(&mut self) {
        let mut stops = self.executor.stops();
        self.calls.iter().for_each(|call| drop(stops.remove(call)));
    }
}

/// A call, and where it runs.
#[derive(Clone, Copy)]
struct Place<'a> {
    entry: &'a Entry,
    call: &'a Call,
    cx: &'a ToolContext,
    turn: &'a CancellationToken,
}

/// A call that was allowed and ran.
struct Ran {
    attempted: Attempted,
    decision: String,
    took: Duration,
}

/// How a call ended, before its record.
struct Ended {
    outcome: ToolOutcome,
    n_attempts: u32,
    /// How long it ran. Waiting for a person's answer is none of it.
    took: Duration,
    hash: String,
    decision: String,
    refusal: Option<Refusal>,
}

/// What the call touches. A tool that crashes over this question does not run.
pub(crate) fn claims(call: &Call, entry: &Entry, cx: &ToolContext) -> Result<Claims, Refused> {
    let ask = AssertUnwindSafe(|| (entry.claims)(&call.arguments, cx));
    let claims = catch_unwind(ask).unwrap_or_else(|panic| Err(panicked(call, panic.as_ref())));
    claims.map_err(Refused::bad)
}
