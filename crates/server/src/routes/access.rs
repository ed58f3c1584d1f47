//! Getting the token, and a new one.

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ApiError, gate::Sent, state::App};

/// What is traded.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trade {
    /// From the fragment of the start link.
    code: String,
}

/// No facts are needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// A token.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Token {
    /// For the header `Authorization: Bearer TOKEN`.
    token: String,
}

pub(crate) async fn trade(
    State(app): State<Arc<App>>,
    Sent(Trade { code }): Sent<Trade>,
) -> Result<Json<Token>, ApiError> {
    let token = app.tokens.trade(&code).ok_or(ApiError::WrongCode)?;
    Ok(Json(Token { token }))
}

pub(crate) async fn rotate(
    State(app): State<Arc<App>>,
    Sent(Nothing {}): Sent<Nothing>,
) -> Result<Json<Token>, ApiError> {
    let tokens = Arc::clone(&app.tokens);
    // The file is synced to the disk.
    let rotated = tokio::task::spawn_blocking(move || tokens.rotate()).await;
    let token = rotated.map_err(|_| ApiError::Panic)?;
    token.map(|token| Json(Token { token })).map_err(|error| {
        tracing::error!("{error}");
        ApiError::TokenFile
    })
}
