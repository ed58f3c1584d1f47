//! Flags of the verbs that ask a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::journal::Keeping;

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// One object at the end.
    Json,
    /// Frames as they happen, one a line.
    #[value(alias = "stream-json")]
    Jsonl,
}

/// How to write results, in the ways people ask for it.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OutputArgs {
    /// How to write the result.
    #[arg(long, alias = "output-format", value_enum, value_name = "FORMAT", default_value_t)]
    output: Format,
    /// One JSON object at the end; the same as `--output json`.
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Events as JSON, one a line; the same as `--output jsonl`.
    #[arg(long, conflicts_with_all = ["output", "json"])]
    jsonl: bool,
}

impl OutputArgs {
    /// The one that was asked for.
    pub(crate) const fn format(self) -> Format {
        match self {
            Self { jsonl: true, .. } => Format::Jsonl,
            Self { json: true, .. } => Format::Json,
            Self { output, .. } => output,
        }
    }
}

/// Which server is asked, if one is.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ServerArgs {
    /// Work at this server, with the token in TAGLINE_SERVER_TOKEN.
    #[arg(long, value_name = "URL", global = true, conflicts_with = "no_server")]
    pub(crate) server: Option<String>,
    /// Work in this process, also where a server has the folder.
    #[arg(long, global = true)]
    pub(crate) no_server: bool,
}

/// What a turn begins with.
#[derive(Args, Debug)]
pub(crate) struct TurnArgs {
    /// Go on with the newest session.
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    pub(crate) continues: bool,
    /// Go on with this session; the beginning of its id is enough.
    #[arg(short, long, value_name = "ID")]
    pub(crate) resume: Option<String>,
    /// Begin a new session with a copy of this one's history.
    #[arg(long, value_name = "ID", conflicts_with_all = ["continues", "resume"])]
    pub(crate) fork: Option<String>,
    /// Keep nothing of the session; one that goes on stays as it is.
    #[arg(long)]
    pub(crate) ephemeral: bool,
    /// Put a file's text behind the task, or in a chat behind the first message.
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Show the model an image (PNG, JPEG, GIF, WebP) with the task or the first message.
    #[arg(short, long = "image", value_name = "FILE")]
    pub(crate) images: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Wait so long for a server that is away while a turn runs there, in seconds.
    #[arg(long, value_name = "N", default_value_t = 120)]
    pub(crate) reconnect_timeout: u64,
}

impl TurnArgs {
    /// What is written down of the session.
    pub(crate) const fn keeping(&self) -> Keeping {
        if self.ephemeral { Keeping::Ephemeral } else { Keeping::Kept }
    }

    /// Whether a kept session goes on itself, not a copy of it.
    pub(crate) const fn goes_on(&self) -> bool {
        !self.ephemeral && (self.continues || self.resume.is_some())
    }

    /// Whether there is something to go on with.
    pub(crate) const fn has_past(&self) -> bool {
        self.continues || self.resume.is_some() || self.fork.is_some()
    }
}

/// `tagline run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// What to do; `-` reads it from standard input.
    pub(crate) task: Option<String>,
    #[command(flatten)]
    pub(crate) turn: TurnArgs,
    /// Take only an answer that is JSON and matches the JSON Schema in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) output_schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
