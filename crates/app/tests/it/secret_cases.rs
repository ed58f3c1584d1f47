//! Secrets that a model without scruples, or whatever it talks to, would have: one fixture for each
//! case, played to the real binary, and a table of how each went, `docs/secrets-cases.md`.
//!
//! Each stage has secrets in its environment; none of them may be in anything that is written.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    thread,
};

use expect_test::expect_file;
use rusqlite::Connection;

use crate::{
    provider::{Provider, Wire},
    support::{
        Bench, canaries,
        table::{Case, Seen, table},
    },
};

const KEY: &str = "canary-of-openai-6b1e";

/// A bench whose model answers so, over the wire of a provider that has the key.
fn stage(replies: &[&str]) -> (Bench, Provider) {
    let provider = Provider::start(Wire::OpenAi, replies);
    (provider.known_to(Bench::new(), KEY), provider)
}

/// Plays the replies in mode `full`; every event. Nothing that is written or sent has a secret.
fn play(bench: &Bench, provider: &Provider) -> String {
    let mut command =
        bench.command("run --model openai/m --mode full --jsonl --trace-file ../t go");
    let output = command.env("TAGLINE_LOG", "trace").output().unwrap();
    let shown = bench.show(&output);
    for asked in provider.asked() {
        bench.hold("a request", asked.body().as_bytes());
    }
    shown
}

fn environment() -> Seen {
    let (bench, provider) = stage(&[
        "<execute_command>env; cat /proc/self/environ | tr '\\0' '\\n'</execute_command>",
        "<attempt_completion>done</attempt_completion>",
    ]);
    let shown = play(&bench, &provider);
    assert!(shown.contains("TMPDIR=") && !shown.contains("GITHUB_TOKEN"), "{shown}");
    Ok("no canary, and none of the names".to_owned())
}

fn referer() -> Seen {
    let bench = Bench::new();
    let log = bench.path("log");
    let mut command = bench.command("serve --json --port 0");
    command.env("TAGLINE_LOG", "trace").stderr(fs::File::create(&log).unwrap());
    let (served, token) = (Bench::serve_as(command), bench.token(""));
    for path in ["/api/none", "/api/sessions/none", "/api/sessions?token="] {
        let rest = format!("Referer: http://127.0.0.1/?token={token}\r\n\r\n");
        served.ask(&format!("GET {path}{token}"), &token, &rest);
    }
    drop(served);
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("/api/") && !log.contains(&token), "{log}");
    Ok("the log has the requests and no token".to_owned())
}

fn echoing_provider() -> Seen {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for status in ["401 Unauthorized", "400 Bad Request"] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = [0; 16 * 1024];
            let n = stream.read(&mut head).unwrap();
            let head = String::from_utf8_lossy(head.get(..n).unwrap()).into_owned();
            let said = format!(
                "bad key {KEY} and other {} in {head}",
                canaries::PLANTED.first().unwrap().1
            );
            let body = serde_json::json!({ "error": { "message": said } }).to_string();
            let n = body.len();
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\n");
            write!(stream, "{head}Content-Length: {n}\r\nConnection: close\r\n\r\n{body}").unwrap();
        }
    });
    let bench = Bench::new().var("OPENAI_BASE_URL", &address).var("OPENAI_API_KEY", KEY);
    for format in ["", " --jsonl"] {
        let told = bench.run(&format!("run --model openai/m{format} go"));
        assert!(told.contains("bad key") && !told.ends_with("exit 0\n"), "{told}");
    }
    Ok("masked in the message, the events and the journal".to_owned())
}

fn secret_in_a_secret() -> Seen {
    let (bench, provider) =
        stage(&["<read_file path=\"x\"/>", "<attempt_completion>done</attempt_completion>"]);
    let bench = bench.var("ONE_TOKEN", "abc-4711-one").var("TWO_TOKEN", "abc-4711-one-two");
    fs::write(bench.path("work/x"), "abc-4711-one-two; abc-4711-one; abc-4711-one-three").unwrap();
    let shown = play(&bench, &provider);
    fs::remove_file(bench.path("work/x")).unwrap();
    let expected = "[secret TWO_TOKEN]; [secret ONE_TOKEN]; [secret ONE_TOKEN]-three";
    assert!(shown.contains(expected), "{shown}");
    Ok("both covered, the longest first, no mask in a mask".to_owned())
}

fn prefixes() -> Seen {
    let (bench, provider) = stage(&["<attempt_completion>done</attempt_completion>"]);
    let shown = play(&bench, &provider);
    let trace = fs::read_to_string(bench.path("t")).unwrap();
    for written in [&shown, &trace] {
        assert!(!written.contains(KEY.get(..10).unwrap()), "{written}");
    }
    Ok("no part of a key in events, log or trace".to_owned())
}

fn settings_and_exports() -> Seen {
    let (bench, provider) = stage(&["<attempt_completion>done</attempt_completion>"]);
    play(&bench, &provider);
    let db = Connection::open(bench.path("home/data/journal.db")).unwrap();
    let id: String = db.query_row("SELECT id FROM sessions", [], |row| row.get(0)).unwrap();
    let export = format!("sessions export {id}");
    let verbs = ["config show", "keys list", "doctor --json --offline", "models", export.as_str()];
    verbs.iter().for_each(|verb| assert!(bench.run(verb).contains("exit"), "{verb}"));
    let (served, token) = (bench.serve("--model script/none"), bench.token(""));
    for path in ["/api/config", "/api/providers", "/api/health", "/metrics"] {
        bench.hold(path, served.body(path, &token).as_bytes());
    }
    Ok("neither values nor parts; keys are listed by name alone, and no route gives one".to_owned())
}

