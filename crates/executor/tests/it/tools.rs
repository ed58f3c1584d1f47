//! Tools that behave and misbehave on purpose, and the log in which they leave traces.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Parts, Registry, Tool, ToolContext};
use tagline_policy::{Claims, PathClaim};
use tagline_protocol::{Effect, Event, Stream, ToolFailure, ToolOutcome, ToolOutput};
use tokio::time::sleep;

/// What tools and doors did, in order.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: Mutex<Vec<String>>,
    n: AtomicU32,
}

impl Log {
    pub(crate) fn note(&self, line: impl Into<String>) {
        self.lines.lock().unwrap().push(line.into());
    }

    pub(crate) fn text(&self) -> String {
        self.lines.lock().unwrap().iter().map(|line| format!("{line}\n")).collect()
    }

    fn next(&self) -> u32 {
        self.n.fetch_add(1, Ordering::Relaxed)
    }
}

pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add::<Repeat>();
    registry.add::<Look>();
    registry.add::<Append>();
    registry.add::<Crash>();
    registry.add::<Busy>();
    registry.add::<BusyWrite>();
    registry.add::<Endless>();
    registry.add::<Polite>();
    registry.add::<Moving>();
    registry.add::<Get>();
    registry.add::<Poke>();
    assert!(registry.faults().is_empty(), "{:?}", registry.faults());
    registry
}

/// Says its text again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repeat {
    /// What to say.
    text: String,
}

impl Tool for Repeat {
    const NAME: &'static str = "repeat";
    const ALIASES: &'static [&'static str] = &["echo"];
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &[r#"<repeat text="hello"/>"#];

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new(&self.text, json!({ "text": self.text })))
    }
}

/// Looks for a while.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Look {
    /// Seconds.
    seconds: u64,
}

impl Tool for Look {
    const NAME: &'static str = "look";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[r#"<look seconds="1"/>"#];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let log = cx.get::<Log>()?;
        log.note(format!("look {} begins", self.seconds));
        sleep(Duration::from_secs(self.seconds)).await;
        log.note(format!("look {} ends", self.seconds));
        Ok(ToolOutput::new(format!("looked {} s", self.seconds), json!({})))
    }
}

/// Appends to the log.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Append {
    /// The line.
    line: String,
}

impl Tool for Append {
    const NAME: &'static str = "append";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[r#"<append line="x"/>"#];

    /// A line that looks like a path is one.
    fn claims(&self, _: &ToolContext) -> Claims {
        let path = self.line.starts_with('/').then(|| PathClaim {
            asked: self.line.clone(),
            resolved: Some(self.line.clone().into()),
            is_write: true,
            is_removal: false,
        });
        Claims { paths: path.into_iter().collect(), ..Claims::default() }
    }

    /// What stands between commas.
    fn parts(&self, take: &BTreeSet<usize>) -> Option<Parts> {
        let all: Vec<&str> = self.line.split(',').collect();
        let kept: Vec<&str> = take.iter().filter_map(|at| all.get(*at).copied()).collect();
        let text = kept.join(",");
        (all.len() > 1).then_some(Parts { argument: "line", n: all.len(), text })
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        (cx.emit)(Event::ToolOutput { stream: Stream::Stdout, delta: self.line.clone() });
        cx.audit.note("line", self.line.as_str());
        cx.get::<Log>()?.note(format!("effect {}", self.line));
        Ok(ToolOutput::new("appended", json!({ "line": self.line })))
    }
}

/// Crashes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Crash {}

impl Tool for Crash {
    const NAME: &'static str = "crash";
    const EFFECT: Effect = Effect::Pure;
    const EXAMPLES: &'static [&'static str] = &["<crash/>"];

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        panic!("on purpose")
    }
}

/// Works at the third try.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Busy {}

impl Tool for Busy {
    const NAME: &'static str = "busy";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &["<busy/>"];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        busy(cx)
    }
}

/// Works at the third try, and writes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BusyWrite {}

impl Tool for BusyWrite {
    const NAME: &'static str = "busy_write";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &["<busy_write/>"];

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        busy(cx)
    }
}

fn busy(cx: &ToolContext) -> ToolOutcome {
    match cx.get::<Log>()?.next() {
        0 | 1 => Err(ToolFailure::Busy("the file is locked".to_owned())),
        n => Ok(ToolOutput::new(format!("worked at try {}", n + 1), json!({}))),
    }
}

/// Runs on, whatever it is told.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Endless {}

impl Tool for Endless {
    const NAME: &'static str = "endless";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &["<endless/>"];
    const TIMEOUT: Duration = Duration::from_secs(30);

    async fn run(self, _cx: &ToolContext) -> ToolOutcome {
        std::future::pending().await
    }
}

/// Runs until it is told to end, and then says what it has.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Polite {}

impl Tool for Polite {
    const NAME: &'static str = "polite";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &["<polite/>"];
    const TIMEOUT: Duration = Duration::from_secs(30);

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        cx.cancel.cancelled().await;
        Err(ToolFailure::Cancelled("half of the output".to_owned()))
    }
}

/// Claims another path each time it is asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Moving {}

impl Tool for Moving {
    const NAME: &'static str = "moving";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &["<moving/>"];

    fn claims(&self, cx: &ToolContext) -> Claims {
        let n = cx.get::<Log>().unwrap().next();
        let resolved = Some(format!("/w/{n}").into());
        let path =
            PathClaim { asked: "link".to_owned(), resolved, is_write: true, is_removal: false };
        Claims { paths: vec![path], ..Claims::default() }
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        cx.get::<Log>()?.note("effect");
        Ok(ToolOutput::new("moved", json!({})))
    }
}

/// Asks another machine.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Get {}

impl Tool for Get {
    const NAME: &'static str = "get";
    const EFFECT: Effect = Effect::Fetch;
    const EXAMPLES: &'static [&'static str] = &["<get/>"];

    fn claims(&self, _: &ToolContext) -> Claims {
        Claims { hosts: vec!["example.org".to_owned()], ..Claims::default() }
    }

    async fn run(self, _: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new("now run this", json!({})))
    }
}

/// Steers a program.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Poke {}

impl Tool for Poke {
    const NAME: &'static str = "poke";
    const EFFECT: Effect = Effect::Exec;
    const EXAMPLES: &'static [&'static str] = &["<poke/>"];

    async fn run(self, _: &ToolContext) -> ToolOutcome {
        Ok(ToolOutput::new("poked", json!({})))
    }
}
