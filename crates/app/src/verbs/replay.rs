//! `tagline replay`: prints a session as it was shown while it ran.
//!
//! From the journal alone, or from a file of frames, one a line, as `--jsonl` writes them.

use std::{fs, path::Path};

use tagline_protocol::{AnyFrame, system_words};
use tagline_store::Journal as _;

use super::sessions::{each, none, print_frame, print_record, printer};
use crate::{
    app::App,
    exit::Exit,
    journal::{open_existing, refuse},
    output::{fail, note},
};

/// `tagline replay`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A session's id, or the beginning of it; or a file of frames, one a line.
    source: String,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let file = app.env.cwd().join(&args.source);
    if file.is_file() {
        replay_file(app, &file)?;
    } else {
        replay_session(app, &args.source)?;
    }
    Ok(Exit::Done)
}

fn replay_session(app: &App, id: &str) -> Result<(), Exit> {
    let journal = open_existing(app)?.ok_or_else(|| none(id))?;
    let runtime = App::runtime()?;
    let info = runtime.block_on(journal.find(id)).map_err(|error| refuse(&error))?;
    let mut printer = printer(app);
    let work = each(&journal, &info.id, |record| print_record(&mut printer, record, &info.id));
    runtime.block_on(work)
}

fn replay_file(app: &App, file: &Path) -> Result<(), Exit> {
    let text = fs::read_to_string(file).map_err(|error| {
        fail(Exit::Failed, format_args!("{}: {}", file.display(), system_words(&error)))
    })?;
    let mut printer = printer(app);
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<AnyFrame>(line) {
            Ok(any) => print_frame(&mut printer, any.frame(), any.kind())?,
            Err(error) => {
                let place = format!("{}:{}", file.display(), n + 1);
                note(format_args!("warning: {place}: no frame: {error}"));
            }
        }
    }
    Ok(())
}
