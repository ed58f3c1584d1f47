//! `tagline demo`: a task done by a scripted model, everything else real.
//!
//! The script builds a small page out of three files, checks it with a real command, reads that it
//! asks for a file of another name, mends that, and finishes. Parser, policy, tools, journal and
//! screen are those of `tagline run`.

use std::{fs, path::PathBuf, sync::Arc};

use tagline_model::ScriptedModel;
use tagline_protocol::{Mode, system_words};
use tagline_session::Task;
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    cli::OutputArgs,
    config::Settings,
    exit::Exit,
    journal::Keeping,
    output::{fail, note},
    run::{self, Live, Order, Which},
    signals::Stops,
    wiring::Attendance,
};

/// What the demo's model writes.
const SCRIPT: &str = include_str!("site.script");
/// What it is asked.
const TASK: &str = "Make a small page that helps to split a bill, and check that it is whole.";

/// `tagline demo`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Make the page in this folder [default: a new one below Tagline's own workspaces].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Do not wait between the words, as a real model would.
    #[arg(long)]
    fast: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Exit {
    go(app, &args).unwrap_or_else(|exit| exit)
}

fn go(app: &App, args: &Args) -> Result<Exit, Exit> {
    let script = ScriptedModel::from_text(SCRIPT).map_err(|error| fail(Exit::Failed, error))?;
    let model = if args.fast { script.without_delays() } else { script };
    let config = app.config()?;
    let settings = Settings { mode: Mode::Full, ..config.settings() };
    let folder = folder(app, args)?;
    let format = args.output.format();
    if !app.is_quiet {
        note(format_args!(
            "demo: a script plays the model; parser, policy, tools and journal are the real ones"
        ));
        note(format_args!("task: {TASK}"));
    }
    App::runtime()?.block_on(async {
        let mut stops = Stops::listen().map_err(|error| {
            fail(Exit::Failed, format_args!("signals: {}", system_words(&error)))
        })?;
        let live = Live::new(app, format);
        let which = Which::New { workspace: folder.clone() };
        let order = Order {
            settings: &settings,
            profile: &config.profile,
            which,
            keeping: Keeping::Kept,
            schema: None,
            model: Arc::new(model),
            attendance: Attendance::Unattended,
            live: Arc::clone(&live),
        };
        let wired = run::open(app, order).await?;
        let cancel = CancellationToken::new();
        let turn = wired.session.run(Task::Say(TASK.into()), cancel.clone());
        let (ended, stop) = stops.guard(&cancel, turn).await;
        wired.close().await;
        let exit = run::report(&live, format, app.is_quiet, ended, stop)?;
        if exit == Exit::Done && !app.is_quiet {
            note(format_args!("open it: {}", folder.join("index.html").display()));
            note(format_args!("see it again: tagline replay {}", wired.session.id()));
        }
        Ok(exit)
    })
}

/// The folder to work in; it must be empty, so that nothing of the user's is replaced.
fn folder(app: &App, args: &Args) -> Result<PathBuf, Exit> {
    let folder = match &args.dir {
        Some(dir) => app.env.cwd().join(dir),
        None => app.paths()?.data.join("home/workspaces").join(format!("demo-{}", run::new_id())),
    };
    fs::create_dir_all(&folder).map_err(|error| {
        fail(Exit::Usage, format_args!("{}: {}", folder.display(), system_words(&error)))
    })?;
    let is_empty = fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty {
        let message = format!(
            "--dir {}: expected an empty folder, but found files in it; name another one",
            folder.display()
        );
        return Err(fail(Exit::Usage, message));
    }
    Ok(folder)
}
