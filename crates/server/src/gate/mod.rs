//! What every request passes, in this order, before anything looks at what it wants.
//!
//! Outside of the router: the `Host`, and around it the error contract and the headers of every
//! answer. Inside, where the row of the table is known: whose page asks, the token, the kind of
//! body, and how many are served already.

mod admit;
mod headers;
mod json;
mod once;
mod slots;

use std::{borrow::Cow, panic::AssertUnwindSafe, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, header::RETRY_AFTER},
    response::{IntoResponse as _, Response},
};
use futures_util::FutureExt as _;
use tower::ServiceExt as _;

pub(crate) use admit::admit;
pub(crate) use headers::dress;
pub(crate) use json::{Asked, Private, Sent, bytes_of};
pub(crate) use once::key_of;
pub(crate) use slots::{Requests, StreamSlot, Streams};

use crate::{ApiError, hosts::CalledAs, state::App};

/// Answers one request. Never fails: what goes wrong is an answer too.
pub(crate) async fn answer(app: Arc<App>, router: Router, mut request: Request) -> Response {
    let id = app.request_id();
    let head = format!("{} {}", request.method(), request.uri().path());
    let response = match app.hosts.check(request.uri(), request.headers()) {
        Err(error) => error.into_response(),
        Ok(host) => {
            let called = CalledAs(host.to_owned());
            request.extensions_mut().insert(called);
            let routed = AssertUnwindSafe(router.oneshot(request)).catch_unwind();
            match routed.await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => ApiError::Panic.into_response(),
            }
        }
    };
    let response = finish(&app, response, &id);
    tracing::debug!(request = id, status = response.status().as_u16(), "{head}");
    response
}

/// Writes the error's body, if the answer is one, and the headers that every answer has.
fn finish(app: &App, mut response: Response, id: &str) -> Response {
    let reason = response.extensions_mut().remove::<ApiError>();
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        let error = reason.unwrap_or_else(|| ApiError::of_status(status));
        app.metrics.count(status.as_u16(), error.code().code);
        response = contract(&error, id);
    } else {
        app.metrics.count(status.as_u16(), Cow::Borrowed("ok"));
    }
    dress(response.headers_mut(), id);
    response
}

/// An error as an answer, without the headers of every answer.
pub(crate) fn contract(error: &ApiError, id: &str) -> Response {
    let body = serde_json::to_vec(&error.to_body(id)).unwrap_or_default();
    let mut response = error.clone().into_response();
    response.extensions_mut().remove::<ApiError>();
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    if matches!(error.code().status, 429 | 503) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    *response.body_mut() = Body::from(body);
    response
}
