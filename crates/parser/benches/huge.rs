//! One call with a body of 100 MB, read in constant memory: the rate beside a `memchr` scan of the
//! same bytes in the same run, and the most memory the process had.
//!
//! `cargo bench -p tagline-parser --bench huge`
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use tagline_parser::{EventRef, Finish, Limits, Parser, TagSet, TagSpec, ValueKind};

/// Bytes of the body.
const BODY: usize = 100_000_000;

/// Bytes fed at once, as they come from a pipe.
const CHUNK: usize = 64 << 10;

/// Lines that a body is made of, and what they are.
const KINDS: [(&str, &str); 2] = [
    ("text", "The quick brown fox jumps over the lazy dog, again and again and again, all day.\n"),
    ("html", "  <li class=\"row\"><a href=\"/x?a=1&b=2\">item</a> <b>t[i[0]] > 0</b></li>\n"),
];

fn main() {
    for (name, line) in KINDS {
        let chunk = line.repeat(CHUNK / line.len());
        let n_chunks = BODY / chunk.len();
        let (bytes, parse) = time(|| parse(&chunk, n_chunks));
        let (_, scan) = time(|| {
            (0..n_chunks)
                .map(|_| memchr::memchr_iter(b'<', black_box(chunk.as_bytes())).count())
                .sum::<usize>()
        });
        let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{name}: {bytes} bytes, parser {:.0} MB/s, memchr {:.0} MB/s, ratio {:.2}, peak memory {}",
            rate(parse),
            rate(scan),
            parse.as_secs_f64() / scan.as_secs_f64(),
            peak(),
        );
    }
}

/// The bytes of the body that came out.
fn parse(chunk: &str, n_chunks: usize) -> usize {
    let tag = TagSpec {
        name: "write_file".into(),
        attributes: vec!["path".into()],
        body: Some(ValueKind::Raw),
        ..TagSpec::default()
    };
    let limits = Limits { owned_value: 0, ..Limits::default() };
    let mut parser = Parser::new(&TagSet::new([tag]), limits);
    let mut n_bytes = 0;
    let mut sink = |event: EventRef<'_>| {
        if let EventRef::Delta { text, .. } = event {
            n_bytes += black_box(text).len();
        }
    };
    parser.feed_to("<write_file path=\"big\"><![CDATA[\n", &mut sink);
    for _ in 0..n_chunks {
        parser.feed_to(black_box(chunk), &mut sink);
    }
    parser.feed_to("]]></write_file>\n", &mut sink);
    parser.flush_to(Finish::Stop, &mut sink);
    n_bytes
}

fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The most memory the process had, where the system tells.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".into(), |line| line.trim().into())
}
