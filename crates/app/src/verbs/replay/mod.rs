//! `tagline replay`: prints a session as it was shown while it ran.
//!
//! From the journal alone, or from a file of frames, one a line, as `--jsonl` writes them.

mod pace;

use std::{fs, path::Path};

use tagline_protocol::{AnyFrame, Frame, system_words};
use tagline_store::{Content, Record};

use self::pace::{Pace, speed};
use super::sessions::{Source, lines, printer};
use crate::{
    app::App,
    cli::ServerArgs,
    exit::Exit,
    output::{fail, note, print},
    screen::Printer,
};

/// `tagline replay`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A session's id, or the beginning of it; or a file of frames, one a line.
    source: String,
    /// Show it as it came, so many times as fast; pauses last 3 seconds at most.
    #[arg(long, value_name = "N", value_parser = speed)]
    speed: Option<f64>,
    /// Show one event for each Enter; q ends.
    #[arg(long, conflicts_with = "speed")]
    step: bool,
}

impl Args {
    const fn pace(&self) -> Pace {
        match (self.step, self.speed) {
            (true, _) => Pace::Stepwise,
            (false, Some(speed)) => Pace::Timed { speed, last: None },
            (false, None) => Pace::AtOnce,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let player = Player { printer: printer(app), pace: args.pace() };
    let file = app.env.cwd().join(&args.source);
    if file.is_file() {
        replay_file(player, &file)?;
    } else {
        replay_session(app, player, &args.source)?;
    }
    Ok(Exit::Done)
}

/// Shows frames, each when it is due.
struct Player {
    printer: Printer,
    pace: Pace,
}

impl Player {
    fn record(&mut self, record: Record, id: &str) -> Result<(), Exit> {
        let kind = match &record.content {
            Content::Unknown(kind) => kind.clone(),
            Content::Frame(_) | Content::Damaged(_) => String::new(),
        };
        self.frame(record.into_frame(id).as_ref(), &kind)
    }

    /// What shows nothing is not waited for.
    fn frame(&mut self, frame: Option<&Frame>, kind: &str) -> Result<(), Exit> {
        let lines = lines(&mut self.printer, frame, kind);
        if lines.is_empty() {
            return Ok(());
        }
        self.pace.wait(frame.map_or("", |frame| &frame.ts))?;
        lines.iter().try_for_each(|line| print(&format!("{line}\n")))
    }
}

fn replay_session(app: &App, mut player: Player, id: &str) -> Result<(), Exit> {
    let source = Source::open(app, &ServerArgs::default())?;
    App::runtime()?.block_on(async {
        let info = source.find(id).await?;
        source.each(&info.id, |record| player.record(record, &info.id)).await
    })
}

fn replay_file(mut player: Player, file: &Path) -> Result<(), Exit> {
    let text = fs::read_to_string(file).map_err(|error| {
        fail(Exit::Failed, format_args!("{}: {}", file.display(), system_words(&error)))
    })?;
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<AnyFrame>(line) {
            Ok(any) => player.frame(any.frame(), any.kind())?,
            Err(error) => {
                let place = format!("{}:{}", file.display(), n + 1);
                note(format_args!("warning: {place}: no frame: {error}"));
            }
        }
    }
    Ok(())
}
