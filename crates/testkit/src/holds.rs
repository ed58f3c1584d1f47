//! What holds of every reply, as checks that say what does not.

use tagline_parser::{Finish, Limits, TagSet, ValueName};

use crate::{Reading, Seen, cut, read};

/// What a check found wrong.
pub type Held = Result<(), String>;

/// All that holds of any text, however it is cut: P1 to P5.
///
/// # Errors
///
/// What does not hold, with the events.
pub fn everything(
    tags: &TagSet,
    limits: Limits,
    reply: &str,
    sizes: &[usize],
    finish: Finish,
) -> Held {
    let whole = read(tags, limits, &[reply], finish);
    let pieces = read(tags, limits, &cut(reply, sizes), finish);
    let single = read(tags, limits, &cut(reply, &[1]), finish);
    for (reading, how) in [(&whole, "whole"), (&pieces, "in pieces"), (&single, "by character")] {
        let held = nothing_lost(reading, reply.len())
            .and_then(|()| bounded(reading, limits))
            .and_then(|()| deltas_true(reading, limits));
        held.and_then(|()| same(&whole, reading)).map_err(|what| format!("{how}: {what}"))?;
    }
    Ok(())
}

/// P1: two readings of one reply gave the same.
///
/// # Errors
///
/// The first events that differ.
pub fn same(one: &Reading, other: &Reading) -> Held {
    if one.seen == other.seen {
        return Ok(());
    }
    let n = one.seen.iter().zip(&other.seen).take_while(|(one, other)| one == other).count();
    let from = |reading: &Reading| format!("{:?}", reading.seen.get(n..).unwrap_or_default());
    Err(format!("chunks show:\n{}\nand\n{}", from(one), from(other)))
}

/// P3: every byte lies in exactly one span.
///
/// # Errors
///
/// The places that lie in none, or in several.
pub fn nothing_lost(reading: &Reading, len: usize) -> Held {
    let mut spans = reading.spans.clone();
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut at = 0;
    let mut gaps = Vec::new();
    for span in spans {
        if span.start != at {
            gaps.push(format!("{at}..{}", span.start));
        }
        at = span.end;
    }
    if at != len as u64 {
        gaps.push(format!("{at}..{len}"));
    }
    if gaps.is_empty() {
        return Ok(());
    }
    Err(format!("lost or doubled: {}\n{:?}", gaps.join(", "), reading.seen))
}

/// Bytes looked at for each byte fed, at most, on any text.
pub const WORK: u64 = 40;

/// P4: work is linear, and what is held is bounded.
///
/// # Errors
///
/// What is above its bound.
pub fn bounded(reading: &Reading, limits: Limits) -> Held {
    let stats = reading.stats;
    let work = WORK * stats.fed + (1 << 17);
    if stats.visited > work {
        return Err(format!("{} bytes looked at, of {}", stats.visited, stats.fed));
    }
    let room = 4 * (limits.held + limits.start_tag + limits.name) as u64 + 1024;
    if reading.held > room {
        return Err(format!("{} bytes held, at most {room}", reading.held));
    }
    Ok(())
}

/// P5: a kept value is what its deltas said; one above the limit is a part of it.
///
/// # Errors
///
/// The values that are not.
pub fn deltas_true(reading: &Reading, limits: Limits) -> Held {
    let lies = reading.seen.iter().flat_map(|seen| lies_of(reading, seen, limits.owned_value));
    let lies: Vec<String> = lies.collect();
    if lies.is_empty() {
        return Ok(());
    }
    Err(format!("not as told: {}\n{:?}", lies.join(", "), reading.seen))
}

fn lies_of(reading: &Reading, seen: &Seen, longest: usize) -> Vec<String> {
    let Seen::End(block) = seen else { return Vec::new() };
    let is_true =
        |kept: &str, told: &str| kept == told || (longest < told.len() && told.starts_with(kept));
    let values = told(reading, block.id.0);
    let text_of = |name: &ValueName| {
        values.iter().find(|(it, _)| it == name).map_or("", |(_, text)| text.as_str())
    };
    let body = block.body.iter().filter(|body| !is_true(body.text(), text_of(&ValueName::Body)));
    let mut lies: Vec<String> = body.map(|body| format!("body {:?}", body.text())).collect();
    let mut told = values.iter().filter(|(name, _)| *name != ValueName::Body);
    for child in &block.children {
        let is_it = |name: &ValueName| matches!(name, ValueName::Child(it, _) if *it == child.name);
        // A value given twice is told twice, but stands once in the block.
        let text = child.value.text();
        if !text.is_empty() && !told.any(|(name, told)| is_it(name) && is_true(text, told)) {
            lies.push(format!("{} {text:?}", child.name));
        }
    }
    lies
}

/// The joined deltas of each value of a block, in the order they began.
fn told(reading: &Reading, block: u32) -> Vec<(ValueName, String)> {
    let mut values: Vec<(ValueName, String)> = Vec::new();
    for seen in &reading.seen {
        if let Seen::Delta(id, name, text) = seen
            && *id == block
        {
            match values.iter_mut().find(|(it, _)| it == name) {
                Some((_, old)) => old.push_str(text),
                None => values.push((name.clone(), text.clone())),
            }
        }
    }
    values
}
