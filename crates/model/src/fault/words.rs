//! The sentence of a fault: what, where, expected, found, what to do.

use std::time::Duration;

use super::{FaultClass, ModelFault, Signal, classify};
use crate::transport::TransportFault;

/// Characters of a provider's own words that are shown.
const SHOWN: usize = 500;

/// Who was asked, for the words of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// `provider/model`.
    pub(crate) model: String,
    /// Scheme, host and port.
    pub(crate) host: String,
    /// Variables that may hold the key, such as `OPENAI_API_KEY`.
    pub(crate) key_variables: &'static [&'static str],
    /// Variables that may hold the address.
    pub(crate) address_variables: &'static [&'static str],
    /// Whether it runs on this machine.
    pub(crate) is_local: bool,
}

/// Classifies what was seen and puts it into a sentence.
pub(crate) fn explain(asked: &Asked, signal: &Signal, tries: u32) -> ModelFault {
    let (code, class) = classify(signal);
    let found = found(signal);
    let advice = advice(asked, &code, class);
    let Asked { model, host, .. } = asked;
    let status = match signal {
        Signal::Provider { status, .. } => *status,
        Signal::Redirect { status, .. } => Some(*status),
        Signal::Transport(_)
        | Signal::FirstByteTimeout(_)
        | Signal::IdleTimeout(_)
        | Signal::NoFinish
        | Signal::BadStream(_)
        | Signal::BadAnswer { .. } => None,
    };
    let tries = if 1 < tries { format!(" in {tries} tries") } else { String::new() };
    let message = format!("`{model}` at `{host}`: expected a reply{tries}, but {found}; {advice}");
    ModelFault { class, code, status, message }
}

/// The fault of a request that was not made, since the host failed before; with the code of that fault.
pub(crate) fn not_asked(asked: &Asked, code: &str, wait: Option<Duration>) -> ModelFault {
    let Asked { model, host, .. } = asked;
    let until = wait.map_or_else(
        || "another request is finding out whether it works again".to_owned(),
        |wait| format!("it is asked again in {} s", wait.as_secs_f64().ceil()),
    );
    let advice = advice(asked, code, FaultClass::Retry);
    ModelFault {
        class: FaultClass::Retry,
        code: code.to_owned(),
        status: None,
        message: format!(
            "`{model}` at `{host}`: expected a host that works, but its last requests failed \
             (`{code}`), and {until}; {advice}"
        ),
    }
}

fn found(signal: &Signal) -> String {
    match signal {
        Signal::Transport(fault) => transport(fault),
        Signal::FirstByteTimeout(limit) => format!("no answer came in {} s", limit.as_secs_f64()),
        Signal::IdleTimeout(limit) => format!(
            "nothing more came in {} s (`TAGLINE_STREAM_IDLE_TIMEOUT_MS`)",
            limit.as_secs_f64()
        ),
        Signal::NoFinish => "the stream ended without a finish reason".to_owned(),
        Signal::BadStream(why) => format!("the stream is damaged: {}", short(why)),
        Signal::BadAnswer { content_type, begins } => {
            let kind = content_type.as_deref().map_or_else(
                || "an answer without a content type".to_owned(),
                |kind| format!("`{}`", short(kind)),
            );
            format!("found {kind} that begins with `{}`", short(begins))
        }
        Signal::Redirect { status, location } => {
            format!("found HTTP {status} to `{}`", short(location))
        }
        Signal::Provider { status, error, .. } => {
            let status =
                status.map_or_else(|| "an error".to_owned(), |status| format!("HTTP {status}"));
            let code =
                error.codes.first().map_or_else(String::new, |code| format!(" `{}`", short(code)));
            let said = short(&error.message);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            format!("found {status}{code}{said}")
        }
    }
}

fn transport(fault: &TransportFault) -> String {
    match fault {
        TransportFault::Refused => "the connection was refused".to_owned(),
        TransportFault::Dns => "the name of the host was not found".to_owned(),
        TransportFault::ConnectTimeout => "no connection was made in time".to_owned(),
        TransportFault::Tls(why) => format!("the secure connection failed: {}", short(why)),
        TransportFault::Reset(why) => {
            format!("the connection broke before the answer: {}", short(why))
        }
        TransportFault::Broken(why) => format!("the connection broke: {}", short(why)),
        TransportFault::Cassette(why) => format!("the cassette {}", short(why)),
        TransportFault::Unusable(why) => format!("the request cannot be sent: {}", short(why)),
    }
}

fn advice(asked: &Asked, code: &str, class: FaultClass) -> String {
    match code {
        "auth" => variables("set", asked.key_variables, "to a valid key", "give a valid key"),
        "quota" => "add credit or raise the limit in the provider's console".to_owned(),
        "permission" => variables(
            "check what the key in",
            asked.key_variables,
            "may do",
            "check what the key may do",
        ),
        "model_not_found" => "`tagline models` lists what there is".to_owned(),
        "redirect" => variables(
            "set",
            asked.address_variables,
            "to the address that answers",
            "give the address that answers",
        ),
        "connect" | "dns" if asked.is_local => {
            "start the server, or choose another model (`tagline models`)".to_owned()
        }
        "connect" | "dns" | "connect_timeout" | "reset" => variables(
            "check the network and",
            asked.address_variables,
            "",
            "check the network and the address",
        ),
        "tls" => "check the address, the clock and `SSL_CERT_FILE`".to_owned(),
        "bad_answer" => variables(
            "check",
            asked.address_variables,
            "and the proxy",
            "check the address and the proxy",
        ),
        "too_long" => "shorten the conversation, or choose a model with more context".to_owned(),
        "cassette" => "record it again".to_owned(),
        "content" => "change the request".to_owned(),
        "bad_request" => "choose another model, or change the request".to_owned(),
        _ => match class {
            FaultClass::Retry | FaultClass::RetryAfter(_) => "try again later".to_owned(),
            FaultClass::Compact => "shorten the conversation".to_owned(),
            FaultClass::AskUser | FaultClass::Fail => "choose another model".to_owned(),
        },
    }
}

fn variables(before: &str, names: &[&str], after: &str, otherwise: &str) -> String {
    if names.is_empty() {
        return otherwise.to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{before} {} {after}", names.join(" or ")).trim_end().to_owned()
}

/// One line of at most [`SHOWN`] characters, without control characters.
pub(crate) fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let mut out: String = line.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    if SHOWN < line.chars().count() {
        out.push('…');
    }
    out.trim_end_matches('.').to_owned()
}
