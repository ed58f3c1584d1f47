//! Writes what fuzzing starts from, below the folder named: the replies of the case files named,
//! random bytes for the targets that build replies, and a dictionary of all marks.
//!
//! `cargo run -p tagline-testkit --example seeds -- FOLDER CASES.jsonl…`
#![expect(clippy::unwrap_used, reason = "a chore stops at the first surprise")]

use std::{fmt::Write as _, fs, path::Path};

use serde_json::Value;
use tagline_testkit::{Choices, marks, tags, targets};

/// How many beginnings of random bytes a target gets, and how long each is.
const RANDOM: (u64, usize) = (100, 300);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, files) = args.split_first().unwrap();
    let folder = Path::new(folder);
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        text.lines().for_each(|line| case(folder, &serde_json::from_str(line).unwrap()));
    }
    for (name, _) in targets::TARGETS.iter().filter(|(name, _)| *name != "feed") {
        (0..RANDOM.0).for_each(|seed| random(&folder.join(name), seed));
    }
    fs::write(folder.join("marks.dict"), dictionary()).unwrap();
}

/// A reply, behind the number of the first set that has the case's tools.
fn case(folder: &Path, case: &Value) {
    let folder = folder.join("feed");
    fs::create_dir_all(&folder).unwrap();
    let tools: Vec<&String> = case["tools"].as_object().unwrap().keys().collect();
    let has = |set: &tagline_parser::TagSet, tool: &String| {
        set.specs().iter().any(|spec| spec.name == *tool)
    };
    let sets = tags::sets();
    let best = sets.iter().enumerate().rev();
    let best = best.max_by_key(|(_, set)| tools.iter().filter(|tool| has(set, tool)).count());
    let finish = u8::from(case["finish"] == "length");
    let mut seed = vec![u8::try_from(best.unwrap().0).unwrap(), finish, 0, 2];
    seed.extend(case["input"].as_str().unwrap().bytes().take(4096));
    fs::write(folder.join(case["id"].as_str().unwrap()), seed).unwrap();
}

fn random(folder: &Path, seed: u64) {
    fs::create_dir_all(folder).unwrap();
    let mut choices = Choices::of_seed(seed);
    let bytes: Vec<u8> = (0..RANDOM.1).map(|_| u8::try_from(choices.below(256)).unwrap()).collect();
    fs::write(folder.join(format!("random-{seed}")), bytes).unwrap();
}

/// All marks, as libFuzzer wants them.
fn dictionary() -> String {
    let mut out = String::new();
    for mark in marks::NATIVE.iter().chain(marks::EVERYDAY).chain(marks::FOREIGN) {
        let bytes = mark.bytes().map(|byte| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        });
        writeln!(out, "\"{}\"", bytes.collect::<String>()).unwrap();
    }
    out
}
