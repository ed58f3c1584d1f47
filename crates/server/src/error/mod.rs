//! What an answer says that is no success: the words of the interface, in one place.

mod hub;

use std::borrow::Cow;

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tagline_session::HubError;

use crate::{FileProblem, NameError, SetupProblem, UndoProblem};

/// Why a request was not served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The `Host` is not one of ours.
    #[error("expected one `Host` of this server, but found {found}")]
    Host {
        /// In words.
        found: &'static str,
    },
    /// Another site's page asks.
    #[error("expected a request of this server's own page or of a program, but {found}")]
    Foreign {
        /// In words.
        found: &'static str,
    },
    /// No token.
    #[error("expected the header `Authorization: Bearer TOKEN`, but found none that reads so")]
    NoToken,
    /// Another token.
    #[error("the token is not the one of this server")]
    WrongToken,
    /// The start code is unknown, spent or too old.
    #[error("the start code was used before, is older than a minute, or was never given out")]
    WrongCode,
    /// A body of another kind.
    #[error("expected the content type `{expected}`, but found another one or none")]
    ContentType {
        /// What the route reads.
        expected: &'static str,
    },
    /// More bytes than the route reads.
    #[error("the body has more than {limit} bytes")]
    BodySize {
        /// Most bytes.
        limit: usize,
    },
    /// The body came too slowly.
    #[error("the body was not there within {seconds} seconds")]
    BodyTime {
        /// The limit.
        seconds: u64,
    },
    /// The connection broke while the body came.
    #[error("the body ended early")]
    BodyCut,
    /// Nested too deeply.
    #[error("the JSON is nested deeper than {limit}")]
    Depth {
        /// Deepest nesting.
        limit: usize,
    },
    /// The body is no JSON, or not the expected one.
    #[error("the body does not read: {0}")]
    Body(String),
    /// A part of the address does not read.
    #[error("the address does not read: {0}")]
    Address(String),
    /// The request's head is no HTTP.
    #[error("the head of the request is not HTTP/1.1")]
    Head,
    /// More headers, or longer ones, than are read.
    #[error("the head of the request has more than {headers} headers or {bytes} bytes")]
    HeadSize {
        /// Most headers.
        headers: usize,
        /// Most bytes.
        bytes: usize,
    },
    /// The head came too slowly.
    #[error("the head of the request was not there within {seconds} seconds")]
    HeadTime {
        /// The limit.
        seconds: u64,
    },
    /// Too many streams at once.
    #[error("{limit} streams of this client are open already")]
    Streams {
        /// Most of them.
        limit: usize,
    },
    /// Too many requests at once.
    #[error("{limit} requests for this route are being served already")]
    Busy {
        /// Most of them.
        limit: usize,
    },
    /// No such address.
    #[error("there is nothing at this address")]
    NoRoute,
    /// The address is there, for another method.
    #[error("this address does not take the method")]
    Method,
    /// The sessions say no.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The file system says no.
    #[error(transparent)]
    File(#[from] FileProblem),
    /// What is kept of changes says no.
    #[error(transparent)]
    Undo(#[from] UndoProblem),
    /// What is known of providers, keys and settings says no.
    #[error(transparent)]
    Setup(#[from] SetupProblem),
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// No such image.
    #[error("there is no image with this hash")]
    NoMedia,
    /// The key of the request is none.
    #[error("expected an `Idempotency-Key` of 1 to {limit} visible characters")]
    BadKey {
        /// Most characters.
        limit: usize,
    },
    /// A request with the same key is being worked on.
    #[error("a request with this `Idempotency-Key` is being worked on")]
    KeyPending,
    /// A part is not well.
    #[error("not ready: {0}")]
    NotReady(String),
    /// The token's file cannot be written.
    #[error("the file of the token cannot be written, so the token stays as it is")]
    TokenFile,
    /// A handler panicked.
    #[error("the server made a mistake and could not answer; other requests are not affected")]
    Panic,
}

/// A row of the contract: what stays the same about an error, whatever its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The status.
    pub status: u16,
    /// A stable word for programs.
    pub code: Cow<'static, str>,
    /// What to do.
    pub hint: &'static str,
}

/// What to do, where it is the same for several.
mod hints {
    pub(super) const ADDRESS: &str =
        "use the address that `tagline serve` printed, or name this host with `--host`";
    pub(super) const TOKEN: &str = "print the token with `tagline token show`";
    pub(super) const CONTENT_TYPE: &str = "set the header `Content-Type` and send such a body";
    pub(super) const COMPARE: &str = "compare the request with `/openapi.json`";
    pub(super) const AGAIN: &str = "send the request again";
}

const fn row(status: u16, code: &'static str, hint: &'static str) -> Code {
    Code { status, code: Cow::Borrowed(code), hint }
}

impl ApiError {
    /// Its row.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Hub(error) => hub::row_of(error),
            Self::File(problem) => file(problem),
            Self::Undo(problem) => undo(problem),
            Self::Setup(problem) => setup(problem),
            Self::Name(_) => row(400, "bad_name", "use another name"),
            Self::NoMedia => row(404, "no_media", "take the hash from an event"),
            Self::BadKey { .. } => row(400, "bad_key", "send a key such as a UUID, or none"),
            Self::KeyPending => row(409, "key_pending", "wait a second and send it again"),
            Self::NotReady(_) => row(503, "not_ready", "see `/api/health` for each part"),
            Self::Host { .. } => row(403, "host_not_allowed", hints::ADDRESS),
            Self::Foreign { .. } => row(403, "foreign_origin", hints::ADDRESS),
            Self::NoToken => row(401, "token_missing", hints::TOKEN),
            Self::WrongToken => row(401, "token_wrong", hints::TOKEN),
            Self::WrongCode => row(
                401,
                "code_wrong",
                "give the token that `tagline token show` prints, or start the server again for a new link",
            ),
            Self::ContentType { .. } => row(415, "content_type", hints::CONTENT_TYPE),
            Self::BodySize { .. } => row(413, "body_too_large", "send less, or upload a file"),
            Self::BodyTime { .. } => row(408, "body_timeout", hints::AGAIN),
            Self::BodyCut => row(400, "body_cut", hints::AGAIN),
            Self::Depth { .. } => row(400, "json_too_deep", "send a flatter value"),
            Self::Body(_) => row(400, "bad_body", hints::COMPARE),
            Self::Address(_) => row(400, "bad_address", hints::COMPARE),
            Self::Head => row(400, "bad_head", "send a valid HTTP/1.1 request"),
            Self::HeadSize { .. } => row(431, "head_too_large", "send fewer or shorter headers"),
            Self::HeadTime { .. } => row(408, "head_timeout", hints::AGAIN),
            Self::Streams { .. } => row(429, "too_many_streams", "close one of them first"),
            Self::Busy { .. } => row(503, "busy", "try again in a second"),
            Self::NoRoute => row(404, "no_such_route", hints::COMPARE),
            Self::Method => row(405, "method_not_allowed", hints::COMPARE),
            Self::TokenFile => row(503, "token_file", "make room on the disk and try again"),
            Self::Panic => row(500, "internal", "see the server's log for the request's id"),
        }
    }

    /// One of each kind, for the list of codes.
    #[must_use]
    pub fn samples() -> Vec<Self> {
        [
            Self::Host { found: "none" },
            Self::Foreign { found: "another site asks" },
            Self::NoToken,
            Self::WrongToken,
            Self::WrongCode,
            Self::ContentType { expected: "application/json" },
            Self::BodySize { limit: 1_048_576 },
            Self::BodyTime { seconds: 30 },
            Self::BodyCut,
            Self::Depth { limit: 64 },
            Self::Body("expected `text`".to_owned()),
            Self::Address("expected a number".to_owned()),
            Self::Head,
            Self::HeadSize { headers: 100, bytes: 65_536 },
            Self::HeadTime { seconds: 10 },
            Self::Streams { limit: 32 },
            Self::Busy { limit: 64 },
            Self::NoRoute,
            Self::Method,
            Self::NoMedia,
            Self::BadKey { limit: 200 },
            Self::KeyPending,
            Self::NotReady("disk: 1 MB left".to_owned()),
            Self::TokenFile,
            Self::Panic,
            Self::Name(NameError::Name("..".to_owned())),
            Self::Undo(UndoProblem::Nothing("turn 4 changed nothing that is kept".to_owned())),
            Self::Undo(UndoProblem::Busy("7f3c".to_owned())),
            Self::Undo(UndoProblem::Store("the undo store: no space left on device".to_owned())),
        ]
        .into_iter()
        .chain(hub::samples().into_iter().map(Self::Hub))
        .chain(file_samples().into_iter().map(Self::File))
        .chain(setup_samples().into_iter().map(Self::Setup))
        .collect()
    }

    /// The error as the wire has it.
    #[must_use]
    pub fn to_body(&self, request_id: &str) -> ErrorBody {
        let Code { status, code, hint } = self.code();
        ErrorBody {
            error: ErrorFacts {
                status,
                code: code.into_owned(),
                message: self.to_string(),
                hint: hint.to_owned(),
                request_id: request_id.to_owned(),
            },
        }
    }

    /// What a status says for which nobody gave a reason.
    pub(crate) const fn of_status(status: StatusCode) -> Self {
        match status.as_u16() {
            404 => Self::NoRoute,
            405 => Self::Method,
            413 => Self::BodySize { limit: 0 },
            400..500 => Self::Head,
            _ => Self::Panic,
        }
    }
}

