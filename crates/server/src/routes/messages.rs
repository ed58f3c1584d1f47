//! What is said to a session, and what happens there.

use std::{path::PathBuf, sync::Arc};

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tagline_protocol::{Delivery, Media, UserInput};
use tagline_session::{IdempotencyKey, Message, Place, Position, Sent as Taken};

use super::sessions::{QueuedRow, begin};
use crate::{
    ApiError,
    gate::{Asked, Sent, key_of},
    state::{App, Grant, Peer},
    stream::{self, Until},
};

/// Where the stream begins.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    /// What was seen already: a number, or what an `id` line said. The header `Last-Event-ID`
    /// means the same and counts more.
    after: Option<String>,
}

pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Extension(grant): Extension<Grant>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(After { after }): Asked<After>,
) -> Result<Response, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    let last = headers.get("last-event-id");
    let last = last.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let position = Position::read(&id, &last.or(after).unwrap_or_default());
    let watched = app.sessions.watch(&id, position).await?;
    stream::answer(&app, &peer, grant, id, watched, Until::Never)
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Say {
    /// What it says.
    text: String,
    /// Images.
    #[serde(default)]
    media: Vec<Media>,
    /// When it is to be delivered, if a turn runs: `now` stops the turn, `next_pass` enters it,
    /// `when_done` waits for its end.
    #[serde(default)]
    delivery: Delivery,
}

/// A message that was taken in; it is in the journal.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Received {
    /// The session.
    session: String,
    /// Identifies the message within it.
    message: String,
    /// The turn that it begins or enters.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// Its place among those that wait, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<usize>,
}

impl Received {
    fn new(session: String, taken: Taken) -> Self {
        let (run, place) = match taken.place {
            Place::Run(run) => (Some(run), None),
            Place::Queue(place) => (None, Some(place)),
            Place::Gone => (None, None),
        };
        Self { session, message: taken.message, run, place }
    }
}

fn message(say: Say, headers: &HeaderMap) -> Result<Message, ApiError> {
    let Say { text, media, delivery } = say;
    let key = key_of(headers)?.map(IdempotencyKey);
    Ok(Message { input: UserInput { text, media }, delivery, key })
}

pub(crate) async fn send(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Sent(say): Sent<Say>,
) -> Result<(StatusCode, Json<Received>), ApiError> {
    let id = app.sessions.find(&id).await?.id;
    let taken = app.sessions.send(&id, message(say, &headers)?).await?;
    Ok((StatusCode::ACCEPTED, Json(Received::new(id, taken))))
}

/// No facts are needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Continue {}

/// A turn that goes on where the last one ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Continued {
    /// The session.
    session: String,
    /// The new turn.
    run: String,
}

pub(crate) async fn go_on(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(Continue {}): Sent<Continue>,
) -> Result<(StatusCode, Json<Continued>), ApiError> {
    let session = app.sessions.find(&id).await?.id;
    let run = app.sessions.go_on(&session).await?;
    Ok((StatusCode::ACCEPTED, Json(Continued { session, run })))
}

/// A message, and in which session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chat {
    /// The session; a new one if none is named.
    session: Option<String>,
    /// Where a new session works; absolute.
    workspace: Option<PathBuf>,
    /// What the message says.
    text: String,
    /// Images.
    #[serde(default)]
    media: Vec<Media>,
    /// When it is to be delivered, if a turn runs.
    #[serde(default)]
    delivery: Delivery,
}

/// The message goes in, the events of the turn that answers it come out. Closing the connection
/// stops nothing: go on with `/api/sessions/{id}/events`.
pub(crate) async fn chat(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Extension(grant): Extension<Grant>,
    headers: HeaderMap,
    Sent(chat): Sent<Chat>,
) -> Result<Response, ApiError> {
    let Chat { session, workspace, text, media, delivery } = chat;
    let message = message(Say { text, media, delivery }, &headers)?;
    let id = match session {
        Some(session) => app.sessions.find(&session).await?.id,
        None => begin(&app, workspace, None).await?.into_id(),
    };
    let after = app.sessions.find(&id).await?.last_seq;
    let taken = app.sessions.send(&id, message).await?;
    let until = Until::AnswerTo(taken.message);
    let position = if after == 0 { Position::Start } else { Position::After(after) };
    let watched = app.sessions.watch(&id, position).await?;
    stream::answer(&app, &peer, grant, id, watched, until)
}

/// Messages that wait, in the order in which they are delivered.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct QueueList {
    queue: Vec<QueuedRow>,
}

pub(crate) async fn queue(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<QueueList>, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    let queue = app.sessions.queue(&id).await?.into_iter().map(Into::into).collect();
    Ok(Json(QueueList { queue }))
}

pub(crate) async fn unqueue(
    State(app): State<Arc<App>>,
    Path((id, message)): Path<(String, String)>,
) -> Result<Json<QueuedRow>, ApiError> {
    let id = app.sessions.find(&id).await?.id;
    Ok(Json(app.sessions.unqueue(&id, &message).await?.into()))
}
