//! The one table: what was seen → a code and what to do.
//!
//! Rows are tried in order, first those of words, then those of codes, then those of statuses. A header
//! that names a wait makes `Retry` a `RetryAfter`. What is in no row fails with its raw code.

use super::FaultClass::{self, AskUser, Compact, Fail, Retry};

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) sign: Sign,
    pub(super) code: &'static str,
    pub(super) class: FaultClass,
}

/// By what a fault is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    /// The way to the provider.
    Way(Way),
    /// What came is no answer, or not a whole one.
    Damage(Damage),
    /// The provider's sentence has these words, in lower case. Many providers send
    /// `invalid_request_error` beside any of them.
    Said(&'static str),
    /// The provider's own code is one of these, in lower case; also in an event of the stream.
    Code(&'static [&'static str]),
    /// The HTTP status is one of these.
    Status(&'static [u16]),
}

/// How the way breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Nobody listens.
    Refused,
    /// The name has no address.
    NoName,
    /// No connection in time.
    TooSlow,
    /// No secure connection.
    NotSecure,
    /// Torn down before the answer.
    Reset,
    /// Torn down in the answer.
    Broken,
    /// The request cannot be sent.
    Unusable,
    /// The cassette does not fit.
    Cassette,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    /// None came in time.
    NoAnswer,
    /// It stopped before its end, or fell silent.
    Cut,
    /// It cannot be decoded.
    BadStream,
    /// It is something else than a stream.
    NoStream,
    /// It points to another host.
    Elsewhere,
}

impl Sign {
    pub(super) fn is_way(&self, seen: Way) -> bool {
        matches!(self, Self::Way(way) if *way == seen)
    }

    pub(super) fn is_damage(&self, seen: Damage) -> bool {
        matches!(self, Self::Damage(damage) if *damage == seen)
    }

    pub(super) fn is_said_in(&self, message: &str) -> bool {
        matches!(self, Self::Said(words) if message.contains(words))
    }

    pub(super) fn is_code(&self, seen: &str) -> bool {
        matches!(self, Self::Code(codes) if codes.contains(&seen))
    }

    pub(super) fn is_status(&self, seen: u16) -> bool {
        matches!(self, Self::Status(statuses) if statuses.contains(&seen))
    }
}

const fn row(sign: Sign, code: &'static str, class: FaultClass) -> Row {
    Row { sign, code, class }
}

