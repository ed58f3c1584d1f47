//! A request that is sent twice under one key is done once.
//!
//! Messages carry their key to the hub, which keeps it with the message by one stroke; every other
//! route that changes something is covered here.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::FutureExt as _;
use serde::{Deserialize, Serialize};
use tagline_store::{Claim, Claimed, Settled};

use super::json::bytes_of;
use crate::{ApiError, state::App};

/// Longest key, in characters.
const LONGEST: usize = 200;

/// The key of a request, if it has one.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let is_visible = |text: &&str| {
        (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match (value.to_str().ok().filter(is_visible), values.next()) {
        (Some(key), None) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::BadKey { limit: LONGEST }),
    }
}

/// An answer as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    status: u16,
    body: String,
}

/// Does the request, or gives the answer that it had before.
pub(crate) async fn once(
    app: &Arc<App>,
    key: String,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = bytes_of(body, app.limits.body_bytes, app.limits.body_time).await?;
    let address = parts.uri.path_and_query().map_or("", |address| address.as_str());
    let whole = [parts.method.as_str().as_bytes(), address.as_bytes(), &body].join(&0);
    let claim = Claim::new(&key, &whole, &app.backstage.now());
    match app.sessions.claim(claim).await? {
        Claimed::Pending => Err(ApiError::KeyPending),
        Claimed::Answered(answer) => Ok(again(&answer)),
        Claimed::Mine => {
            let request = Request::from_parts(parts, Body::from(body));
            let work = to_its_end(Arc::clone(app), key, request, next);
            // A client that goes away does not leave the key behind, half done.
            app.tasks.spawn(work).await.map_err(|_| ApiError::Panic)?
        }
    }
}

async fn to_its_end(
    app: Arc<App>,
    key: String,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => keep(&app, key, response).await,
        Err(_) => {
            app.sessions.unclaim(&key).await?;
            Err(ApiError::Panic)
        }
    }
}

/// The answer of the first time.
fn again(answer: &str) -> Response {
    let Ok(Kept { status, body }) = serde_json::from_str(answer) else {
        return ApiError::Panic.into_response();
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
    response
}

/// Keeps a success; what was refused changed nothing and may be tried again.
async fn keep(app: &App, key: String, response: Response) -> Result<Response, ApiError> {
    if !response.status().is_success() {
        app.sessions.unclaim(&key).await?;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = bytes_of(body, usize::MAX, app.limits.body_time).await?;
    let text = String::from_utf8_lossy(&body).into_owned();
    let kept = Kept { status: parts.status.as_u16(), body: text };
    let answer = serde_json::to_string(&kept).unwrap_or_default();
    app.sessions.settle(Settled { key, answer }).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}
