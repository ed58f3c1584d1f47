//! What is said to the server, and what it says: the JSON of chat completions.

use std::io;

use serde_json::{Value, json};
use tagline_parser::Finish;

/// What one event of the stream brings.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    /// The next piece of the reply; often empty.
    pub(crate) text: String,
    /// How the reply ended, if it did.
    pub(crate) finish: Option<Finish>,
}

/// The body of a request that streams.
pub(crate) fn request(model: &str, system: &str, user: &str) -> String {
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    let messages = [message("system", system), message("user", user)];
    json!({"model": model, "stream": true, "messages": messages}).to_string()
}

/// Reads the data of one event.
pub(crate) fn delta(data: &str) -> io::Result<Delta> {
    if data == "[DONE]" {
        return Ok(Delta::default());
    }
    let event: Value = serde_json::from_str(data).map_err(|e| io::Error::other(e.to_string()))?;
    let at = |path: &str| event.pointer(path).and_then(Value::as_str);
    let finish = at("/choices/0/finish_reason").map(|reason| match reason {
        "length" => Finish::Length,
        _ => Finish::Stop,
    });
    Ok(Delta { text: at("/choices/0/delta/content").unwrap_or_default().to_owned(), finish })
}
