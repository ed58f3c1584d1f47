//! Requests to a server.
#![expect(
    clippy::disallowed_types,
    reason = "the server is the user's own, on this machine; no model steers this client"
)]

use std::{fmt, path::Path, time::Duration};

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use tagline_secret::Secret;
use tagline_server::TokenFile;

use super::events::Events;
use crate::{app::App, exit::Exit, run::new_id, serve::Notice, trouble::Trouble};

/// A server, and the right to ask it.
#[derive(Clone)]
pub(crate) struct Door {
    client: Client,
    base: String,
    token: Secret,
}

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum Failed {
    /// It did not get through, or found a server that is about to end.
    Away(Trouble),
    /// The server says no.
    Refused(Trouble),
}

impl From<Failed> for Trouble {
    fn from(failed: Failed) -> Self {
        let (Failed::Away(trouble) | Failed::Refused(trouble)) = failed;
        trouble
    }
}

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);

impl Door {
    /// The server of this folder.
    pub(crate) fn local(app: &App, notice: &Notice) -> Result<Self, Trouble> {
        let token = token(app, &notice.token)?;
        let client = Client::builder().no_proxy();
        Self::new(client, notice.url.as_deref().unwrap_or_default(), token)
    }

    /// Another server.
    pub(super) fn remote(app: &App, url: &str) -> Result<Self, Trouble> {
        let none = "--server: expected its token in TAGLINE_SERVER_TOKEN, but that is not set; \
                    `tagline token show` prints it where the server runs";
        let token = app.env.get("TAGLINE_SERVER_TOKEN");
        let token = token.map(Secret::from).ok_or_else(|| Trouble::new(Exit::Setup, none))?;
        let is_address = url.starts_with("http://") || url.starts_with("https://");
        if !is_address {
            let words = format!(
                "--server: expected an address such as http://127.0.0.1:7777, but found `{url}`"
            );
            return Err(Trouble::new(Exit::Usage, words));
        }
        Self::new(Client::builder(), url.trim_end_matches('/'), token)
    }

    fn new(client: reqwest::ClientBuilder, base: &str, token: Secret) -> Result<Self, Trouble> {
        let client = client.connect_timeout(CONNECT).build();
        let client = client.map_err(|error| Trouble::new(Exit::Failed, error))?;
        Ok(Self { client, base: base.to_owned(), token })
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.base
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value, Trouble> {
        Ok(self.json(self.request(Method::GET, path)).await?)
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value, Trouble> {
        Ok(self.tell(path, body).await?)
    }

    /// The same for a route that takes no request twice.
    pub(crate) async fn post_once(&self, path: &str, body: &Value) -> Result<Value, Trouble> {
        Ok(self.tell_once(path, body, &new_id()).await?)
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Value, Trouble> {
        Ok(self.take_back(path).await?)
    }

    /// The same as [`Door::post`] for those who try again.
    pub(super) async fn tell(&self, path: &str, body: &Value) -> Result<Value, Failed> {
        self.json(self.request(Method::POST, path).json(body)).await
    }

    /// Sends what is done once, however often it is sent under this key.
    pub(super) async fn tell_once(
        &self,
        path: &str,
        body: &Value,
        key: &str,
    ) -> Result<Value, Failed> {
        let request = self.request(Method::POST, path).header("Idempotency-Key", key);
        self.json(request.json(body)).await
    }

    /// The same as [`Door::delete`] for those who try again.
    pub(super) async fn take_back(&self, path: &str) -> Result<Value, Failed> {
        self.json(self.request(Method::DELETE, path)).await
    }

    /// An answer that is text.
    pub(crate) async fn text(&self, path: &str) -> Result<String, Trouble> {
        let response = self.send(self.request(Method::GET, path)).await?;
        Ok(response.text().await.map_err(|error| self.lost(&error))?)
    }

    /// What happened in a session behind this number, then what happens.
    pub(super) async fn events(&self, session: &str, after: u64) -> Result<Events, Failed> {
        let path = format!("/api/sessions/{session}/events?after={after}");
        Ok(Events::new(self.send(self.request(Method::GET, &path)).await?))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base)).bearer_auth(self.token.expose())
    }

    async fn json(&self, request: RequestBuilder) -> Result<Value, Failed> {
        let response = self.send(request).await?;
        let bytes = response.bytes().await.map_err(|error| self.lost(&error))?;
        if bytes.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&bytes).map_err(|error| {
            let words = format!("the server at {}: expected JSON, but found {error}", self.base);
            Failed::Refused(Trouble::new(Exit::Failed, words))
        })
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failed> {
        let response = request.send().await.map_err(|error| self.lost(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let body = response.json::<Value>().await.unwrap_or_default();
        let text = |name| body.pointer(name).and_then(Value::as_str);
        let message = text("/error/message").map_or_else(
            || format!("the server at {} answered {status}", self.base),
            str::to_owned,
        );
        let code = text("/error/code").unwrap_or_default();
        let trouble = Trouble::new(exit_of(code), message);
        // A proxy in front of it says so by the status alone.
        let is_away =
            code == "shutting_down" || (code.is_empty() && matches!(status.as_u16(), 502..=504));
        Err(if is_away { Failed::Away(trouble) } else { Failed::Refused(trouble) })
    }

    fn lost(&self, error: &reqwest::Error) -> Failed {
        let kind = if error.is_connect() { "cannot be reached" } else { "broke off" };
        let words = format!("the server at {} {kind}; is it running?", self.base);
        Failed::Away(Trouble::new(Exit::Unreachable, words))
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("base", &self.base).finish_non_exhaustive()
    }
}

/// How the program ends by what the server says no to. The words of the workshop are our own.
fn exit_of(code: &str) -> Exit {
    match code {
        "no_session" | "ambiguous_session" | "session_exists" | "nothing_to_go_on" | "usage" => {
            Exit::Usage
        }
        "setup" | "token_missing" | "token_wrong" | "unauthorized" | "cannot_save" | "journal" => {
            Exit::Setup
        }
        "unreachable" | "shutting_down" => Exit::Unreachable,
        _ => Exit::Failed,
    }
}

/// The token in this folder.
fn token(app: &App, folder: &Path) -> Result<Secret, Trouble> {
    let file = TokenFile::open(folder).map_err(|error| Trouble::new(Exit::Setup, error))?;
    Ok(file.covered_by(&app.redactor).secret())
}