const fn file(problem: &FileProblem) -> Code {
    match problem {
        FileProblem::Missing(_) => row(404, "no_file", "list the folder with `/api/files`"),
        FileProblem::Exists(_) => row(409, "file_exists", "use another name, or say `replace`"),
        FileProblem::Kind { .. } => row(409, "file_kind", "list the folder with `/api/files`"),
        FileProblem::Outside(_) => row(403, "file_outside", "use a place below the root"),
        FileProblem::Large { .. } => row(413, "file_too_large", "read it with a tool, in parts"),
        FileProblem::System(_) => row(503, "file_failed", "mend what the message says"),
    }
}

const fn undo(problem: &UndoProblem) -> Code {
    match problem {
        UndoProblem::Nothing(_) => row(404, "nothing_to_undo", "name another call or turn"),
        UndoProblem::Busy(_) => row(409, "undo_busy", "wait for its end, or stop it"),
        UndoProblem::Store(_) => row(503, "undo_failed", "mend what the message says"),
    }
}

const fn setup(problem: &SetupProblem) -> Code {
    match problem {
        SetupProblem::NoProvider { .. } => {
            row(404, "no_provider", "list them with `/api/providers`")
        }
        SetupProblem::NoKey { .. } => {
            row(400, "bad_provider_key", "copy the whole key from the provider's console")
        }
        SetupProblem::Refused(_) => {
            row(422, "key_refused", "copy the key again from the provider's console")
        }
        SetupProblem::Unreachable(_) => row(
            502,
            "provider_unreachable",
            "try again, or say `keep_unreachable` to keep the key untried",
        ),
        SetupProblem::NotKept(_) => row(404, "no_kept_key", "list them with `/api/providers`"),
        SetupProblem::NoSetting { .. } => row(404, "no_setting", "use one of these names"),
        SetupProblem::Value { .. } => row(400, "bad_setting", "send such a value"),
        SetupProblem::Locked(_) => row(409, "setting_locked", "ask whoever wrote `managed.toml`"),
        SetupProblem::Files(_) => row(503, "setup_failed", "mend what the message says"),
    }
}

