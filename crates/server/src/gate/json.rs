//! Bodies and addresses, read within bounds.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::request::Parts,
};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::{ApiError, state::App};

/// A JSON body.
#[derive(Debug)]
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Sent<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let body = object(request, app).await?;
        let read = serde_json::from_slice(&body);
        read.map(Self).map_err(|error| ApiError::Body(error.to_string()))
    }
}

/// A JSON body with a secret in it: what is wrong is told without a word of it.
#[derive(Debug)]
pub(crate) struct Private<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Private<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let body = object(request, app).await?;
        serde_json::from_slice(&body).map(Self).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            ApiError::Body(format!("line {line} goes wrong at column {column}"))
        })
    }
}

/// The bytes of what may be a JSON object.
async fn object(request: Request, app: &Arc<App>) -> Result<Bytes, ApiError> {
    let limits = &app.limits;
    let body = bytes_of(request.into_body(), limits.body_bytes, limits.body_time).await?;
    check_depth(&body, limits.depth)?;
    // A list of fields in their order would read too, and is nothing that anybody means.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(ApiError::Body("expected an object".to_owned()));
    }
    Ok(body)
}

/// What stands behind the question mark.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<App>> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        query.map(|Query(asked)| Self(asked)).map_err(|error| ApiError::Address(error.body_text()))
    }
}

/// The whole body, if it is small and there in time.
pub(crate) async fn bytes_of(body: Body, limit: usize, time: Duration) -> Result<Bytes, ApiError> {
    let whole = tokio::time::timeout(time, Limited::new(body, limit).collect()).await;
    match whole {
        Err(_) => Err(ApiError::BodyTime { seconds: time.as_secs() }),
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::BodySize { limit }),
        Ok(Err(_)) => Err(ApiError::BodyCut),
    }
}

/// Counts brackets outside of strings; what is no JSON is found by the reader behind.
fn check_depth(json: &[u8], limit: usize) -> Result<(), ApiError> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return Err(ApiError::Depth { limit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_nest_nothing() {
        let text = format!(r#"{{"a":"{}\"["}}"#, "[".repeat(100));
        assert_eq!(check_depth(text.as_bytes(), 1), Ok(()));
    }

    #[test]
    fn the_limit_is_the_deepest_that_passes() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(check_depth(nested(64).as_bytes(), 64), Ok(()));
        assert_eq!(check_depth(nested(65).as_bytes(), 64), Err(ApiError::Depth { limit: 64 }));
    }
}
