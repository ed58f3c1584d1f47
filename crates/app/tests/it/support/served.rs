//! A server that ends with its test.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::Bench;

/// A server of a bench's folder.
pub(crate) struct Served {
    child: Child,
    /// Such as `http://127.0.0.1:40123`.
    pub(crate) url: String,
}

impl Bench {
    /// Serves the bench's folder on a free port, with these flags; returns once it answers.
    #[track_caller]
    pub(crate) fn serve(&self, flags: &str) -> Served {
        let mut command = self.command(&format!("serve -q --json --port 0 {flags}"));
        command.stderr(Stdio::inherit());
        Self::serve_as(command)
    }

    /// Serves by this command; returns once it answers.
    #[track_caller]
    pub(crate) fn serve_as(mut command: Command) -> Served {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let notice: Value = serde_json::from_str(&line).unwrap();
        Served { child, url: notice.get("url").and_then(Value::as_str).unwrap().to_owned() }
    }

    /// The server's token.
    pub(crate) fn token(&self, flags: &str) -> String {
        let output = self.command(&format!("token show -q {flags}")).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Served {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL, so that nothing of the server runs on the way out.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Signals the server; its exit code.
    pub(crate) fn signal(mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }

    /// The status of an answer.
    pub(crate) fn status(&self, path: &str, token: &str) -> String {
        self.answer(path, token).split_whitespace().nth(1).unwrap().to_owned()
    }

    /// The status of the answer to a body.
    pub(crate) fn post(&self, path: &str, token: &str, kind: &str, body: &str) -> String {
        let (key, n) = (fastrand::u64(..), body.len());
        let head =
            format!("Content-Type: {kind}\r\nContent-Length: {n}\r\nIdempotency-Key: {key}\r\n");
        let answer = self.ask(&format!("POST {path}"), token, &format!("{head}\r\n{body}"));
        String::from_utf8(answer).unwrap().split_whitespace().nth(1).unwrap().to_owned()
    }

    /// Begins a session with this message, and refuses the first question that it comes to; what
    /// was shown.
    pub(crate) fn ask_and_refuse(&self, token: &str, message: &str) -> String {
        let (session, asked) = self.asked(token, message);
        let text = |name: &str| asked.get(name).and_then(Value::as_str).unwrap().to_owned();
        let body = json!({ "session": session, "allow": false }).to_string();
        let path = format!("/api/approvals/{}", text("hash"));
        assert_eq!(self.post(&path, token, "application/json", &body), "204");
        text("shown")
    }

    /// Begins a session with this message and waits for its first question: the session's id, and
    /// the question.
    pub(crate) fn asked(&self, token: &str, message: &str) -> (String, Value) {
        let session = self.begin(token, message);
        let asked = self.question(token, &session);
        (session, asked)
    }

    /// Begins a session with this message; its id.
    pub(crate) fn begin(&self, token: &str, message: &str) -> String {
        let begun = self.said(token, "/api/sessions", "{}");
        let session = begun.get("id").and_then(Value::as_str).unwrap().to_owned();
        self.say(token, &session, message);
        session
    }

    /// Sends a message to a session.
    pub(crate) fn say(&self, token: &str, session: &str, message: &str) {
        let body = json!({ "text": message }).to_string();
        self.said(token, &format!("/api/sessions/{session}/messages"), &body);
    }

    /// Waits for a question of the session.
    pub(crate) fn question(&self, token: &str, session: &str) -> Value {
        let look = |_| {
            thread::sleep(Duration::from_millis(10));
            let shown = self.body(&format!("/api/sessions/{session}"), token);
            let shown: Value = serde_json::from_str(&shown).unwrap();
            shown.pointer("/approvals/0").cloned()
        };
        (0..6_000).find_map(look).unwrap()
    }

    /// The JSON of the answer to a body.
    pub(crate) fn said(&self, token: &str, path: &str, body: &str) -> Value {
        let (key, n) = (fastrand::u64(..), body.len());
        let kind = "application/json";
        let head =
            format!("Content-Type: {kind}\r\nContent-Length: {n}\r\nIdempotency-Key: {key}\r\n");
        let answer = self.ask(&format!("POST {path}"), token, &format!("{head}\r\n{body}"));
        let answer = String::from_utf8(answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// The body of an answer.
    pub(crate) fn body(&self, path: &str, token: &str) -> String {
        self.answer(path, token).split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    fn answer(&self, path: &str, token: &str) -> String {
        String::from_utf8(self.fetch(path, token)).unwrap()
    }

    /// A whole answer, head and body.
    pub(crate) fn fetch(&self, path: &str, token: &str) -> Vec<u8> {
        self.ask(&format!("GET {path}"), token, "\r\n")
    }

    /// Sends a request, with what stands behind our own lines of its head.
    pub(crate) fn ask(&self, what: &str, token: &str, rest: &str) -> Vec<u8> {
        let host = self.url.trim_start_matches("http://");
        let mut socket = TcpStream::connect(host).unwrap();
        let head = format!("{what} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        write!(socket, "{head}Authorization: Bearer {token}\r\n{rest}").unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
