//! The table: one row for each peer and chunk size.

use serde_json::Value;

pub(super) fn head() {
    println!("| parser | chunk | MB/s | ours, MB/s | ours is faster by | calls right | note |");
    println!("|---|---:|---:|---:|---:|---:|---|");
}

/// Prints the rows of one peer beside ours, which ran right before.
pub(super) fn rows(name: &str, ours: &[&Value], theirs: &[&Value]) {
    for row in theirs {
        let size = row.get("size").and_then(Value::as_u64).unwrap_or_default();
        let ours = ours.iter().find(|it| it.get("size").and_then(Value::as_u64) == Some(size));
        println!("{}", line(name, size, ours.copied(), row));
    }
}

fn line(name: &str, size: u64, ours: Option<&Value>, row: &Value) -> String {
    let chunk = if size == 0 { "whole".to_owned() } else { format!("{size} B") };
    if let Some(error) = row.get("error").and_then(Value::as_str) {
        return format!("| {name} | {chunk} | – | – | – | – | failed: {error} |");
    }
    let is_cut = number(row, "fed") < number(row, "total");
    let share = 100.0 * number(row, "fed") / number(row, "total");
    let note =
        if is_cut { format!("stopped after {share:.0} % of the text") } else { String::new() };
    let (rate, our_rate) = (rate(row), ours.map_or(0.0, rate));
    // The dialects have different lengths, so whole texts are compared, not bytes.
    let ratio = whole(row) / ours.map_or(f64::NAN, whole);
    let right = match (name, is_cut) {
        ("memchr", _) | (_, true) => "–".to_owned(),
        _ => format!("{} of {}", number(row, "right"), number(row, "calls")),
    };
    let at_least = if is_cut { "≥ " } else { "" };
    format!(
        "| {name} | {chunk} | {} | {} | {at_least}{} × | {right} | {note} |",
        digits(rate),
        digits(our_rate),
        digits(ratio)
    )
}

fn number(row: &Value, key: &str) -> f64 {
    row.get(key).and_then(Value::as_f64).unwrap_or_default()
}

fn rate(row: &Value) -> f64 {
    number(row, "fed") / number(row, "seconds") / 1e6
}

/// Seconds for the whole text; where a pass was stopped, at the rate until then.
fn whole(row: &Value) -> f64 {
    number(row, "seconds") * number(row, "total") / number(row, "fed")
}

/// A number with about three digits.
fn digits(value: f64) -> String {
    match value.abs() {
        x if x >= 100.0 => format!("{value:.0}"),
        x if x >= 10.0 => format!("{value:.1}"),
        x if x >= 1.0 => format!("{value:.2}"),
        x if x >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.5}"),
    }
}