/// All that is known.
pub(super) const TABLE: &[Row] = &[
    row(Sign::Way(Way::Refused), "connect", Retry),
    row(Sign::Way(Way::NoName), "dns", Retry),
    row(Sign::Way(Way::TooSlow), "connect_timeout", Retry),
    row(Sign::Way(Way::NotSecure), "tls", Fail),
    row(Sign::Way(Way::Reset), "reset", Retry),
    row(Sign::Way(Way::Broken), "cut", Retry),
    row(Sign::Way(Way::Unusable), "bad_request", Fail),
    row(Sign::Way(Way::Cassette), "cassette", Fail),
    row(Sign::Damage(Damage::NoAnswer), "first_byte", Retry),
    row(Sign::Damage(Damage::Cut), "cut", Retry),
    row(Sign::Damage(Damage::BadStream), "bad_stream", Retry),
    row(Sign::Damage(Damage::NoStream), "bad_answer", Fail),
    row(Sign::Damage(Damage::Elsewhere), "redirect", AskUser),
    row(Sign::Said("prompt is too long"), "too_long", Compact),
    row(Sign::Said("maximum context length"), "too_long", Compact),
    row(Sign::Said("context length"), "too_long", Compact),
    row(Sign::Said("context window"), "too_long", Compact),
    row(Sign::Said("available context size"), "too_long", Compact),
    row(Sign::Said("input token count"), "too_long", Compact),
    row(Sign::Said("too many tokens"), "too_long", Compact),
    row(Sign::Said("request too large"), "too_long", Compact),
    row(Sign::Said("credit balance is too low"), "quota", AskUser),
    row(Sign::Said("insufficient credits"), "quota", AskUser),
    row(Sign::Said("insufficient balance"), "quota", AskUser),
    row(Sign::Said("spend limit"), "quota", AskUser),
    row(Sign::Said("spending limit"), "quota", AskUser),
    row(Sign::Said("usage limits"), "quota", AskUser),
    row(Sign::Said("api key not valid"), "auth", AskUser),
    row(Sign::Said("api key not found"), "auth", AskUser),
    row(Sign::Said("api key expired"), "auth", AskUser),
    row(Sign::Said("invalid api key"), "auth", AskUser),
    row(Sign::Said("try pulling it"), "model_not_found", AskUser),
    row(Sign::Said("loading model"), "loading", Retry),
    row(
        Sign::Code(&[
            "insufficient_quota",
            "billing_error",
            "billing_hard_limit_reached",
            "billing_not_active",
            "insufficient_balance",
            "payment_required",
            "credits_exhausted",
        ]),
        "quota",
        AskUser,
    ),
    row(
        Sign::Code(&[
            "invalid_api_key",
            "authentication_error",
            "invalid_authentication",
            "unauthenticated",
            "unauthorized",
            "api_key_invalid",
        ]),
        "auth",
        AskUser,
    ),
    row(
        Sign::Code(&[
            "permission_error",
            "permission_denied",
            "forbidden",
            "unsupported_country_region_territory",
        ]),
        "permission",
        AskUser,
    ),
    row(
        Sign::Code(&[
            "context_length_exceeded",
            "exceed_context_size_error",
            "string_above_max_length",
            "request_too_large",
        ]),
        "too_long",
        Compact,
    ),
    row(
        Sign::Code(&["model_not_found", "not_found_error", "not_found", "notfounderror"]),
        "model_not_found",
        AskUser,
    ),
    row(
        Sign::Code(&[
            "content_filter",
            "content_policy_violation",
            "moderation_blocked",
            "prompt_blocked",
        ]),
        "content",
        Fail,
    ),
    row(
        Sign::Code(&[
            "rate_limit_error",
            "rate_limit_exceeded",
            "resource_exhausted",
            "too_many_requests",
        ]),
        "rate_limit",
        Retry,
    ),
    row(
        Sign::Code(&[
            "overloaded_error",
            "overloaded",
            "unavailable",
            "engine_overloaded",
            "server_is_overloaded",
            "unavailable_error",
        ]),
        "overloaded",
        Retry,
    ),
    row(Sign::Code(&["timeout_error", "deadline_exceeded", "timeout"]), "timeout", Retry),
    row(
        Sign::Code(&[
            "api_error",
            "server_error",
            "internal_error",
            "internal",
            "internal_server_error",
            "internalservererror",
        ]),
        "server",
        Retry,
    ),
    row(
        Sign::Code(&[
            "invalid_request_error",
            "invalid_argument",
            "failed_precondition",
            "bad_request",
            "not_supported_error",
            "badrequesterror",
        ]),
        "bad_request",
        Fail,
    ),
    row(Sign::Status(&[400, 405, 406, 415, 422]), "bad_request", Fail),
    row(Sign::Status(&[401, 407]), "auth", AskUser),
    row(Sign::Status(&[402]), "quota", AskUser),
    row(Sign::Status(&[403, 451]), "permission", AskUser),
    row(Sign::Status(&[404, 410]), "model_not_found", AskUser),
    row(Sign::Status(&[408, 504, 524]), "timeout", Retry),
    row(Sign::Status(&[409, 425]), "conflict", Retry),
    row(Sign::Status(&[413]), "too_long", Compact),
    row(Sign::Status(&[429]), "rate_limit", Retry),
    row(Sign::Status(&[500, 502, 520, 521, 522, 523]), "server", Retry),
    row(Sign::Status(&[503, 529]), "overloaded", Retry),
];
