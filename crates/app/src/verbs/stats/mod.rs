//! `tagline stats`: tokens, money and calls by day and model, from the journal alone.

mod counts;

use std::collections::BTreeSet;

use serde::Serialize;
use tagline_protocol::dollars;
use tagline_store::{Content, Record};

use self::counts::{Calls, Counter, Counts, Key};
use super::sessions::Source;
use crate::{
    app::App,
    cli::ServerArgs,
    config::Settings,
    exit::Exit,
    output::{note, print, print_json},
    screen::{clean, tokens},
    wiring::price_of,
};

/// `tagline stats`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Count the newest N days on which something was done.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    days: Option<u32>,
    /// Print one JSON object per day and model.
    #[arg(long)]
    json: bool,
}

/// A row, with what is known of its price.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    counts: Counts,
    /// Billionths of a dollar; absent where no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_nanos: Option<u64>,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let settings = app.config()?.settings();
    let source = Source::open(app, &ServerArgs::default())?;
    let rows = App::runtime()?.block_on(count(&source))?;
    let rows = priced(newest(rows, args.days), &settings)?;
    if args.json {
        rows.iter().try_for_each(print_json)?;
    } else if rows.is_empty() {
        note("nothing to count yet; begin with `tagline run`");
    } else {
        print(&table(&rows))?;
    }
    Ok(Exit::Done)
}

/// Every session. What a fork took over is older than the fork, and counts where it was done.
async fn count(source: &Source) -> Result<Counter, Exit> {
    let mut counter = Counter::default();
    for info in source.list().await?.unwrap_or_default() {
        counter.begin();
        let take = |record: Record| {
            if let Content::Frame(frame) = record.content
                && frame.ts >= info.created
            {
                counter.count(&frame);
            }
            Ok(())
        };
        source.each(&info.id, take).await?;
    }
    Ok(counter)
}

fn newest(counter: Counter, days: Option<u32>) -> Vec<(Key, Counts)> {
    let all: BTreeSet<String> = counter.rows.keys().map(|key| key.day.clone()).collect();
    let n = days.map_or(all.len(), |days| usize::try_from(days).unwrap_or(usize::MAX));
    let kept: BTreeSet<&String> = all.iter().rev().take(n).collect();
    counter.rows.into_iter().filter(|(key, _)| kept.contains(&key.day)).collect()
}

fn priced(rows: Vec<(Key, Counts)>, settings: &Settings) -> Result<Vec<Row>, Exit> {
    rows.into_iter()
        .map(|(key, counts)| {
            let price = price_of(settings, &key.model)?;
            let cost_nanos = price.map(|price| price.of(&counts.usage));
            Ok(Row { key, counts, cost_nanos })
        })
        .collect()
}

/// What each column holds, and how wide it is; the first two stand left.
const COLUMNS: [&str; 8] = ["day", "model", "turns", "passes", "in", "cached", "out", "calls ok"];

fn table(rows: &[Row]) -> String {
    let mut all = Counts::default();
    rows.iter().for_each(|row| all.add(&row.counts));
    let known: Vec<u64> = rows.iter().filter_map(|row| row.cost_nanos).collect();
    let cost = (known.len() == rows.len()).then(|| known.iter().sum());
    let total = cells("total", "", &all, cost);
    let mut lines =
        vec![COLUMNS.iter().map(|&name| name.to_owned()).chain(["cost".to_owned()]).collect()];
    lines.extend(
        rows.iter()
            .map(|row| cells(&row.key.day, &clean(&row.key.model), &row.counts, row.cost_nanos)),
    );
    lines.push(total);
    aligned(&lines)
}

fn cells(day: &str, model: &str, counts: &Counts, cost: Option<u64>) -> Vec<String> {
    let Counts { turns, passes, usage, .. } = counts;
    let Calls { ok, failed } = counts.calls();
    let shown = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), tokens);
    vec![
        day.to_owned(),
        model.to_owned(),
        turns.to_string(),
        passes.to_string(),
        shown(usage.input_tokens),
        share(usage.cached_tokens, usage.input_tokens),
        shown(usage.output_tokens),
        format!("{ok} of {}", ok + failed),
        cost.map_or_else(|| "-".to_owned(), dollars),
    ]
}

fn share(part: Option<u64>, whole: Option<u64>) -> String {
    let percent = part.zip(whole).and_then(|(part, whole)| (100 * part).checked_div(whole));
    percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent}%"))
}

fn aligned(lines: &[Vec<String>]) -> String {
    let n_columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let row = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).enumerate().map(|(n, (cell, &width))| {
            if n < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(row).collect()
}
