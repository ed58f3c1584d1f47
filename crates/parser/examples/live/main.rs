//! Asks any OpenAI-compatible server and prints the calls in its answer while they are written.
//!
//! ```text
//! cargo run -p tagline-parser --example live -- http://127.0.0.1:8080 MODEL "make a file"
//! ```
//!
//! A fourth argument names a file with the server's key. There are two tools, `write_file` and
//! `say`; neither is run. Plain HTTP only: put a proxy before a server that wants TLS.
#![expect(clippy::print_stderr, reason = "a program talks to its user")]

mod ask;
mod calls;
mod chat;
mod http;

use std::{io, process::ExitCode};

use ask::Server;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [address, model, task, rest @ ..] = args.as_slice() else {
        eprintln!("usage: live http://HOST:PORT MODEL TASK [KEY_FILE]");
        return ExitCode::FAILURE;
    };
    let asked = key(rest.first()).and_then(|key| {
        let server = Server { address, model, key: key.as_deref() };
        server.ask(task, &mut io::stdout().lock())
    });
    match asked {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("live: {error}");
            ExitCode::FAILURE
        }
    }
}

fn key(path: Option<&String>) -> io::Result<Option<String>> {
    path.map(|path| Ok(std::fs::read_to_string(path)?.trim().to_owned())).transpose()
}
