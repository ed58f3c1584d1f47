//! The binary, run as people run it: a command line in, text and an exit code out.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod attach;
mod away;
mod budgets;
mod chat;
mod config;
mod fallback;
mod forks;
mod guided;
mod health;
mod help;
mod images;
mod kills;
mod load;
mod models;
mod parse;
mod path_cases;
mod provider;
mod recording;
mod records;
mod resume;
mod rules;
mod run;
mod schema;
mod serve;
mod sessions;
mod shared;
mod signals;
mod stats;
mod stops;
mod support;
mod tools;
mod traces;
mod undo;
mod usage;
mod variables;
