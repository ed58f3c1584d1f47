//! `search_files`: lines of text in files.

mod page;

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{FileError, Kind, Opened};

use crate::{
    files::{
        desk::{Desk, Stoppable, Touch, at_desk, claims},
        text::count,
    },
    search::{
        grep::page::{FileSink, Page},
        list_files::here,
        walk::{Flow, Tour},
    },
};

/// Longest line that is searched, in bytes: 8 MiB.
const HEAP: usize = 8 * 1024 * 1024;

/// Searches the lines of files for a regular expression, or for a text as it is. To find where
/// something is done without knowing its words, use `search`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchFiles {
    /// The folder or file to search.
    #[serde(default = "here")]
    path: String,
    /// A regular expression for one line, in Rust's syntax; `(?i)` in front ignores case.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child raw"))]
    regex: Option<String>,
    /// Text that is searched as it is, instead of `regex`.
    #[serde(default)]
    #[schemars(extend("x-tag" = "child raw"))]
    query: Option<String>,
    /// Which files, such as `*.rs` or `src/**/*.ts`.
    #[serde(default)]
    file_pattern: Option<String>,
    /// Lines around each match.
    #[serde(default = "context")]
    #[schemars(range(max = 20))]
    context: usize,
    /// Most matches.
    #[serde(default = "limit")]
    #[schemars(range(min = 1, max = 2_000))]
    limit: u64,
}

fn context() -> usize {
    2
}

fn limit() -> u64 {
    200
}

impl Tool for SearchFiles {
    const NAME: &'static str = "search_files";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<search_files path="src" file_pattern="*.rs"><regex>fn \w+_token</regex></search_files>"#,
        "<search_files><query>unwrap()</query></search_files>",
    ];
    const LABEL: &'static str = "search";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.search(desk)).await
    }
}

impl SearchFiles {
    fn search(self, desk: &Desk) -> ToolOutcome {
        let hunt = Hunt {
            matcher: self.matcher()?,
            pattern: self.file_pattern.as_deref().map(glob).transpose()?,
        };
        let mut page = Page::new(self.limit);
        let mut searcher = searcher(self.context);
        let failure = |error: FileError| desk.failure(&error);
        match desk.files.kind(&self.path).map_err(failure)? {
            Kind::Folder => {
                let start = desk.files.folder(&self.path).map_err(failure)?;
                let tour = Tour { start: start.clone(), depth: None, shows_hidden: false };
                tour.visit(desk, |entry| {
                    if !entry.is_file() || !hunt.wants(&start, entry.path) {
                        return Ok(Flow::On);
                    }
                    // What vanished or is not ours to read is left out of a search.
                    let Ok(opened) = desk.files.open_found(entry.path) else {
                        page.n_unread += 1;
                        return Ok(Flow::On);
                    };
                    hunt.search(desk, &mut searcher, &opened, &mut page)
                })?;
            }
            Kind::File(_) | Kind::Special(_) => {
                let opened = desk.files.open(&self.path).map_err(failure)?;
                hunt.search(desk, &mut searcher, &opened, &mut page)?;
            }
        }
        Ok(self.report(&page))
    }

    fn matcher(&self) -> Result<RegexMatcher, ToolFailure> {
        let bad = |message: String| ToolFailure::BadCall(message);
        let (pattern, is_literal) = match (&self.regex, &self.query) {
            (Some(regex), None) => (regex, false),
            (None, Some(query)) => (query, true),
            (Some(_), Some(_)) => {
                return Err(
                    bad("expected `regex` or `query`, but found both; give one".to_owned()),
                );
            }
            (None, None) => {
                return Err(bad(
                    "expected `regex` or `query`, but found neither; say what to look for"
                        .to_owned(),
                ));
            }
        };
        if pattern.is_empty() {
            return Err(bad("expected something to look for, but it is empty".to_owned()));
        }
        let mut builder = RegexMatcherBuilder::new();
        builder.crlf(true).line_terminator(Some(b'\n')).fixed_strings(is_literal);
        builder.build(pattern).map_err(|error| {
            bad(format!("`regex`: {error}; mend it, or use `query` for text as it is"))
        })
    }

    fn report(&self, page: &Page) -> ToolOutput {
        let found = match page.n_matches {
            0 => "no match".to_owned(),
            1 => "1 match".to_owned(),
            n => format!("{n} matches"),
        };
        let mut echo = match page.n_matches {
            0 => format!("{found} in {}", count(page.n_files, "file")),
            _ if page.is_full() => {
                format!("{found}, and there may be more; narrow the search, or raise `limit`")
            }
            _ => format!("{found} in {}", count(page.n_files_matched, "file")),
        };
        if page.n_unread > 0 {
            let n = count(page.n_unread, "file");
            echo.push_str(&format!(", {n} not searched (unreadable, or lines over 8 MiB)"));
        }
        echo.push('\n');
        echo.push_str(&page.shown);
        if page.n_hidden > 0 {
            echo.push_str(&format!("[{} more matches are not shown]", page.n_hidden));
        }
        let payload = json!({
            "path": self.path, "matches": page.n_matches, "files": page.files,
            "searched": page.n_files,
        });
        ToolOutput::new(echo.trim_end(), payload)
    }
}

/// What is looked for, and where.
struct Hunt {
    matcher: RegexMatcher,
    pattern: Option<GlobMatcher>,
}

impl Hunt {
    fn wants(&self, start: &Path, path: &Path) -> bool {
        let Some(pattern) = &self.pattern else { return true };
        let rest = path.strip_prefix(start).unwrap_or(path);
        pattern.is_match(rest) || path.file_name().is_some_and(|name| pattern.is_match(name))
    }

    fn search(
        &self,
        desk: &Desk,
        searcher: &mut Searcher,
        opened: &Opened,
        page: &mut Page,
    ) -> Result<Flow, ToolFailure> {
        desk.check_cancel()?;
        page.n_files += 1;
        let name = desk.files.show(&opened.path);
        let mut sink = FileSink::new(&name, page, &desk.cancel);
        let source = Stoppable { source: &opened.file, cancel: &desk.cancel };
        if searcher.search_reader(&self.matcher, source, &mut sink).is_err() {
            sink.page.n_unread += 1;
        }
        sink.finish();
        desk.check_cancel()?;
        Ok(if page.is_full() { Flow::Stop } else { Flow::On })
    }
}

fn searcher(context: usize) -> Searcher {
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(HEAP))
        .before_context(context)
        .after_context(context)
        .build()
}

fn glob(pattern: &str) -> Result<GlobMatcher, ToolFailure> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        ToolFailure::BadCall(format!("`file_pattern`: {error}; write it like `*.rs`"))
    })
}
