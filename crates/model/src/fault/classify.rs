//! The one table: what was seen → a code and what to do.
//!
//! Rows are tried in order: what the provider's error says in words, then its own code, then the
//! status. What no row knows fails with its raw status.

use std::time::Duration;

use serde_json::Value;

use super::{FaultClass, retry_after};
use crate::transport::{Headers, TransportFault};

/// What was seen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Signal {
    /// The way broke.
    Transport(TransportFault),
    /// No answer in this time.
    FirstByteTimeout(Duration),
    /// Nothing more in this time.
    IdleTimeout(Duration),
    /// The stream ended without a finish reason.
    NoFinish,
    /// The stream cannot be decoded; why.
    BadStream(String),
    /// The answer is no event stream: its type and first bytes.
    BadAnswer { content_type: Option<String>, begins: String },
    /// The answer points to another origin.
    Redirect { status: u16, location: String },
    /// An error of the provider, by status or as an event of the stream.
    Provider { status: Option<u16>, error: ProviderError, wait: Option<Duration> },
}

impl Signal {
    /// An error in the middle of a stream.
    pub(crate) fn in_stream(status: Option<u16>, error: ProviderError) -> Self {
        let wait = retry_after(&Headers::default(), &error);
        Self::Provider { status, error, wait }
    }
}

/// The provider's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProviderError {
    /// Its types, codes and states, in lower case.
    pub(crate) codes: Vec<String>,
    /// Its sentence.
    pub(crate) message: String,
    /// A wait that it names in the body, such as `7s`.
    pub(crate) retry_delay: Option<String>,
}

impl ProviderError {
    /// Reads the error object of any of the wire formats: `{"error": {…}}`, `{"error": "…"}`,
    /// the object itself, or a list with one of these in it.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let value = value.as_array().map_or(Some(value), |list| list.first())?;
        let error = value.get("error").filter(|error| !error.is_null());
        match error {
            Some(Value::String(message)) => {
                Some(Self { message: message.clone(), ..Self::default() })
            }
            Some(error) => Some(Self::from_object(error)),
            None if value.get("message").is_some() || value.get("detail").is_some() => {
                Some(Self::from_object(value))
            }
            None => None,
        }
    }

    fn from_object(error: &Value) -> Self {
        let word = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_lowercase);
        let sentence = error.get("message").or_else(|| error.get("detail"));
        // OpenRouter wraps the words of the provider behind it.
        let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
        let mut message = match sentence {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        if let Some(raw) = raw {
            message = format!("{message}: {raw}");
        }
        Self {
            codes: ["code", "type", "status"].iter().filter_map(|name| word(name)).collect(),
            message,
            retry_delay: retry_delay(error),
        }
    }

    /// A body that is no JSON.
    pub(crate) fn from_text(text: &str) -> Self {
        Self { message: text.to_owned(), ..Self::default() }
    }

    /// The numeric code that some providers put into the error of a stream.
    pub(crate) fn status_in(value: &Value) -> Option<u16> {
        let code = value.pointer("/error/code").or_else(|| value.pointer("/error/http_status"))?;
        u16::try_from(code.as_u64()?).ok().filter(|code| (400..600).contains(code))
    }
}

/// Google's `RetryInfo`.
fn retry_delay(error: &Value) -> Option<String> {
    let details = error.get("details")?.as_array()?;
    details.iter().find_map(|detail| detail.get("retryDelay")?.as_str().map(str::to_owned))
}

/// Finds the row.
pub(crate) fn classify(signal: &Signal) -> (String, FaultClass) {
    let (code, class) = match signal {
        Signal::Transport(fault) => transport(fault),
        Signal::FirstByteTimeout(_) => ("first_byte", FaultClass::Retry),
        Signal::IdleTimeout(_) | Signal::NoFinish => ("cut", FaultClass::Retry),
        Signal::BadStream(_) => ("bad_stream", FaultClass::Retry),
        Signal::BadAnswer { .. } => ("bad_answer", FaultClass::Fail),
        Signal::Redirect { .. } => ("redirect", FaultClass::AskUser),
        Signal::Provider { status, error, wait } => {
            let (code, class) = provider(*status, error);
            let class = match (class, wait) {
                (FaultClass::Retry, Some(wait)) => FaultClass::RetryAfter(*wait),
                (class, _) => class,
            };
            return (code, class);
        }
    };
    (code.to_owned(), class)
}

fn transport(fault: &TransportFault) -> (&'static str, FaultClass) {
    match fault {
        TransportFault::Refused => ("connect", FaultClass::Retry),
        TransportFault::Dns => ("dns", FaultClass::Retry),
        TransportFault::ConnectTimeout => ("connect_timeout", FaultClass::Retry),
        TransportFault::Tls(_) => ("tls", FaultClass::Fail),
        TransportFault::Reset(_) => ("reset", FaultClass::Retry),
        TransportFault::Broken(_) => ("cut", FaultClass::Retry),
        TransportFault::Unusable(_) => ("bad_request", FaultClass::Fail),
        TransportFault::Cassette(_) => ("cassette", FaultClass::Fail),
    }
}