fn setup_samples() -> Vec<SetupProblem> {
    let told = || "`openai` at `https://api.openai.com`: …".to_owned();
    let known = || "anthropic, openai".to_owned();
    vec![
        SetupProblem::NoProvider { name: "opnai".to_owned(), known: known() },
        SetupProblem::NoKey { least: 8, most: 8192, found: "nothing".to_owned() },
        SetupProblem::Refused(told()),
        SetupProblem::Unreachable(told()),
        SetupProblem::NotKept("openai".to_owned()),
        SetupProblem::NoSetting { name: "modle".to_owned(), known: "`model`".to_owned() },
        SetupProblem::Value {
            name: "model".to_owned(),
            expected: "`provider/model`".to_owned(),
            found: "`/`".to_owned(),
        },
        SetupProblem::Locked("model".to_owned()),
        SetupProblem::Files("the keys in `keys.json`: no space left on device".to_owned()),
    ]
}

fn file_samples() -> Vec<FileProblem> {
    let path = || "home:/a.txt".to_owned();
    vec![
        FileProblem::Missing(path()),
        FileProblem::Exists(path()),
        FileProblem::Kind { path: path(), expected: "a file" },
        FileProblem::Outside(path()),
        FileProblem::Large { path: path(), limit: 1_048_576 },
        FileProblem::System("the disk is full".to_owned()),
    ]
}

/// The body of every answer that is no success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ErrorBody {
    /// The facts.
    pub error: ErrorFacts,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ErrorFacts {
    /// As in the head of the answer.
    pub status: u16,
    /// A stable word for programs.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Names the request in the server's log, as the header `X-Request-Id` does.
    pub request_id: String,
}

/// The gate writes the body, which knows the request's id.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code().status);
        let mut response = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response();
        response.extensions_mut().insert(self);
        response
    }
}
