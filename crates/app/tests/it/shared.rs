//! Two servers with one database: what one works on, the other shows, stops and takes over.

use std::{
    fs,
    process::{Child, Stdio},
};

use serde_json::Value;
use tagline_test_postgres::Cluster;

use crate::{
    kills::{
        block_on,
        client::{Client, Stream},
        kind,
    },
    support::{Bench, served::Served},
};

const SLOW: &str = "=== reply\n<execute_command>echo begun; sleep 600</execute_command>\n";

/// Two folders with one database, each served.
struct Pair {
    here: Bench,
    there: Bench,
    served: Served,
    other: Served,
}

impl Pair {
    fn new() -> Self {
        let url = Cluster::shared().database();
        let (here, there) = (Bench::new().write("work/s.txt", SLOW), Bench::new());
        let flags = format!("--model script/s.txt --mode full --database-url {url}");
        let (served, other) = (here.serve(&flags), there.serve(&flags));
        Self { here, there, served, other }
    }

    /// The second server.
    fn client(&self) -> Client {
        Client::new(&self.other.url, &self.there.token(""))
    }

    /// A run at the first server.
    fn run(&self) -> Child {
        let mut command = self.here.command("run -q go");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// Reads until an event of this type comes.
async fn until(stream: &mut Stream, wanted: &str) -> Value {
    loop {
        let frame = stream.next().await.unwrap();
        if kind(&frame) == wanted {
            return frame;
        }
    }
}

/// The only session, as soon as the second server lists it.
async fn session(pair: &Pair) -> String {
    loop {
        let list = pair.there.command("sessions list").output().unwrap().stdout;
        if let Some(id) = String::from_utf8(list).unwrap().split_whitespace().next() {
            return id.to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[test]
fn a_turn_of_one_server_is_watched_and_stopped_from_the_other() {
    let pair = Pair::new();
    let mut run = pair.run();
    block_on(async {
        let (id, client) = (session(&pair).await, pair.client());
        let mut stream = client.events(&id, 0).await;
        until(&mut stream, "tool.running").await;
        assert!(client.stop(&id).await);
        let end = until(&mut stream, "run.finished").await;
        assert_eq!(end.get("outcome").and_then(Value::as_str), Some("stopped"), "{end}");
    });
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let stats = pair.there.run("stats --json");
    assert!(stats.contains(r#""model":"script/s.txt","turns":1"#), "{stats}");
}

#[test]
fn a_session_of_a_killed_server_is_taken_over_by_the_other() {
    let mut pair = Pair::new();
    let mut run = pair.run();
    block_on(async {
        let (id, client) = (session(&pair).await, pair.client());
        let mut stream = client.events(&id, 0).await;
        until(&mut stream, "tool.running").await;
        pair.served.kill();
        // The session works in its own folder, whoever has it.
        fs::write(pair.here.path("work/s.txt"), "=== reply\nI go on.\n").unwrap();
        assert!(client.send(&id, "go on").await);
        let end = until(&mut stream, "run.failed").await;
        assert_eq!(end.get("reason").and_then(Value::as_str), Some("interrupted"), "{end}");
        let end = until(&mut stream, "run.finished").await;
        assert_eq!(end.get("result").and_then(Value::as_str), Some("I go on."), "{end}");
    });
    run.kill().unwrap();
    run.wait().unwrap();
}
