//! Bounds of time, bytes, growth and number. The clock is the test's own.

use std::{io::Write as _, time::Duration};

use expect_test::expect;
use flate2::{Compress, Compression, FlushCompress, write::GzEncoder};
use tagline_net::Request;
use tokio::{runtime::Builder, time::Instant};

use crate::bench::{Bench, Step, Steps, answer, ok};

const MIB: usize = 1 << 20;

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A gzip that never ends: its beginning, and what gives a MiB of zeros each time it is sent.
pub(crate) fn endless_gzip() -> [Vec<u8>; 2] {
    let mut block = Vec::with_capacity(64 * 1024);
    let mut deflate = Compress::new(Compression::best(), false);
    deflate.compress_vec(&vec![0; MIB], &mut block, FlushCompress::Full).unwrap();
    [vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], block]
}

/// One host with this server.
fn host(play: impl Fn(&str) -> Steps + Send + Sync + 'static) -> Bench {
    let bench = Bench::new();
    bench.name("pub.test", &["93.184.215.14"]).serve("93.184.215.14:80", play);
    bench
}

/// A head without a length, and what comes behind it.
fn endless(headers: &str, behind: Vec<Step>) -> Steps {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
    [vec![Step::Send(head.into_bytes())], behind].concat()
}

/// A byte a second, a little less, so that none comes at the very end.
pub(crate) fn trickle() -> Steps {
    let byte = || [Step::Wait(Duration::from_millis(990)), Step::Send(b"x".to_vec())];
    endless("content-length: 1000\r\n", (0..1000).flat_map(|_| byte()).collect())
}

/// What a fetch ends with, and how long it took by the clock of the test.
async fn told(bench: &Bench) -> String {
    let start = Instant::now();
    let outcome = bench.get("http://pub.test/").await;
    format!("after {:.1} s: {outcome}\n", start.elapsed().as_secs_f64())
}

