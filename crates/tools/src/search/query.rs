//! `query`: code by its structure.

mod spoken;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{FileError, Kind, Opened};

use crate::{
    files::{
        desk::{Desk, Touch, at_desk, claims},
        text::{Text, count},
    },
    search::{
        code::Language,
        list_files::here,
        query::spoken::{Found, Patterns, Searched},
        walk::{Flow, Tour},
    },
};

/// Largest file that is searched, in bytes.
const FILE: u64 = 1024 * 1024;
/// How much text the matches may take, in bytes.
const BUDGET: usize = 14 * 1024;
/// Most lines of one match that are shown.
const LINES: usize = 12;
/// Longest line and longest capture that are shown, in characters.
const WIDTH: usize = 160;

/// Finds code by its structure: `$NAME` stands for one expression, name or statement, `$$$` for
/// any number of them. For text and comments, use `search_files`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Query {
    /// A whole piece of code, such as `$A.unwrap()` or `if ($COND) { $$$BODY }`. The same name
    /// stands for the same code.
    #[schemars(extend("x-tag" = "body child raw"))]
    pattern: String,
    /// The file or folder to search.
    #[serde(default = "here")]
    path: String,
    /// The language, such as `rust`; without it each file's own.
    #[serde(default)]
    language: Option<String>,
    /// Most matches.
    #[serde(default = "limit")]
    #[schemars(range(min = 1, max = 1_000))]
    limit: usize,
}

fn limit() -> usize {
    100
}

impl Tool for Query {
    const NAME: &'static str = "query";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] =
        &[r#"<query path="src" language="rust"><![CDATA[$A.unwrap()]]></query>"#];
    const SUBTITLE: Option<&'static str> = Some("pattern");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.search(desk)).await
    }
}

impl Query {
    fn search(self, desk: &Desk) -> ToolOutcome {
        let patterns = Patterns::new(&self.pattern, self.language()?)?;
        let mut hunt = Hunt { patterns, page: Page { limit: self.limit, ..Page::default() } };
        let failure = |error: FileError| desk.failure(&error);
        match desk.files.kind(&self.path).map_err(failure)? {
            Kind::Folder => self.walk(desk, &mut hunt)?,
            Kind::File(_) | Kind::Special(_) => {
                let opened = desk.files.open(&self.path).map_err(failure)?;
                hunt.file(desk, opened)?;
            }
        }
        self.report(hunt)
    }

    fn language(&self) -> Result<Option<&'static Language>, ToolFailure> {
        let Some(word) = &self.language else { return Ok(None) };
        let known = Language::named(word).map(Some);
        known.ok_or_else(|| {
            let names = Language::names().join(", ");
            ToolFailure::BadCall(format!("`language`: expected one of {names}, but found `{word}`"))
        })
    }

    fn walk(&self, desk: &Desk, hunt: &mut Hunt) -> Result<(), ToolFailure> {
        let start = desk.files.folder(&self.path).map_err(|error| desk.failure(&error))?;
        let tour = Tour { start, depth: None, shows_hidden: false };
        tour.visit(desk, |entry| {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            if !entry.is_file() || !hunt.patterns.wants(&name) {
                return Ok(Flow::On);
            }
            // What vanished or is not ours to read is left out of a search.
            if let Ok(opened) = desk.files.open_found(entry.path) {
                hunt.file(desk, opened)?;
            }
            Ok(if hunt.page.is_full() { Flow::Stop } else { Flow::On })
        })
    }

    fn report(&self, hunt: Hunt) -> ToolOutcome {
        let Hunt { patterns, page } = hunt;
        if page.n_files == 0 {
            patterns.check(&self.path)?;
        }
        let of = count(page.n_files, "file");
        let mut echo = match page.matches.len() {
            0 => format!("no match in {of}"),
            1 => format!("1 match in {of}"),
            n if page.is_full() => {
                format!("{n} matches, and there may be more; narrow the search, or raise `limit`")
            }
            n => format!("{n} matches in {of}"),
        };
        if page.n_unread > 0 {
            let n = count(page.n_unread, "file");
            echo.push_str(&format!(", {n} not searched (over 1 MiB, too deep, or no text)"));
        }
        echo.push('\n');
        echo.push_str(&page.shown);
        if page.n_hidden > 0 {
            let _ = write!(echo, "[{} of the matches are not shown]", page.n_hidden);
        }
        let payload = json!({
            "path": self.path, "pattern": self.pattern, "matches": page.matches.len(),
            "results": page.matches, "searched": page.n_files,
        });
        Ok(ToolOutput::new(echo.trim_end(), payload))
    }
}

/// What is looked for, and what was found.
struct Hunt {
    patterns: Patterns,
    page: Page,
}

impl Hunt {
    /// Searches one file.
    fn file(&mut self, desk: &Desk, opened: Opened) -> Result<(), ToolFailure> {
        desk.check_cancel()?;
        let path = desk.files.show(&opened.path);
        let text = opened.read(FILE).ok().and_then(|contents| Text::decode(&contents.bytes));
        let Some(text) = text else {
            self.page.n_unread += 1;
            return Ok(());
        };
        let room = self.page.limit.saturating_sub(self.page.matches.len());
        match self.patterns.find(&path, &text.text, room) {
            Searched::Not => {}
            Searched::TooDeep => self.page.n_unread += 1,
            Searched::Through(found) => {
                self.page.n_files += 1;
                found.iter().for_each(|found| self.page.add(&path, &text.text, found));
            }
        }
        Ok(())
    }
}

/// The matches as they are found.
#[derive(Default)]
struct Page {
    limit: usize,
    shown: String,
    matches: Vec<Value>,
    n_files: u64,
    n_unread: u64,
    n_hidden: usize,
}

impl Page {
    fn is_full(&self) -> bool {
        self.matches.len() >= self.limit
    }

    fn add(&mut self, path: &str, text: &str, found: &Found) {
        let (first, last) = (found.first + 1, found.last + 1);
        self.matches.push(json!({
            "path": path, "from": first, "to": last, "captures": found.captures,
        }));
        let shown = show(path, text, found);
        if self.shown.len() + shown.len() > BUDGET {
            self.n_hidden += 1;
        } else {
            self.shown.push_str(&shown);
        }
    }
}

/// A match: its place, its lines, what its names stand for.
fn show(path: &str, text: &str, found: &Found) -> String {
    let n = found.last - found.first + 1;
    let mut shown = format!("{path}:{}-{}\n", found.first + 1, found.last + 1);
    for (i, line) in text.lines().enumerate().skip(found.first).take(n.min(LINES)) {
        let _ = writeln!(shown, "  {} | {}", i + 1, clip(line));
    }
    if n > LINES {
        let _ = writeln!(shown, "  [{}]", count((n - LINES) as u64, "more line"));
    }
    for (name, value) in &found.captures {
        let _ = writeln!(shown, "  {name} = {}", clip(&value.replace('\n', " ")));
    }
    shown
}

fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(WIDTH).collect();
    if text.chars().nth(WIDTH).is_some() {
        clipped.push('…');
    }
    clipped
}
