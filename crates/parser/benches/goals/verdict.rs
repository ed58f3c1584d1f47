//! Each goal with what must be reached, what is aimed at, and what was reached.

use crate::{
    latency::Spread,
    rates::{Row, Rows, percent},
};

/// Workloads whose text is mostly tags, and those that are mostly one body.
const DENSE: [&str; 3] = ["chatty", "many", "adv"];
const BODIES: [&str; 2] = ["code", "huge"];
const WHOLE: usize = usize::MAX;

/// One goal for some rows.
struct Goal {
    name: String,
    must: f64,
    aim: f64,
    /// The row that is furthest from it.
    worst: Option<(&'static str, f64)>,
}

impl Goal {
    fn new(
        name: impl Into<String>,
        (must, aim): (f64, f64),
        rows: &Rows,
        counts: impl Fn(&str, usize) -> bool,
        value: impl Fn(&Row) -> Option<f64>,
    ) -> Self {
        let counted = rows.iter().filter(|((name, size), _)| counts(name, *size));
        let values = counted.filter_map(|((name, _), row)| Some((*name, value(row)?)));
        let worst = values.min_by(|a, b| a.1.total_cmp(&b.1));
        Self { name: name.into(), must, aim, worst }
    }

    fn print(&self) {
        let Some((workload, value)) = self.worst else { return };
        let verdict = match value {
            value if value >= self.aim => "aim",
            value if value >= self.must => "must",
            _ => "missed",
        };
        println!(
            "| {} | {} | {} | {} ({workload}) | {verdict} |",
            self.name,
            percent(self.must),
            percent(self.aim),
            percent(value)
        );
    }
}

/// Prints the table.
pub(crate) fn print(rows: &Rows, spread: Spread, exponent: f64) {
    println!("\n| goal | must | aim | worst | reached |");
    println!("|---|---:|---:|---:|---|");
    for (name, size) in [("P1 4 B", 4), ("P2 1 B", 1)] {
        let name = format!("{name}, of the chunked scan");
        Goal::new(name, (0.2, 0.4), rows, |_, it| it == size, |row| Some(row.of_chunked)).print();
    }
    let is_body = |name: &str| BODIES.contains(&name);
    let is_dense = |name: &str| DENSE.contains(&name);
    let chunked = |row: &Row| Some(row.of_chunked);
    let scan = |row: &Row| Some(row.of_scan);
    let xml = |row: &Row| row.of_xml;
    let at_64 = |is: fn(&str) -> bool| move |name: &str, size: usize| is(name) && size == 64;
    Goal::new("P3 64 B, bodies", (0.4, 0.8), rows, at_64(is_body), chunked).print();
    Goal::new("P3 64 B, dense", (0.1, 0.2), rows, at_64(is_dense), chunked).print();
    let is_large = |size: usize| size >= 4096;
    let bodies = |name: &str, size: usize| is_body(name) && is_large(size);
    let dense = |name: &str, size: usize| is_dense(name) && is_large(size);
    Goal::new("P4 ≥ 4 KB, bodies, of the scan", (1.5, 3.0), rows, bodies, scan).print();
    let shares =
        [("chatty", 0.04, 0.12), ("many", 0.1, 0.2), ("adv", 0.08, 0.15), ("advlt", 0.2, 0.35)];
    for (workload, must, aim) in shares {
        let is_it = |name: &str, size: usize| name == workload && is_large(size);
        let name = format!("P5 ≥ 4 KB, {workload}, of the scan");
        Goal::new(name, (must, aim), rows, is_it, scan).print();
    }
    Goal::new("P7 ≥ 4 KB, bodies, of quick-xml", (1.0, 2.0), rows, bodies, xml).print();
    Goal::new("P7 ≥ 4 KB, dense, of quick-xml", (0.5, 1.0), rows, dense, xml).print();
    whole_against_chunks(rows);
    owned(rows);
    println!(
        "| P8 4 B of code, p50 / p99 / p99.9 ns | 60 / 200 / 1000 | 30 / 80 / 130 | {} / {} / {} | |",
        spread.p50, spread.p99, spread.p999
    );
    println!("| P9 largest exponent | 1.1 | 1.03 | {exponent:.3} | |");
}

/// P10: one chunk is no slower than many.
fn whole_against_chunks(rows: &Rows) {
    let ratios =
        rows.iter().filter(|((_, size), _)| *size == WHOLE).filter_map(|((name, _), row)| {
            let chunks = rows.get(&(*name, 4096))?;
            Some((*name, row.stream / chunks.stream))
        });
    let worst = ratios.min_by(|a, b| a.1.total_cmp(&b.1));
    Goal { name: "P10 whole, of 4 KB".into(), must: 0.8, aim: 1.0, worst }.print();
}

/// O1: what keeping the blocks costs.
fn owned(rows: &Rows) {
    for (size, must, aim) in [(4, 0.8, 0.95), (4096, 0.3, 0.5)] {
        let name = format!("O1 blocks kept, {size} B, of streaming");
        let is_code = |name: &str, it: usize| name == "code" && it == size;
        Goal::new(name, (must, aim), rows, is_code, |row| Some(row.blocks)).print();
    }
}
