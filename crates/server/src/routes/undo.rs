//! What calls changed, and the way back.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use schemars::JsonSchema;
use serde::Deserialize;
use tagline_session::HubError;

use crate::{
    ApiError, Changes, How, Undone, Which,
    gate::{Asked, Sent},
    state::App,
};

/// Whose changes are meant; the newest ones that are not undone, where nothing is named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Whose {
    /// Of this call, such as `t2.1`, or of this undo, such as `u1`.
    call: Option<String>,
    /// Of this turn, from 1.
    turn: Option<u32>,
}

fn which(call: Option<String>, turn: Option<u32>) -> Result<Which, ApiError> {
    match (call, turn) {
        (Some(call), None) => Ok(Which::Call(call)),
        (None, Some(turn)) => Ok(Which::Turn(turn)),
        (None, None) => Ok(Which::Last),
        (Some(_), Some(_)) => {
            Err(ApiError::Address("expected `call` or `turn`, but found both".to_owned()))
        }
    }
}

pub(crate) async fn changes(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Asked(Whose { call, turn }): Asked<Whose>,
) -> Result<Json<Changes>, ApiError> {
    let which = which(call, turn)?;
    let id = app.sessions.find(&id).await?.id;
    Ok(Json(app.backstage.undo().changes(&id, which).await?))
}

/// What is brought back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BringBack {
    /// What this call changed, such as `t2.1`; or an undo, such as `u1`.
    call: Option<String>,
    /// What this turn changed, from 1; the newest one that is not undone, where nothing is named.
    turn: Option<u32>,
    /// Only say what would be done.
    #[serde(default)]
    dry_run: bool,
    /// Also what was changed since.
    #[serde(default)]
    force: bool,
}

/// While a turn runs, its calls may be at the same files: nothing is brought back then.
pub(crate) async fn undo(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Sent(BringBack { call, turn, dry_run, force }): Sent<BringBack>,
) -> Result<Json<Undone>, ApiError> {
    let which = which(call, turn)?;
    let session = app.sessions.find(&id).await?.id;
    match app.sessions.running(&session) {
        Some(run) if !dry_run => Err(HubError::Running { session, run }.into()),
        Some(_) | None => {
            let how = How { is_dry: dry_run, is_forced: force };
            Ok(Json(app.backstage.undo().undo(&session, which, how).await?))
        }
    }
}
