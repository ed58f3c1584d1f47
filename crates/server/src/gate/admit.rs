//! Who may use which row of the table.

use std::sync::Arc;

use axum::{
    extract::{MatchedPath, Request, State},
    http::{
        HeaderMap,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
    middleware::Next,
    response::Response,
};

use super::once::{key_of, once};
use crate::{
    ApiError, Door,
    hosts::{CalledAs, check_origin, is_visit},
    routes::{self, Reads, Repeats},
    state::{App, Grant},
};

/// Lets a request through to its handler, or says why not. What the table does not have asks for
/// the token like everything else.
pub(crate) async fn admit(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    // Before the token is looked at, so that no rotation is missed by a stream that it opens.
    let grant = Grant(app.tokens.rotations());
    request.extensions_mut().insert(grant);
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let found = path.and_then(|path| routes::find(request.method(), path));
    let door = found.map_or(Door::Token, |(_, route)| route.door);
    let headers = request.headers();
    let is_harmless = door == Door::Page && is_visit(headers);
    if !is_harmless {
        check_origin(CalledAs::of(request.extensions()), headers)?;
    }
    if door == Door::Token {
        check_token(&app, headers)?;
    }
    let Some((n, route)) = found else { return Ok(next.run(request).await) };
    check_kind(route.reads, headers)?;
    let _slot = app.requests.take(n)?;
    let key = if route.repeats == Repeats::Once { key_of(headers)? } else { None };
    match key {
        Some(key) => once(&app, key, request, next).await,
        None => Ok(next.run(request).await),
    }
}

/// The one place where a credential is read: one header, one scheme.
fn check_token(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(ApiError::NoToken);
    };
    let (scheme, token) =
        value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(ApiError::NoToken)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(ApiError::NoToken);
    }
    if app.tokens.is_token(token) { Ok(()) } else { Err(ApiError::WrongToken) }
}

/// Before the body is read: a kind that a form or a foreign page could send without asking first
/// is never taken.
fn check_kind(reads: Reads, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(expected) = reads.content_type() else { return Ok(()) };
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(ApiError::ContentType { expected });
    };
    let text = value.to_str().unwrap_or_default();
    let (kind, more) = text.split_once(';').unwrap_or((text, ""));
    let is_plain = more.trim().is_empty() || more.trim().eq_ignore_ascii_case("charset=utf-8");
    if kind.trim().eq_ignore_ascii_case(expected) && is_plain {
        return Ok(());
    }
    Err(ApiError::ContentType { expected })
}
