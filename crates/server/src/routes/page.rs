//! The page: files that are built in, without a secret in them.

use axum::{
    extract::Path,
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
            VARY,
        },
    },
    response::{IntoResponse as _, Response},
};

use crate::{
    ApiError,
    bundle::{self, Asset},
};

/// Own files only, no inline code, no frames. Text becomes code by the one policy of the library
/// that draws the page, which it uses for the templates that it was built with.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

pub(crate) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    answer("index.html", &headers)
}

pub(crate) async fn file(
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    answer(&format!("page/{name}"), &headers)
}

fn answer(name: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let asset = bundle::find(name).ok_or(ApiError::NoRoute)?;
    let mut response = if is_known(headers, &asset.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        whole(asset, headers)
    };
    dress(response.headers_mut(), asset);
    Ok(response)
}

fn whole(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let kind = (CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    match asset.gzip().filter(|_| takes_gzip(headers)) {
        Some(small) => {
            let encoding = (CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            ([kind, encoding], small).into_response()
        }
        None => ([kind], asset.bytes).into_response(),
    }
}

fn dress(headers: &mut HeaderMap, asset: &Asset) {
    let keep = if asset.is_lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    let policy = HeaderName::from_static("content-security-policy");
    headers.insert(policy, HeaderValue::from_static(POLICY));
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        headers.insert(ETAG, tag);
    }
}

/// The values of a header that is a list.
fn list<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    list(headers, &IF_NONE_MATCH).any(|known| known == tag || known == "*")
}

/// Whether the compressed form may be sent (RFC 9110, 12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    list(headers, &ACCEPT_ENCODING).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|q| q > 0.0)
    })
}
