//! A client of the server under test.
#![expect(clippy::disallowed_types, reason = "the server under test is on this machine")]

use std::{collections::VecDeque, time::Duration};

use reqwest::{Client as Http, Method, Response};
use serde_json::{Value, json};
use tagline_server::sse::Reader;

/// Speaks to one life of a server.
pub(crate) struct Client {
    http: Http,
    url: String,
    token: String,
}

impl Client {
    pub(crate) fn new(url: &str, token: &str) -> Self {
        let http = Http::builder().no_proxy().build().unwrap();
        Self { http, url: url.to_owned(), token: token.to_owned() }
    }

    /// One that calls from another address of this machine; 0 is the usual one.
    pub(crate) fn from(nth: u8, url: &str, token: &str) -> Self {
        let usual = Self::new(url, token);
        if nth == 0 {
            return usual;
        }
        let address = std::net::Ipv4Addr::new(127, 0, 0, nth + 1);
        let http = Http::builder().no_proxy().local_address(std::net::IpAddr::V4(address));
        Self { http: http.build().unwrap(), ..usual }
    }

    fn ask(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    /// A new session's id.
    pub(crate) async fn begin(&self) -> String {
        let answer = self.ask(Method::POST, "/api/sessions").json(&json!({})).send().await.unwrap();
        let row: Value = answer.error_for_status().unwrap().json().await.unwrap();
        row.get("id").and_then(Value::as_str).unwrap().to_owned()
    }

    /// How many sessions there are.
    pub(crate) async fn count_sessions(&self) -> usize {
        let answer = self.ask(Method::GET, "/api/sessions?limit=1000").send().await.unwrap();
        let list: Value = answer.error_for_status().unwrap().json().await.unwrap();
        list.get("sessions").and_then(Value::as_array).unwrap().len()
    }

    pub(crate) async fn events(&self, session: &str, after: u64) -> Stream {
        let path = format!("/api/sessions/{session}/events?after={after}");
        let response = self.ask(Method::GET, &path).send().await.unwrap();
        let response = response.error_for_status().unwrap();
        Stream { response, reader: Reader::default(), ready: VecDeque::new() }
    }

    /// Sends a message; whether it was acknowledged. Where the session still belongs to a server
    /// that was killed, it is sent again.
    pub(crate) async fn send(&self, session: &str, text: &str) -> bool {
        let path = format!("/api/sessions/{session}/messages");
        loop {
            let asked = self.ask(Method::POST, &path).json(&json!({ "text": text }));
            let Ok(answer) = asked.send().await else { return false };
            if answer.status().is_success() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    /// Stops the turn of a session; whether one ran.
    pub(crate) async fn stop(&self, session: &str) -> bool {
        let path = format!("/api/runs/{session}/stop");
        let asked = self.ask(Method::POST, &path).json(&json!({ "scope": "turn" }));
        let answer: Value = asked.send().await.unwrap().json().await.unwrap();
        answer.get("was_running").and_then(Value::as_bool).unwrap()
    }

    /// Waits until nothing runs in a session, and nothing waits.
    pub(crate) async fn until_idle(&self, session: &str) {
        let path = format!("/api/sessions/{session}");
        loop {
            let answer = self.ask(Method::GET, &path).send().await.unwrap();
            let detail: Value = answer.error_for_status().unwrap().json().await.unwrap();
            let is_empty = |name| detail.get(name).and_then(Value::as_array).unwrap().is_empty();
            if detail.get("run").is_none_or(Value::is_null) && is_empty("queue") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The records of a session, as they are kept.
    pub(crate) async fn records(&self, session: &str) -> Vec<Value> {
        let path = format!("/api/sessions/{session}/export");
        let answer = self.ask(Method::GET, &path).send().await.unwrap();
        let text = answer.error_for_status().unwrap().text().await.unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The events of a session.
pub(crate) struct Stream {
    response: Response,
    reader: Reader,
    ready: VecDeque<Value>,
}

impl Stream {
    /// The next one; `None` where the stream is over.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            let piece = self.response.chunk().await.ok()??;
            let frames = self.reader.feed(&piece).into_iter();
            let frames = frames.filter(|message| message.event != "stream.closed");
            self.ready.extend(frames.map(|it| serde_json::from_str(&it.data).unwrap()));
        }
    }
}
