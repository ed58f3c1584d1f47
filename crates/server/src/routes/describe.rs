//! What the server says of itself.

use axum::Json;
use serde_json::Value;

use crate::docs;

pub(crate) async fn api() -> Json<Value> {
    Json(docs::openapi())
}

pub(crate) async fn events() -> Json<Value> {
    Json(docs::event_schema())
}
