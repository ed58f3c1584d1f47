//! Sessions: lists, one, its copies, its past.

use std::{path::PathBuf, sync::Arc};

use axum::{
    Json,
    body::Body,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tagline_protocol::{Mode, ShownFact};
use tagline_session::{Asked as Question, BudgetQuestion, NewSession, Queued, Upto};
use tagline_store::{Hit, SessionInfo};

use crate::{
    ApiError, Sessions,
    gate::{Asked, Sent},
    state::App,
};

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionRow {
    /// Identifies it.
    id: String,
    /// Its title; empty before the first message.
    title: String,
    /// When it began, RFC 3339.
    created: String,
    /// When its last event was written, RFC 3339.
    updated: String,
    /// The folder it works in.
    workspace: PathBuf,
    /// Its profile.
    profile: String,
    /// Number of its last event.
    last_seq: u64,
    /// The turn that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

impl SessionRow {
    pub(crate) fn new(info: SessionInfo, sessions: &dyn Sessions) -> Self {
        let SessionInfo { id, created, updated, title, workspace, profile, last_seq } = info;
        let run = sessions.running(&id);
        Self { id, title, created, updated, workspace, profile, last_seq, run }
    }

    pub(crate) fn into_id(self) -> String {
        self.id
    }
}

/// Sessions, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionList {
    sessions: Vec<SessionRow>,
}

/// A session to begin.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Begin {
    /// The folder it works in; absolute. The server's own if none is named.
    workspace: Option<PathBuf>,
    /// Its title; without one it is the first line of the first message.
    title: Option<String>,
}

/// A session with what waits in it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionDetail {
    #[serde(flatten)]
    row: SessionRow,
    /// Messages that wait, in the order in which they are delivered.
    queue: Vec<QueuedRow>,
    /// Questions that wait for a person.
    approvals: Vec<QuestionRow>,
    /// A bound of the turn that is reached; nothing goes on until it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetRow>,
    /// How much runs without a question; absent where the settings of its next turn say.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
}

/// A bound that is reached.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BudgetRow {
    /// The stable word with which the turn would end, such as `max_passes`.
    reason: String,
    /// What was reached, in a sentence.
    message: String,
    /// What adding would add, such as `25 passes`.
    adds: String,
}

/// A message that waits.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct QueuedRow {
    /// Identifies it within the session.
    message: String,
    /// What it says.
    text: String,
    /// `now`, `next_pass` or `when_done`.
    delivery: tagline_protocol::Delivery,
    /// When it was taken in, RFC 3339.
    since: String,
}

impl From<Queued> for QueuedRow {
    fn from(queued: Queued) -> Self {
        let Queued { message, input, delivery, since } = queued;
        Self { message, text: input.text, delivery, since }
    }
}

/// A question that waits for a person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct QuestionRow {
    /// The call.
    call: String,
    /// Its tool.
    tool: String,
    /// Names the question: `/api/approvals/{hash}`.
    hash: String,
    /// Why it asks.
    why: String,
    /// What would run, with nothing hidden.
    shown: String,
    /// What else the answer is bound to, with nothing hidden.
    facts: Vec<ShownFact>,
    /// What a yes may cover beside this call, narrowest first.
    scopes: Vec<String>,
}

impl From<Question> for QuestionRow {
    fn from(asked: Question) -> Self {
        let Question { call, tool, hash, why, shown, facts, scopes } = asked;
        Self { call: call.to_string(), tool, hash, why, shown, facts, scopes }
    }
}

/// Which part of the list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Most sessions; 200 if not said, 1,000 at most.
    limit: Option<usize>,
    /// Sessions to pass over, from the newest on.
    #[serde(default)]
    skip: usize,
}

pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(Page { limit, skip }): Asked<Page>,
) -> Result<Json<SessionList>, ApiError> {
    let limit = limit.unwrap_or(200).min(1_000);
    let sessions = app.sessions.list().await?.into_iter().skip(skip).take(limit);
    let sessions = sessions.map(|info| SessionRow::new(info, &*app.sessions)).collect();
    Ok(Json(SessionList { sessions }))
}

pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Sent(Begin { workspace, title }): Sent<Begin>,
) -> Result<(StatusCode, Json<SessionRow>), ApiError> {
    let row = begin(&app, workspace, title).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

pub(crate) async fn begin(
    app: &App,
    workspace: Option<PathBuf>,
    title: Option<String>,
) -> Result<SessionRow, ApiError> {
    let workspace = workspace.unwrap_or_else(|| app.backstage.workspace());
    if !workspace.is_absolute() {
        let shown = workspace.display();
        return Err(ApiError::Body(format!(
            "`workspace`: expected an absolute path, but found `{shown}`"
        )));
    }
    let profile = Some(app.backstage.profile());
    let info = app.sessions.create(NewSession { workspace, profile, title }).await?;
    Ok(SessionRow::new(info, &*app.sessions))
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<SessionDetail>, ApiError> {
    let info = app.sessions.find(&id).await?;
    let queue = app.sessions.queue(&info.id).await?.into_iter().map(Into::into).collect();
    let approvals = app.sessions.approvals(&info.id).into_iter().map(Into::into).collect();
    let budget = app.sessions.budget(&info.id);
    let budget =
        budget.map(|BudgetQuestion { reason, message, adds }| BudgetRow { reason, message, adds });
    let mode = app.sessions.mode(&info.id).await?;
    let row = SessionRow::new(info, &*app.sessions);
    Ok(Json(SessionDetail { row, queue, approvals, budget, mode }))
}

/// A mode to set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetMode {
    /// `plan`, `ask`, `edit`, `auto` or `full`.
    mode: Mode,
}

pub(crate) async fn set_mode(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(SetMode { mode }): Sent<SetMode>,
) -> Result<StatusCode, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    app.sessions.set_mode(&id, mode).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    // The whole id: what begins like it is another session once it is gone.
    let info = app.sessions.find(&id).await?;
    if info.id != id {
        return Err(ApiError::Address(format!(
            "expected the whole id `{}`, but found `{id}`",
            info.id
        )));
    }
    app.sessions.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Where a copy ends; with neither field it has everything so far.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Copy {
    /// Before this turn, such as `t2`.
    before: Option<String>,
    /// Behind this turn; before it, where it still runs.
    after: Option<String>,
}

pub(crate) async fn fork(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(Copy { before, after }): Sent<Copy>,
) -> Result<(StatusCode, Json<SessionRow>), ApiError> {
    let upto = match (before, after) {
        (Some(turn), None) => Upto::Before(turn),
        (None, Some(turn)) => Upto::After(turn),
        (None, None) => Upto::Now,
        (Some(_), Some(_)) => {
            let words = "expected `before` or `after`, but found both".to_owned();
            return Err(ApiError::Body(words));
        }
    };
    let info = app.sessions.fork(&id, upto).await?;
    Ok((StatusCode::CREATED, Json(SessionRow::new(info, &*app.sessions))))
}

/// What is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// Words, all of which stand at each place.
    q: String,
    /// Most places; 50 if not said, 500 at most.
    limit: Option<usize>,
}

/// Places, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HitList {
    hits: Vec<HitRow>,
}

/// A place where the words stand.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HitRow {
    /// The session.
    session: String,
    /// Number of the frame.
    seq: u64,
    /// When it was written, RFC 3339.
    ts: String,
    /// `user`, `assistant`, `command` or `file`.
    place: &'static str,
    /// The text around the first word, in one line.
    excerpt: String,
}

pub(crate) async fn search(
    State(app): State<Arc<App>>,
    Asked(Search { q, limit }): Asked<Search>,
) -> Result<Json<HitList>, ApiError> {
    let hits = app.sessions.search(&q, limit.unwrap_or(50).min(500)).await?.into_iter();
    let row = |hit: Hit| HitRow {
        session: hit.session,
        seq: hit.seq,
        ts: hit.ts,
        place: hit.place.name(),
        excerpt: hit.excerpt,
    };
    Ok(Json(HitList { hits: hits.map(row).collect() }))
}

/// Records of the journal read in one go.
const PAGE: usize = 500;

pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    let first = page(&app, &id, 0).await?;
    let rest = stream::try_unfold((app, id, first), async |(app, id, (lines, after))| {
        if lines.is_empty() {
            return Ok::<_, ApiError>(None);
        }
        let next = page(&app, &id, after).await?;
        Ok(Some((lines, (app, id, next))))
    });
    let mut response = Body::from_stream(rest).into_response();
    let kind = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    Ok(response)
}

/// The records behind a number, one a line, and the number of the last one.
async fn page(app: &App, id: &str, after: u64) -> Result<(Bytes, u64), ApiError> {
    let records = app.sessions.records(id, after, PAGE).await?;
    let last = records.last().map_or(after, |record| record.seq);
    let lines: String = records.iter().flat_map(|record| [record.json.as_str(), "\n"]).collect();
    Ok((lines.into(), last))
}
