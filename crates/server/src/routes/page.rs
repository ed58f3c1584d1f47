//! The page: a few files, built in, without a secret in them.

use axum::{
    extract::Path,
    http::{HeaderName, HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};

use crate::ApiError;

/// Own files only, no inline code, no frames, and no way for text to become code.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

const INDEX: &str = include_str!("../../page/index.html");
const STYLE: &str = include_str!("../../page/page.css");
const SCRIPTS: [(&str, &str); 3] = [
    ("page.js", include_str!("../../page/page.js")),
    ("tail.js", include_str!("../../page/tail.js")),
    ("log.js", include_str!("../../page/log.js")),
];

pub(crate) async fn index() -> Response {
    built_in("text/html; charset=utf-8", INDEX)
}

pub(crate) async fn file(Path(name): Path<String>) -> Result<Response, ApiError> {
    if name == "page.css" {
        return Ok(built_in("text/css; charset=utf-8", STYLE));
    }
    let script = SCRIPTS.iter().find(|(script, _)| *script == name);
    let (_, text) = script.ok_or(ApiError::NoRoute)?;
    Ok(built_in("text/javascript; charset=utf-8", text))
}

fn built_in(kind: &'static str, text: &'static str) -> Response {
    let policy = HeaderName::from_static("content-security-policy");
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (policy, HeaderValue::from_static(POLICY)),
    ];
    (headers, text).into_response()
}
