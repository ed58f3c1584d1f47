//! Rates of every workload in chunks of several sizes, beside the scan and quick-xml.

use std::{collections::BTreeMap, hint::black_box};

use tagline_workload::{Dialect, Shape, build};

use crate::{
    blocks::blocks,
    clock::{Pass, Times},
    peer,
    read::{drain, stream},
    shared::{limits, tags},
};

/// Bytes in a chunk; the last one means the whole text.
pub(crate) const SIZES: [usize; 5] = [1, 4, 64, 4096, usize::MAX];

/// What one row of the table says, in bytes per second and as ratios.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) stream: f64,
    /// Times the rate of the scan over the whole text.
    pub(crate) of_scan: f64,
    /// Times the rate of the scan over the same chunks.
    pub(crate) of_chunked: f64,
    /// Times the rate of quick-xml; none where the workload has no XML form.
    pub(crate) of_xml: Option<f64>,
    /// Blocks with their values, as a share of the streaming rate.
    pub(crate) blocks: f64,
    /// Owned events, as a share of the streaming rate.
    pub(crate) drained: f64,
    scan: f64,
    chunked: f64,
    xml: Option<f64>,
}

/// Rows by workload and size.
pub(crate) type Rows = BTreeMap<(&'static str, usize), Row>;

/// Measures every workload whose name is asked for, or all, and prints the table.
pub(crate) fn run(names: &[&str]) -> Rows {
    println!(
        "\n| workload | chunk | stream MB/s | of scan | of chunked scan | of quick-xml | \
         blocks | drained | scan MB/s | chunked | quick-xml |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut rows = Rows::new();
    let is_asked = |shape: &Shape| names.is_empty() || names.contains(&shape.name());
    for shape in Shape::ALL.into_iter().filter(is_asked) {
        let native = build(shape, Dialect::Native).text;
        let xml = has_xml(shape).then(|| build(shape, Dialect::Xml).text);
        for size in SIZES {
            let row = measure(&native, xml.as_deref(), size);
            print(shape.name(), size, &row);
            rows.insert((shape.name(), size), row);
        }
    }
    rows
}

const fn has_xml(shape: Shape) -> bool {
    match shape {
        Shape::Chatty | Shape::Code | Shape::Huge | Shape::Adv | Shape::Many => true,
        Shape::AdvLt | Shape::AdvClose | Shape::AdvOpen | Shape::Utf8 => false,
        Shape::Grow(_) | Shape::Chat(_) => true,
    }
}

fn measure(native: &str, xml: Option<&str>, size: usize) -> Row {
    let tags = &tags();
    let mut passes: Vec<Pass<'_>> = vec![
        Box::new(|| peer::scan(native)),
        Box::new(|| peer::scan_chunks(native, size)),
        Box::new(|| _ = black_box(stream(tags, limits(0), native, size))),
        Box::new(|| _ = black_box(blocks(tags, native, size))),
        Box::new(|| _ = black_box(drain(tags, native, size))),
    ];
    if let Some(xml) = xml {
        passes.push(Box::new(|| _ = black_box(peer::quick_xml(xml, size))));
    }
    let times = Times::of(passes);
    let rate = |subject| native.len() as f64 / times.seconds(subject);
    // Both texts carry the same calls, so the time counts, not the bytes.
    Row {
        stream: rate(2),
        of_scan: times.ratio(2, 0),
        of_chunked: times.ratio(2, 1),
        of_xml: xml.map(|_| times.ratio(2, 5)),
        blocks: times.ratio(3, 2),
        drained: times.ratio(4, 2),
        scan: rate(0),
        chunked: rate(1),
        xml: xml.map(|text| text.len() as f64 / times.seconds(5)),
    }
}

fn print(name: &str, size: usize, row: &Row) {
    let mega = |rate: f64| significant(rate / 1e6);
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        chunk(size),
        mega(row.stream),
        percent(row.of_scan),
        percent(row.of_chunked),
        row.of_xml.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2} ×")),
        percent(row.blocks),
        percent(row.drained),
        mega(row.scan),
        mega(row.chunked),
        row.xml.map_or_else(|| "–".into(), mega),
    );
}

/// A size as tables show it.
pub(crate) fn chunk(size: usize) -> String {
    match size {
        usize::MAX => "whole".into(),
        4096 => "4 KB".into(),
        size => format!("{size} B"),
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share))
}

/// A number with as many digits as it deserves.
fn significant(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
