//! A reader that stops reading while its session writes at full speed, beside one that reads.
//!
//! The test holds that nothing is lost; `cargo xtask slow-reader --replies N` shows what either
//! costs the server.

use std::{fmt::Write as _, fs, time::Duration};

use super::{
    crowd::is_end,
    figures::{Memory, Table, now, since},
};
use crate::{
    kills::{
        block_on,
        client::{Client, Stream},
    },
    support::{Bench, asked},
};

const FLAGS: &str = "--model script/slow.txt --mode full --max-passes 10000 --max-calls 10000";

/// Replies in the test command.
const FEW: usize = 5;
/// What is written in each, in pieces of a token's size.
const TEXT: usize = 16 * 1024;

/// What a server took when its session had ended.
struct Cost {
    memory: Memory,
    n_events: u64,
    took: Duration,
}

fn write_script(bench: &Bench, replies: usize) {
    let text = "What is written here is of no use, but there is a lot of it. ".repeat(TEXT / 62);
    let mut script = String::from("=== chunk 6\n");
    for n in 0..replies {
        let call = format!("<execute_command>echo {n}</execute_command>");
        write!(script, "\n=== reply\n{text}\n{call}\n").unwrap();
    }
    script.push_str("\n=== reply\nThat is all.\n");
    fs::write(bench.path("work/slow.txt"), script).unwrap();
}

/// Reads to the end of the turn, or of the stream; the last number, and whether that is the end.
async fn read(stream: &mut Stream, mut seen: u64) -> (u64, bool) {
    while let Some(frame) = stream.next().await {
        let number = |name: &str| frame.get(name).and_then(serde_json::Value::as_u64);
        let seq = number("seq").unwrap();
        if frame.get("type").is_some_and(|kind| kind == "state.snapshot") {
            // So long a gap is not told event by event, and only a turn that is over leaves one here.
            return (seq, true);
        }
        assert_eq!(number("from").unwrap_or(seq), seen + 1, "numbers follow each other");
        seen = seq;
        if is_end(&frame) {
            return (seen, true);
        }
    }
    (seen, false)
}

/// A turn with a reader that reads, or one that looks away until the turn is over.
async fn watch(replies: usize, is_stopped: bool) -> Cost {
    let bench = Bench::new();
    write_script(&bench, replies);
    let served = bench.serve(FLAGS);
    let client = Client::new(&served.url, &bench.token(""));
    let session = client.begin().await;
    let mut stream = client.events(&session, 0).await;
    let began = now();
    assert!(client.send(&session, "go").await);
    let (mut seen, mut is_over) = (0, false);
    if is_stopped {
        client.until_idle(&session).await;
    } else {
        (seen, is_over) = read(&mut stream, seen).await;
    }
    let (memory, took) = (Memory::of(served.pid()), since(began));
    while !is_over {
        (seen, is_over) = read(&mut stream, seen).await;
        if !is_over {
            stream = client.events(&session, seen).await;
        }
    }
    Cost { memory, n_events: seen, took }
}

#[test]
fn a_reader_that_stops_loses_nothing_and_goes_on_where_it_was() {
    let replies = asked("TAGLINE_TEST_SLOW_REPLIES", FEW);
    let mut table = Table::default();
    block_on(async {
        for (who, is_stopped) in [("reads", false), ("stops", true)] {
            let Cost { memory, n_events, took } = watch(replies, is_stopped).await;
            let what =
                format!("a reader that {who}: {n_events} events in {:.1} s", took.as_secs_f64());
            table.row(&what, "–", "none lost".to_owned());
            table.row("resident at most", "4 MiB more", memory.peak());
        }
    });
    println!("{table}");
}
