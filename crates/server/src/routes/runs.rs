//! Stopping what runs, and answering what it asks.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tagline_protocol::{BudgetAnswer, CallId};
use tagline_session::{Answer, Edit, Granted, Scope, Stopping};

use crate::{ApiError, gate::Sent, state::App};

/// How much is stopped.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, tag = "scope", rename_all = "lowercase")]
pub(crate) enum Stop {
    /// One call; the turn goes on.
    Call {
        /// The call.
        call: String,
    },
    /// The turn; what waits begins the next one.
    Turn {},
    /// The turn, and everything that waits.
    All {},
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stopped {
    /// Whether something ran; its end is an event.
    was_running: bool,
}

/// `{id}` is `SESSION:RUN`, or a session, whose turn is meant then. A turn that has ended already
/// is left alone, and so is the one behind it.
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(stop): Sent<Stop>,
) -> Result<Json<Stopped>, ApiError> {
    let (session, run) = id.split_once(':').map_or((&*id, None), |(s, r)| (s, Some(r)));
    let session = app.sessions.find(session).await?.id;
    let is_over = run.is_some_and(|run| app.sessions.running(&session).as_deref() != Some(run));
    if is_over {
        return Ok(Json(Stopped { was_running: false }));
    }
    let scope = match stop {
        Stop::Call { call } => Scope::Call(CallId(call)),
        Stop::Turn {} => Scope::Turn,
        Stop::All {} => Scope::All,
    };
    let stopping = app.sessions.stop(&session, scope).await?;
    Ok(Json(Stopped { was_running: stopping == Stopping::Under }))
}

/// A person's answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reply {
    /// The session that asks.
    session: String,
    /// Whether the call may run.
    allow: bool,
    /// For the model: why not, or what to do instead.
    words: Option<String>,
    /// One of the scopes that were offered: a yes for all of it.
    scope: Option<String>,
    /// Nobody is there to be asked: a no that is nobody's.
    #[serde(default)]
    absent: bool,
    /// A yes to the call with these arguments, all of them. It is judged anew, and asks anew where a
    /// person has to say yes to it.
    arguments: Option<Map<String, Value>>,
    /// A yes to some of the parts of its change: of the blocks of `replace_in_file`, the hunks of
    /// `apply_patch`.
    hunks: Option<Hunks>,
}

/// Some of the parts of a change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hunks {
    /// Those that stay, numbered from 0.
    take: BTreeSet<usize>,
    /// How many were shown.
    of: usize,
}

impl Reply {
    fn answer(self) -> Result<(String, Answer), ApiError> {
        let Self { session, allow, words, scope, absent, arguments, hunks } = self;
        let edit = match (arguments, hunks) {
            (None, None) => None,
            (Some(arguments), None) => Some(Edit::Arguments(arguments)),
            (None, Some(Hunks { take, of })) => Some(Edit::Parts { take, of }),
            (Some(_), Some(_)) => {
                let words = "expected `arguments` or `hunks`, but found both".to_owned();
                return Err(ApiError::Body(words));
            }
        };
        if edit.is_some() && (!allow || absent || scope.is_some() || words.is_some()) {
            let words = "expected `allow: true` and nothing else beside a change of the call";
            return Err(ApiError::Body(words.to_owned()));
        }
        Ok((session, Answer { allow, words, scope, absent, edit }))
    }
}

pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    Sent(reply): Sent<Reply>,
) -> Result<StatusCode, ApiError> {
    let (session, answer) = reply.answer()?;
    let session = app.sessions.find(&session).await?.id;
    app.sessions.answer(&session, &hash, answer).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A person's answer at a bound.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    /// `add`: as much again; `finish`: one more reply without calls; `stop`: here.
    answer: BudgetAnswer,
}

pub(crate) async fn decide(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(Decision { answer }): Sent<Decision>,
) -> Result<StatusCode, ApiError> {
    let session = app.sessions.find(&id).await?.id;
    app.sessions.decide(&session, answer).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the answers of people let run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GrantList {
    grants: Vec<GrantRow>,
}

/// One answer that covers more than its call. It ends with its session, at the latest.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GrantRow {
    /// The session.
    session: String,
    /// What runs without a question.
    scope: String,
    /// The call that asked.
    call: String,
    /// Seconds since it was given.
    age: u64,
}

pub(crate) async fn grants(State(app): State<Arc<App>>) -> Json<GrantList> {
    let row = |it: Granted| GrantRow {
        session: it.session,
        scope: it.scope,
        call: it.call.to_string(),
        age: it.age.as_secs(),
    };
    Json(GrantList { grants: app.sessions.grants().await.into_iter().map(row).collect() })
}

/// An answer to take back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Revoke {
    /// What it covers, as the list of grants says it.
    scope: String,
}

pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(Revoke { scope }): Sent<Revoke>,
) -> Result<StatusCode, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    app.sessions.revoke(&id, &scope).await?;
    Ok(StatusCode::NO_CONTENT)
}