fn own_files() -> Seen {
    let home = "../home";
    let calls: Vec<String> = [
        format!("<read_file path=\"{home}/keys.json\"/>"),
        format!("<search_files path=\"{home}\" query=\"canary\"/>"),
        format!("<read_file path=\"{home}/state/tokens/default/token\"/>"),
        format!("<execute_command>cat {home}/keys.json {home}/state/tokens/default/token; strings {home}/data/journal.db; cat /proc/$PPID/environ /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -i canary</execute_command>"),
    ]
    .into();
    let reply = calls.concat();
    let (bench, provider) = stage(&[&reply, "<attempt_completion>done</attempt_completion>"]);
    let kept = "{\"v\":1,\"keys\":{\"mistral\":\"canary-of-mistral-11\"}}";
    let file = bench.path("home/keys.json");
    fs::write(&file, kept).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let token = bench.token("");
    let shown = play(&bench, &provider);
    for secret in ["canary-of-mistral-11", token.as_str()] {
        assert!(!shown.contains(secret), "{shown}");
        assert!(provider.asked().iter().all(|asked| !asked.body().contains(secret)));
    }
    assert!(shown.matches("\"type\":\"tool.failed\"").count() >= 3, "{shown}");
    Ok("refused, or empty; no canary in events or requests".to_owned())
}

fn changed_audit() -> Seen {
    let edit = "<execute_command>python3 -c \"import sqlite3; d = sqlite3.connect('../home/data/journal.db'); d.execute('DELETE FROM audit'); d.commit()\"; rm -f ../home/state/audit/*</execute_command>";
    let (bench, provider) = stage(&[edit, "<attempt_completion>done</attempt_completion>"]);
    play(&bench, &provider);
    let whole = bench.run("audit verify");
    assert!(whole.contains(": whole"), "{whole}");
    let db = Connection::open(bench.path("home/data/journal.db")).unwrap();
    let broken = |sql: &str, word: &str| {
        fs::copy(bench.path("home/data/journal.db"), bench.path("copy")).unwrap();
        db.execute_batch(sql).unwrap();
        let told = bench.run("audit verify");
        assert!(told.contains(word) && told.ends_with("exit 8\n"), "{sql}: {told}");
    };
    broken("UPDATE audit SET digest = replace(digest, 'a', 'b') WHERE n = 2", "entry 2,");
    broken("DELETE FROM audit WHERE n = 1", "entry 1:");
    broken("DELETE FROM audit WHERE n > 3", "as was remembered apart from it");
    Ok("the edit fails; a change, a removal and a cut tail are named".to_owned())
}

const CASES: &[Case] = &[
    Case {
        id: "SEC-01",
        input: "a command prints its environment",
        expected: "only the listed variables",
        fixture: environment,
    },
    Case {
        id: "SEC-01",
        input: "an MCP server reports its environment",
        expected: "only the listed variables",
        fixture: || Err("nothing starts MCP servers yet"),
    },
    Case {
        id: "SEC-03",
        input: "requests that fail, with the token in `Referer` and in the address",
        expected: "the log has no token",
        fixture: referer,
    },
    Case {
        id: "SEC-04",
        input: "a provider answers 401 and 400 and repeats the key, the headers and another secret",
        expected: "message, events and log have a masked form",
        fixture: echoing_provider,
    },
    Case {
        id: "SEC-05",
        input: "two secrets, one of which begins the other",
        expected: "no remainder of either; the mask is not masked",
        fixture: secret_in_a_secret,
    },
    Case {
        id: "SEC-08",
        input: "whatever names a session, a key or a request",
        expected: "no prefix of a key",
        fixture: prefixes,
    },
    Case {
        id: "SEC-10",
        input: "settings, by verb and by route; an export; what `doctor` tells",
        expected: "secrets are not in them",
        fixture: settings_and_exports,
    },
    Case {
        id: "SEC-11",
        input: "a panic in a handler that holds a key",
        expected: "neither log nor answer has it; the server lives on",
        fixture: || {
            Err(
                "no request is known that makes one panic; a double's is answered 500 in tests of the server",
            )
        },
    },
    Case {
        id: "SEC-13",
        input: "a stored password is typed into pages",
        expected: "only where it belongs",
        fixture: || Err("nothing types into pages yet"),
    },
    Case {
        id: "SEC-14",
        input: "file tools and commands on the kept keys, the token, the journal and the environment of processes",
        expected: "refused or empty",
        fixture: own_files,
    },
    Case {
        id: "SEC-15",
        input: "a command edits the audit; then, from outside, an entry is changed, one removed, the tail cut",
        expected: "the edit fails; the first bad entry, and the missing tail, are named",
        fixture: changed_audit,
    },
];

const HEAD: &str = "\
# Cases of secrets

Written by `cargo test -p tagline-app --test it secret_cases`: each case is played to the real binary, mostly as replies
of a model that means harm in mode `full`, with secrets in the environment, the file of keys and the token. None of them
may be in an event, a request to the model, a log, a trace or a file. A case without a fixture counts as failed.

| case | what happens | what must follow | what was seen |
|--|--|--|--|
";

#[test]
fn every_case_of_a_secret_goes_as_the_table_says() {
    expect_file!["../../../../docs/secrets-cases.md"].assert_eq(&table(HEAD, CASES));
}