fn provider(status: Option<u16>, error: &ProviderError) -> (String, FaultClass) {
    let message = error.message.to_lowercase();
    let said = SAID.iter().find(|row| message.contains(row.0));
    let coded = || {
        error.codes.iter().find_map(|code| CODES.iter().find(|row| row.0.contains(&code.as_str())))
    };
    let by_status =
        || status.and_then(|status| STATUSES.iter().find(|row| row.0.contains(&status)));
    let row = said
        .map(|row| (row.1, row.2))
        .or_else(|| coded().map(|row| (row.1, row.2)))
        .or_else(|| by_status().map(|row| (row.1, row.2)));
    match (row, status) {
        (Some((code, class)), _) => (code.to_owned(), class),
        (None, Some(status @ 500..=599)) => (format!("http_{status}"), FaultClass::Retry),
        (None, Some(status)) => (format!("http_{status}"), FaultClass::Fail),
        // An error in mid-stream without any known word.
        (None, None) => ("server".to_owned(), FaultClass::Retry),
    }
}

type Row<K> = (K, &'static str, FaultClass);

/// Words that say more than the code beside them: many providers send `invalid_request_error` for all of these.
const SAID: &[Row<&str>] = &[
    ("prompt is too long", "too_long", FaultClass::Compact),
    ("maximum context length", "too_long", FaultClass::Compact),
    ("context length", "too_long", FaultClass::Compact),
    ("context window", "too_long", FaultClass::Compact),
    ("available context size", "too_long", FaultClass::Compact),
    ("input token count", "too_long", FaultClass::Compact),
    ("too many tokens", "too_long", FaultClass::Compact),
    ("request too large", "too_long", FaultClass::Compact),
    ("credit balance is too low", "quota", FaultClass::AskUser),
    ("insufficient credits", "quota", FaultClass::AskUser),
    ("insufficient balance", "quota", FaultClass::AskUser),
    ("spend limit", "quota", FaultClass::AskUser),
    ("spending limit", "quota", FaultClass::AskUser),
    ("usage limits", "quota", FaultClass::AskUser),
    ("api key not valid", "auth", FaultClass::AskUser),
    ("api key not found", "auth", FaultClass::AskUser),
    ("api key expired", "auth", FaultClass::AskUser),
    ("invalid api key", "auth", FaultClass::AskUser),
    ("try pulling it", "model_not_found", FaultClass::AskUser),
    ("loading model", "loading", FaultClass::Retry),
];

const CODES: &[Row<&[&str]>] = &[
    (
        &[
            "insufficient_quota",
            "billing_error",
            "billing_hard_limit_reached",
            "billing_not_active",
            "insufficient_balance",
            "payment_required",
            "credits_exhausted",
        ],
        "quota",
        FaultClass::AskUser,
    ),
    (
        &[
            "invalid_api_key",
            "authentication_error",
            "invalid_authentication",
            "unauthenticated",
            "unauthorized",
            "api_key_invalid",
        ],
        "auth",
        FaultClass::AskUser,
    ),
    (
        &[
            "permission_error",
            "permission_denied",
            "forbidden",
            "unsupported_country_region_territory",
        ],
        "permission",
        FaultClass::AskUser,
    ),
    (
        &[
            "context_length_exceeded",
            "exceed_context_size_error",
            "string_above_max_length",
            "request_too_large",
        ],
        "too_long",
        FaultClass::Compact,
    ),
    (&["model_not_found", "not_found_error", "not_found"], "model_not_found", FaultClass::AskUser),
    (
        &["content_filter", "content_policy_violation", "moderation_blocked", "prompt_blocked"],
        "content",
        FaultClass::Fail,
    ),
    (
        &["rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests"],
        "rate_limit",
        FaultClass::Retry,
    ),
    (
        &[
            "overloaded_error",
            "overloaded",
            "unavailable",
            "engine_overloaded",
            "unavailable_error",
        ],
        "overloaded",
        FaultClass::Retry,
    ),
    (&["timeout_error", "deadline_exceeded", "timeout"], "timeout", FaultClass::Retry),
    (
        &["api_error", "server_error", "internal_error", "internal", "internal_server_error"],
        "server",
        FaultClass::Retry,
    ),
    (
        &[
            "invalid_request_error",
            "invalid_argument",
            "failed_precondition",
            "bad_request",
            "not_supported_error",
        ],
        "bad_request",
        FaultClass::Fail,
    ),
];

const STATUSES: &[Row<&[u16]>] = &[
    (&[400, 405, 406, 415, 422], "bad_request", FaultClass::Fail),
    (&[401, 407], "auth", FaultClass::AskUser),
    (&[402], "quota", FaultClass::AskUser),
    (&[403, 451], "permission", FaultClass::AskUser),
    (&[404, 410], "model_not_found", FaultClass::AskUser),
    (&[408, 504, 524], "timeout", FaultClass::Retry),
    (&[409, 425], "conflict", FaultClass::Retry),
    (&[413], "too_long", FaultClass::Compact),
    (&[429], "rate_limit", FaultClass::Retry),
    (&[500, 502, 520, 521, 522, 523], "server", FaultClass::Retry),
    (&[503, 529], "overloaded", FaultClass::Retry),
];
