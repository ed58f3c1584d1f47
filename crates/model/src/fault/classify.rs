//! What was seen, and which row of the table it belongs to.

use std::time::Duration;

use serde_json::Value;

use super::{
    FaultClass, retry_after,
    table::{Damage, Sign, TABLE, Way},
};
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

/// Finds the row. What no row knows fails with its raw code.
pub(crate) fn classify(signal: &Signal) -> (String, FaultClass) {
    let (code, class) = match signal {
        Signal::Transport(fault) => row(|sign| sign.is_way(way(fault))),
        Signal::FirstByteTimeout(_) => row(|sign| sign.is_damage(Damage::NoAnswer)),
        Signal::IdleTimeout(_) | Signal::NoFinish => row(|sign| sign.is_damage(Damage::Cut)),
        Signal::BadStream(_) => row(|sign| sign.is_damage(Damage::BadStream)),
        Signal::BadAnswer { .. } => row(|sign| sign.is_damage(Damage::NoStream)),
        Signal::Redirect { .. } => row(|sign| sign.is_damage(Damage::Elsewhere)),
        Signal::Provider { status, error, wait } => {
            let (code, class) = provider(*status, error);
            return (code, after(class, *wait));
        }
    }
    .unwrap_or(("unknown", FaultClass::Fail));
    (code.to_owned(), class)
}

/// A wait that the provider names holds where waiting helps.
const fn after(class: FaultClass, wait: Option<Duration>) -> FaultClass {
    match (class, wait) {
        (FaultClass::Retry, Some(wait)) => FaultClass::RetryAfter(wait),
        (class, _) => class,
    }
}

fn row(is_it: impl Fn(&Sign) -> bool) -> Option<(&'static str, FaultClass)> {
    TABLE.iter().find(|row| is_it(&row.sign)).map(|row| (row.code, row.class))
}

const fn way(fault: &TransportFault) -> Way {
    match fault {
        TransportFault::Refused => Way::Refused,
        TransportFault::Dns => Way::NoName,
        TransportFault::ConnectTimeout => Way::TooSlow,
        TransportFault::Tls(_) => Way::NotSecure,
        TransportFault::Reset(_) => Way::Reset,
        TransportFault::Broken(_) => Way::Broken,
        TransportFault::Unusable(_) => Way::Unusable,
        TransportFault::Cassette(_) => Way::Cassette,
    }
}

/// Words say more than the code beside them, and that more than the status.
fn provider(status: Option<u16>, error: &ProviderError) -> (String, FaultClass) {
    let message = error.message.to_lowercase();
    let coded = || error.codes.iter().find_map(|code| row(|sign| sign.is_code(code)));
    let found = row(|sign| sign.is_said_in(&message))
        .or_else(coded)
        .or_else(|| status.and_then(|status| row(|sign| sign.is_status(status))));
    match (found, status) {
        (Some((code, class)), _) => (code.to_owned(), class),
        (None, Some(status)) => (format!("http_{status}"), FaultClass::Fail),
        // Its own words are shown, but are no stable code.
        (None, None) => ("unknown".to_owned(), FaultClass::Fail),
    }
}
