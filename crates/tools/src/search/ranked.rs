//! `search`: blocks of code, ranked by their words.

mod blocks;
mod score;
mod words;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{FileError, Kind};

use crate::{
    files::{
        desk::{Desk, Touch, at_desk, claims},
        text::{Text, count},
    },
    search::{
        list_files::here,
        ranked::{blocks::is_test, score::Index, words::Query},
        walk::{Flow, Tour},
    },
};

/// Largest file that is searched, in bytes: 1 MiB.
const FILE: u64 = 1024 * 1024;
/// Most files that are searched.
const FILES: u64 = 20_000;
/// Most bytes that are searched: 256 MiB.
const BYTES: u64 = 256 * 1024 * 1024;
/// How many blocks are shown.
const SHOWN: usize = 10;
/// How much text is shown, in bytes.
const BUDGET: usize = 12 * 1024;

/// Searches code by words and parts of names, best first: gives files, line ranges and the lines
/// that matched. Use it to find where something is done; for exact text, use `search_files`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Search {
    /// Words and names, such as `parse session token`.
    #[schemars(extend("x-tag" = "child"), length(min = 1))]
    query: String,
    /// The folder or file to search.
    #[serde(default = "here")]
    path: String,
    /// Whether tests are searched too.
    #[serde(default)]
    allow_tests: bool,
}

impl Tool for Search {
    const NAME: &'static str = "search";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] =
        &["<search><query>parse session token</query><path>src</path></search>"];
    const SUBTITLE: Option<&'static str> = Some("query");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.search(desk)).await
    }
}

impl Search {
    fn search(self, desk: &Desk) -> ToolOutcome {
        let query = Query::new(&self.query);
        if query.is_empty() {
            return Err(ToolFailure::BadCall(format!(
                "`query`: expected words or names, but found `{}`; for signs, use `search_files`",
                self.query.trim()
            )));
        }
        let mut index = Index::new(query);
        let failure = |error: FileError| desk.failure(&error);
        match desk.files.kind(&self.path).map_err(failure)? {
            Kind::Folder => self.walk(desk, &mut index)?,
            Kind::File(_) | Kind::Special(_) => {
                let opened = desk.files.open(&self.path).map_err(failure)?;
                let name = desk.files.show(&opened.path);
                if let Ok(contents) = opened.read(FILE)
                    && let Some(text) = Text::decode(&contents.bytes)
                {
                    index.add(&name, &text.text, true);
                }
            }
        }
        Ok(self.report(&index))
    }

    fn walk(&self, desk: &Desk, index: &mut Index) -> Result<(), ToolFailure> {
        let start = desk.files.folder(&self.path).map_err(|error| desk.failure(&error))?;
        let tour = Tour { start: start.clone(), depth: None, shows_hidden: false };
        let (mut n_files, mut n_bytes) = (0, 0);
        tour.visit(desk, |entry| {
            let rest = entry.path.strip_prefix(&start).unwrap_or(entry.path);
            if !entry.is_file() || (!self.allow_tests && is_test(rest)) {
                return Ok(Flow::On);
            }
            let Ok(contents) = desk.files.open_found(entry.path).map(|opened| opened.read(FILE))
            else {
                return Ok(Flow::On);
            };
            if let Ok(contents) = contents
                && let Some(text) = Text::decode(&contents.bytes)
            {
                n_bytes += contents.bytes.len() as u64;
                n_files += 1;
                index.add(&desk.files.show(entry.path), &text.text, self.allow_tests);
            }
            Ok(if n_files >= FILES || n_bytes >= BYTES { Flow::Stop } else { Flow::On })
        })
    }

    fn report(&self, index: &Index) -> ToolOutput {
        let found = index.best(SHOWN);
        let (mut echo, mut results) = (String::new(), Vec::<Value>::new());
        for hit in &found {
            let mut shown = format!("{}:{}-{}\n", hit.path, hit.first, hit.last);
            for (number, line) in &hit.lines {
                let _ = writeln!(shown, "  {number} | {line}");
            }
            if echo.len() + shown.len() > BUDGET {
                break;
            }
            echo.push_str(&shown);
            results.push(json!({ "path": hit.path, "from": hit.first, "to": hit.last }));
        }
        let n_files = count(index.n_files(), "file");
        let words = index.query().words().join(", ");
        let payload = json!({ "query": self.query, "path": self.path, "results": results });
        if results.is_empty() {
            let tests = if self.allow_tests { "" } else { " (tests left out)" };
            let echo = format!(
                "nothing in {n_files}{tests} holds one of the words {words}; try other words, or \
                 `search_files`"
            );
            return ToolOutput::new(echo, payload);
        }
        let n = count(results.len() as u64, "place");
        let heading = format!("{n}, best first, of {n_files}; words: {words}\n");
        let tail = "read a place with `extract`, such as `path:10-20`";
        ToolOutput::new(format!("{heading}{echo}{tail}"), payload)
    }
}
