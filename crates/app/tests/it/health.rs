//! A server that tells how it is: what it cannot do, and why.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    thread,
    time::Duration,
};

use crate::support::{Bench, served::Served};

/// A provider that wants to be asked again in an hour; where it is.
fn spent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
            let head =
                "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 0\r\n";
            // Whoever asked may be gone.
            let _ = stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes());
        }
    });
    address
}

/// The part of this name: whether it is well, and how it is.
fn part(served: &Served, token: &str, name: &str) -> (bool, String) {
    let report: serde_json::Value =
        serde_json::from_str(&served.body("/api/health", token)).unwrap();
    let parts = report.get("checks").and_then(|parts| parts.as_array()).unwrap();
    let found = parts.iter().find(|part| part["name"] == name).unwrap();
    (found["is_well"] == true, found["detail"].as_str().unwrap().to_owned())
}

#[test]
fn a_provider_that_is_spared_is_told_by_readiness_health_and_numbers() {
    let provider = spent();
    let bench = Bench::new().var("OPENAI_BASE_URL", &provider).var("OPENAI_API_KEY", "k");
    let served = bench.serve("--model openai/m");
    let token = bench.token("");
    assert_eq!(served.status("/readyz", ""), "200");
    let run = bench.run("run -q --json go");
    assert!(run.contains("\"code\":4"), "{run}");
    let (is_well, detail) = part(&served, &token, "providers");
    assert!(!is_well && detail.contains(&provider) && detail.contains("rate_limit"), "{detail}");
    assert_eq!(served.status("/readyz", ""), "503");
    let numbers = served.body("/metrics", &token);
    let line = format!("tagline_provider_circuit_open{{provider=\"{provider} m\"");
    assert!(numbers.contains(&line), "{numbers}");
}

#[test]
fn a_journal_that_another_process_keeps_from_being_written_is_told() {
    let bench = Bench::new();
    let served = bench.serve("");
    let token = bench.token("");
    assert!(part(&served, &token, "journal").0);
    let db = rusqlite::Connection::open(bench.path("home/data/journal.db")).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    wait_for_status(&served, "503");
    assert!(!part(&served, &token, "journal").0);
    db.execute_batch("ROLLBACK").unwrap();
    wait_for_status(&served, "200");
}

/// What is known of a part may be a second old.
#[track_caller]
fn wait_for_status(served: &Served, status: &str) {
    let has_come = (0..1_200).any(|_| {
        thread::sleep(Duration::from_millis(100));
        served.status("/readyz", "") == status
    });
    assert!(has_come, "readiness never became {status}");
}
