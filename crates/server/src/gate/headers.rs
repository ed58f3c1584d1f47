//! Headers of every answer, whatever it is.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// What a browser may do with an answer. The page's own policy is set by its route; everything
/// else is data, and data may do nothing.
const EVERY: &[(&str, &str)] = &[
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("origin-agent-cluster", "?1"),
    (
        "permissions-policy",
        "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), display-capture=(), \
         encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), \
         idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), \
         publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
         window-management=(), xr-spatial-tracking=()",
    ),
    ("cache-control", "no-store"),
];

/// Adds what is not there yet, and the request's id.
pub(crate) fn dress(headers: &mut HeaderMap, id: &str) {
    for (name, value) in EVERY {
        let name = HeaderName::from_static(name);
        headers.entry(name).or_insert_with(|| HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
}
