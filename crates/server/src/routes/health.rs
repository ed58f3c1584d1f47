//! Whether the server is well.

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::App;

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
