//! The example `live`, against a server that plays a script.

#[path = "../../examples/live/ask.rs"]
mod ask;
#[path = "../../examples/live/calls.rs"]
mod calls;
#[path = "../../examples/live/chat.rs"]
mod chat;
#[path = "../../examples/live/http.rs"]
mod http;

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use ask::Server;

/// The longest wait for something that is sure to come.
const LONG: Duration = Duration::from_secs(60);

/// Reads a request and hands back its body.
fn request(socket: &mut TcpStream) -> Value {
    let mut reader = BufReader::new(socket);
    let (mut n, mut line) = (0, String::new());
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
        if let Some(length) = line.strip_prefix("Content-Length: ") {
            n = length.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; n];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// The events of a reply in these pieces, and how it ended.
fn events(pieces: &[&str], finish: &str) -> Vec<String> {
    let delta = |text: &&str| json!({"choices": [{"delta": {"content": text}}]});
    let end = json!({"choices": [{"delta": {}, "finish_reason": finish}]});
    let data = pieces.iter().map(delta).chain([end]).map(|event| format!("data: {event}\n\n"));
    data.chain(["data: [DONE]\n\n".to_owned()]).collect()
}

/// Sends bytes as chunks of at most `size` bytes, so that characters are cut too.
fn send(socket: &mut TcpStream, text: &str, size: usize) {
    for chunk in text.as_bytes().chunks(size) {
        write!(socket, "{:x}\r\n", chunk.len()).unwrap();
        socket.write_all(chunk).unwrap();
        socket.write_all(b"\r\n").unwrap();
    }
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
    Transfer-Encoding: chunked\r\n\r\n";

/// Plays a reply to whoever asks, and hands back what was printed. Without an end, the connection
/// breaks off.
fn play(pieces: &[&str], finish: &str, has_end: bool) -> (String, io::Result<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let events = events(pieces, finish);
    let server = thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let body = request(&mut socket);
        socket.write_all(HEAD.as_bytes()).unwrap();
        for event in if has_end { &events[..] } else { &events[..events.len() - 2] } {
            send(&mut socket, event, 3);
        }
        if has_end {
            socket.write_all(b"0\r\n\r\n").unwrap();
        }
        body
    });
    let mut out = Vec::new();
    let asked = Server { address: &address, model: "m", key: None }.ask("do it", &mut out);
    let body = server.join().unwrap();
    assert_eq!((&body["model"], &body["stream"]), (&json!("m"), &json!(true)));
    (String::from_utf8(out).unwrap(), asked)
}

#[track_caller]
fn check(pieces: &[&str], finish: &str, expected: Expect) {
    let (printed, asked) = play(pieces, finish, true);
    asked.unwrap();
    expected.assert_eq(&printed);
}

#[test]
fn text_and_calls_are_printed() {
    check(
        &[
            "Schön: <write_",
            "file path=\"ä.txt\">\none\nt",
            "wo\n</write_file>\n<say>Done",
            ".</say>",
        ],
        "stop",
        expect![[r#"
            Schön: 
            ▶ write_file
              path = ä.txt
            one
            two
            ✓ write_file is complete


            ▶ say
            Done.
            ✓ say is complete
        "#]],
    );
}

#[test]
fn a_call_that_the_token_limit_cuts_is_no_call() {
    check(
        &["<write_file path=\"a\">\nrm -rf /tm"],
        "length",
        expect![[r#"

        ▶ write_file
          path = a
        rm -rf /tm
        ✗ write_file was cut
    "#]],
    );
}

#[test]
fn a_connection_that_breaks_off_cuts_the_call_too() {
    let (printed, asked) = play(&["<write_file path=\"a\">one", "two"], "stop", false);
    asked.unwrap_err();
    expect![[r#"

        ▶ write_file
          path = a
        onetwo
        ✗ write_file was cut
    "#]]
    .assert_eq(&printed);
}

/// Tells when a text has been printed.
struct Watch {
    seen: String,
    told: Sender<String>,
}

impl Write for Watch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.seen.push_str(&String::from_utf8_lossy(bytes));
        let _ = self.told.send(self.seen.clone());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until a text has been printed.
fn wait_for(told: &Receiver<String>, text: &str) {
    while !told.recv_timeout(LONG).unwrap().contains(text) {}
}

#[test]
fn a_call_is_printed_before_it_is_over() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = channel();
    let server = thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        request(&mut socket);
        socket.write_all(HEAD.as_bytes()).unwrap();
        let script = [("<write_file path=\"a\">one ", "one"), ("two ", "two"), ("three", "")];
        for (piece, printed) in script {
            send(&mut socket, &events(&[piece], "stop")[0], 64);
            wait_for(&told, printed);
        }
        send(&mut socket, &events(&["</write_file>"], "stop").concat(), 64);
        socket.write_all(b"0\r\n\r\n").unwrap();
    });
    let mut out = Watch { seen: String::new(), told: tell };
    Server { address: &address, model: "m", key: None }.ask("do it", &mut out).unwrap();
    server.join().unwrap();
    assert!(out.seen.ends_with("✓ write_file is complete\n"), "{}", out.seen);
}

#[test]
fn a_refusal_of_the_server_is_said() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        request(&mut socket);
        socket.write_all(b"HTTP/1.1 401 Unauthorized\r\n\r\n").unwrap();
    });
    let server_it = Server { address: &address, model: "m", key: Some("wrong") };
    let error = server_it.ask("do it", &mut Vec::new()).unwrap_err();
    server.join().unwrap();
    assert_eq!(error.to_string(), "the server answered `HTTP/1.1 401 Unauthorized`");
}
