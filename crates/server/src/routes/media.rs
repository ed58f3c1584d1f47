//! Images that events name by their hash.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{IntoResponse as _, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;
use tagline_session::Image;

use super::files::attachment;
use crate::{ApiError, Blob, gate::Asked, state::App};

/// Where the image may be found.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Whose {
    /// The session whose event names it: then it is found also where it was shown by another
    /// process, or long ago.
    session: Option<String>,
}

/// Digits of a SHA-256.
const DIGITS: usize = 64;

/// What is served as what it is said to be. A browser takes none of it for a page.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The bytes behind a hash never change.
const FOREVER: &str = "private, max-age=31536000, immutable";

pub(crate) async fn media(
    State(app): State<Arc<App>>,
    Path(hash): Path<String>,
    headers: HeaderMap,
    Asked(Whose { session }): Asked<Whose>,
) -> Result<Response, ApiError> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if hash.len() != DIGITS || !hash.bytes().all(is_digit) {
        return Err(ApiError::NoMedia);
    }
    let image = app.sessions.image(&hash, session.as_deref()).await?.ok_or(ApiError::NoMedia)?;
    let tag = format!("\"{hash}\"");
    let is_there =
        headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let mut response = match is_there {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => attachment(blob(image)),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(FOREVER));
    headers.insert(VARY, HeaderValue::from_static("authorization"));
    headers.extend(HeaderValue::from_str(&tag).ok().map(|tag| (ETAG, tag)));
    Ok(response)
}

fn blob(Image { bytes, media_type }: Image) -> Blob {
    let is_image = IMAGES.contains(&media_type.as_str());
    let media_type = if is_image { media_type } else { "application/octet-stream".to_owned() };
    Blob { bytes: bytes.into(), media_type }
}