#[tokio::test(start_paused = true)]
async fn whatever_is_slow_ends_in_time() {
    let mut all = told(&host(|_| trickle())).await;
    all += &told(&host(|_| endless("", vec![Step::Wait(Duration::from_secs(3600))]))).await;
    all += &told(&host(|_| vec![Step::Wait(Duration::from_secs(3600))])).await;
    let silent = Bench::new();
    silent.name("pub.test", &["93.184.215.14"]).silent("93.184.215.14:80");
    all += &told(&silent).await;
    // Each hop takes its time, and all of them share one bound.
    let slow = host(|_| {
        let to = b"HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n".to_vec();
        vec![Step::Wait(Duration::from_secs(4)), Step::Send(to)]
    });
    all += &told(&slow).await;
    expect![[r#"
        after 15.0 s: Later: `http://pub.test/`: not finished within 15 s, 15 bytes of the body had come; ask for a smaller part
        after 15.0 s: Later: `http://pub.test/`: not finished within 15 s, 0 bytes of the body had come; ask for a smaller part
        after 15.0 s: Later: `http://pub.test/`: not finished within 15 s, 0 bytes of the body had come; ask for a smaller part
        after 5.0 s: Later: `http://pub.test/`: no connection within 5 s; try again later
        after 15.0 s: Later: `http://pub.test/`, where `http://pub.test/` redirects to: not finished within 15 s, 0 bytes of the body had come; ask for a smaller part
    "#]].assert_eq(&all);
}

/// The same, with the most memory that was held meanwhile: client and server, in one thread.
pub(crate) fn measured(bench: &Bench) -> (String, u64) {
    let mut outcome = String::new();
    let info = allocation_counter::measure(|| {
        let runtime =
            Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        outcome = runtime.block_on(bench.get("http://pub.test/"));
    });
    (outcome, info.bytes_max)
}

/// A gzip that never ends and never gives anything: empty blocks.
fn nothing() -> Bench {
    let [begin, _] = endless_gzip();
    let empty = [0, 0, 0, 255, 255].repeat(4096);
    host(move |_| {
        let behind = vec![Step::Send(begin.clone()), Step::Flood(empty.clone())];
        endless("content-encoding: gzip\r\n", behind)
    })
}

#[test]
fn whatever_is_large_ends_at_the_bound_and_takes_little_memory() {
    let zeros = gzip(&vec![0; 16 * MIB]);
    let [begin, block] = endless_gzip();
    let coded = "content-encoding: gzip\r\n";
    let all = [
        ("plain", host(|_| endless("", vec![Step::Flood(vec![b'x'; 16 * 1024])]))),
        ("one gzip", host(move |_| answer("200 OK", &["content-encoding: gzip"], &zeros))),
        (
            "endless gzip",
            host(move |_| {
                endless(coded, vec![Step::Send(begin.clone()), Step::Flood(block.clone())])
            }),
        ),
    ];
    for (name, bench) in all.into_iter().chain([("gzip of nothing", nothing())]) {
        let (outcome, most) = measured(&bench);
        assert!(
            outcome.contains("the body is over 10485760 bytes, reading stopped after"),
            "{name}: {outcome}"
        );
        assert!(most < 32 * MIB as u64, "{name}: {most}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_grows_at_most_a_hundredfold() {
    let zeros = gzip(&vec![0; MIB]);
    let n = zeros.len();
    let outcome = told(&host(move |_| answer("200 OK", &["content-encoding: gzip"], &zeros))).await;
    assert!(
        outcome.contains(&format!("{n} bytes grew to 1048576 when unpacked, over 100 times")),
        "{outcome}"
    );
    // The bound itself passes.
    let mut bench = host(|_| answer("200 OK", &["content-encoding: gzip"], &gzip(&[b' '; 500])));
    bench.limits.ratio = 500 / gzip(&[b' '; 500]).len() as u64 + 1;
    assert!(told(&bench).await.contains("200 from"));
    bench.limits.ratio -= 1;
    assert!(told(&bench).await.contains("when unpacked"));
}

#[tokio::test(start_paused = true)]
async fn codings_are_unpacked_or_named() {
    let page = gzip(b"page");
    let cut = page[..page.len() - 1].to_vec();
    let twice = [page.clone(), gzip(b" two")].concat();
    let more = [page.clone(), b"junk".to_vec()].concat();
    let bodies: Vec<(&str, Vec<u8>)> = vec![
        ("gzip", page.clone()),
        ("GZIP", page.clone()),
        ("x-gzip", page.clone()),
        ("gzip", twice),
        ("gzip", Vec::new()),
        ("identity", b"page".to_vec()),
        ("gzip", cut),
        ("gzip", more),
        ("gzip", b"page".to_vec()),
        ("br", page.clone()),
        ("deflate", page.clone()),
        ("gzip, gzip", page),
    ];
    let mut all = String::new();
    for (coding, body) in bodies {
        let header = format!("content-encoding: {coding}");
        let outcome = told(&host(move |_| answer("200 OK", &[&header], &body))).await;
        all += &format!("{coding}, {outcome}");
    }
    expect![[r#"
        gzip, after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: "page"
        GZIP, after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: "page"
        x-gzip, after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: "page"
        gzip, after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: something follows its gzip; try again later
        gzip, after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: ""
        identity, after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: "page"
        gzip, after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: it is not a whole gzip: corrupt gzip stream does not have a matching checksum; try again later
        gzip, after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: something follows its gzip; try again later
        gzip, after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: it is not a whole gzip: incomplete deflate stream; try again later
        br, after 0.0 s: Failed: `http://pub.test/`: the body is sent as `br`, but only `gzip` was asked for; ask for another address
        deflate, after 0.0 s: Failed: `http://pub.test/`: the body is sent as `deflate`, but only `gzip` was asked for; ask for another address
        gzip, gzip, after 0.0 s: Failed: `http://pub.test/`: the body is sent as `gzip, gzip`, but only `gzip` was asked for; ask for another address
    "#]].assert_eq(&all);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_answer_is_told() {
    let send = |text: &str| vec![Step::Send(text.as_bytes().to_vec())];
    let long = format!("HTTP/1.1 200 OK\r\nx-long: {}\r\n\r\n", "x".repeat(MIB));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(1000));
    let all = [
        String::new(),
        "220 mail.test ESMTP\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab".to_owned(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n".to_owned(),
        long,
        many,
    ];
    let mut words = String::new();
    for text in all {
        words += &told(&host(move |_| send(&text))).await;
    }
    expect![[r#"
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: connection closed before message completed; try again later
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: invalid HTTP version parsed; try again later
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: end of file before message length reached; try again later
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: invalid content-length parsed; try again later
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: Invalid chunk size line: missing size digit; try again later
        after 0.0 s: 200 from http://pub.test/ at 93.184.215.14:80: "page"
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: message head is too large; try again later
        after 0.0 s: Later: `http://pub.test/`: the answer cannot be read: message head is too large; try again later
    "#]].assert_eq(&words);
}

#[tokio::test(start_paused = true)]
async fn a_host_is_asked_ten_times_a_minute_and_other_hosts_meanwhile() {
    let bench = host(|_| ok("page"));
    bench.name("other.test", &["93.184.215.14"]);
    let client = bench.client();
    let mut n_passed = Vec::new();
    let spellings = ["http://pub.test/", "http://PUB.test./a", "http://u@pub.test:80/b"];
    for (nth, url) in spellings.iter().cycle().take(30).enumerate() {
        let outcome = bench.outcome(&client, Request::get(url)).await;
        if outcome.starts_with("200") {
            n_passed.push(nth);
        } else {
            assert!(
                outcome.contains(
                    "slow down: at most 10 requests a minute go to `pub.test`; wait 60 s"
                ),
                "{outcome}"
            );
        }
    }
    assert_eq!(n_passed, (0..10).collect::<Vec<_>>());
    assert_eq!(bench.looked_up().len(), 10);
    assert!(bench.outcome(&client, Request::get("http://other.test/")).await.starts_with("200"));
    tokio::time::advance(Duration::from_secs(59)).await;
    let outcome = bench.outcome(&client, Request::get("http://pub.test/")).await;
    assert!(outcome.contains("wait 1 s"), "{outcome}");
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(bench.outcome(&client, Request::get("http://pub.test/")).await.starts_with("200"));
}

#[tokio::test(start_paused = true)]
async fn redirects_count_as_requests_to_their_host() {
    let bench = host(|_| crate::bench::redirect(302, "/"));
    let client = bench.client();
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        outcomes.push(bench.outcome(&client, Request::get("http://pub.test/")).await);
    }
    assert!(outcomes[0].contains("more than 5 redirects"), "{outcomes:?}");
    assert!(outcomes[1].contains("slow down"), "{outcomes:?}");
    assert!(outcomes[2].contains("slow down"), "{outcomes:?}");
    assert_eq!(bench.reached().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_fetch_that_is_dropped_ends_its_connection() {
    let bench = host(|_| endless("", vec![Step::Flood(b"x".to_vec())]));
    let client = bench.client();
    let fetch = client.fetch(Request::get("http://pub.test/"));
    assert!(tokio::time::timeout(Duration::ZERO, fetch).await.is_err());
    // The server notices that nobody reads, and ends by itself: nothing else is left in this runtime.
    while tokio::runtime::Handle::current().metrics().num_alive_tasks() > 0 {
        tokio::task::yield_now().await;
    }
}
