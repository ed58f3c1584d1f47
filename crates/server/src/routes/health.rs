//! Whether the server is well, what it is set to, and what it counts.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{ApiError, Check, ModelRow, checks, metrics::Now, state::App};

/// The server answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Alive {
    /// `ok`.
    status: &'static str,
    /// Of the program.
    version: String,
}

pub(crate) async fn alive(State(app): State<Arc<App>>) -> Json<Alive> {
    Json(Alive { status: "ok", version: app.version.clone() })
}

/// Whether work can be taken in. Which part is not well is told to who has the token.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Alive>, ApiError> {
    let checks = checks::all(&app).await;
    if checks.iter().all(|check| check.is_well) {
        return Ok(Json(Alive { status: "ready", version: app.version.clone() }));
    }
    Err(ApiError::NotReady("a part of the server is not well".to_owned()))
}

/// Each part of the server.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HealthReport {
    /// Whether all are well.
    is_well: bool,
    /// Nothing begins by itself, because the server was started too often in a short time.
    is_safe_mode: bool,
    /// Each part.
    checks: Vec<Check>,
}

pub(crate) async fn report(State(app): State<Arc<App>>) -> Json<HealthReport> {
    let checks = checks::all(&app).await;
    let is_well = checks.iter().all(|check| check.is_well);
    Json(HealthReport { is_well, is_safe_mode: app.sessions.vitals().is_safe_mode, checks })
}

pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let now = Now {
        health: app.sessions.health(),
        streams: app.streams.count(),
        checks: checks::all(&app).await,
        providers: app.backstage.providers(),
    };
    let text = app.metrics.text(&now);
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// What is set.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Settings {
    /// Of the program.
    version: String,
    /// The profile of this server.
    profile: String,
    /// The folder of a session for which none is named.
    workspace: String,
    /// What is set, and where each value comes from.
    config: Value,
}

pub(crate) async fn config(State(app): State<Arc<App>>) -> Json<Settings> {
    Json(Settings {
        version: app.version.clone(),
        profile: app.backstage.profile(),
        workspace: app.backstage.workspace().display().to_string(),
        config: app.backstage.config(),
    })
}

/// The models that were found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ModelList {
    models: Vec<ModelRow>,
}

pub(crate) async fn models(State(app): State<Arc<App>>) -> Json<ModelList> {
    Json(ModelList { models: app.backstage.models().await })
}
