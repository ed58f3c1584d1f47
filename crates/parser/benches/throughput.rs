//! How fast replies are read, in chunks of several sizes, beside a `memchr` scan of the same bytes.
//!
//! `cargo bench -p tagline-parser --bench throughput`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tagline_parser::{EventRef, Finish, Limits, Parser, TagSet, TagSpec, ValueKind};

fn tags() -> TagSet {
    let tag = |name: &str, attribute: &str, body| TagSpec {
        name: name.into(),
        attributes: vec![attribute.into()],
        body,
        ..TagSpec::default()
    };
    TagSet::new([
        tag("write_file", "path", Some(ValueKind::Raw)),
        tag("say", "tone", Some(ValueKind::Scalar)),
        tag("read_file", "path", None),
    ])
}

/// Paragraphs with some code, comparisons and entities.
fn prose() -> String {
    let paragraph = "The scan of `a < b` costs one look, and R&D agrees: \"fewer looks, fewer \
                     surprises\".\nIt is repeated until the text is long enough to measure.\n\n";
    paragraph.repeat(420)
}

/// One page in a section.
fn file() -> String {
    let row = "  <li class=\"row\"><a href=\"/x?a=1&b=2\">item</a> <b>t[i[0]] > 0</b></li>\n";
    format!("<write_file path=\"a.html\"><![CDATA[\n{}]]></write_file>\n", row.repeat(900))
}

/// Short calls of several kinds.
fn calls() -> String {
    let calls = "<say tone=\"calm\">Next: the &lt;head&gt;.</say>\n<read_file path=\"src/main.rs\"/>\n\
                 <write_file path=\"b.txt\"><![CDATA[\none\ntwo\n]]></write_file>\n";
    calls.repeat(480)
}

fn read(tags: &TagSet, text: &str, size: usize) -> usize {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    let mut parser = Parser::new(tags, limits);
    let mut n_events = 0;
    let mut sink = |event: EventRef<'_>| {
        black_box(&event);
        n_events += 1;
    };
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(size.min(rest.len()));
        parser.feed_to(chunk, &mut sink);
        rest = behind;
    }
    parser.flush_to(Finish::Stop, &mut sink);
    n_events
}

fn throughput(c: &mut Criterion) {
    let tags = tags();
    for (name, text) in [("prose", prose()), ("file", file()), ("calls", calls())] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("memchr", |b| {
            b.iter(|| memchr::memchr_iter(b'<', black_box(text.as_bytes())).count());
        });
        for size in [4, 64, 4096] {
            group.bench_with_input(BenchmarkId::new("parser", size), &size, |b, &size| {
                b.iter(|| read(&tags, black_box(&text), size));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, throughput);
criterion_main!(benches);
