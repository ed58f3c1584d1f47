//! Where a session's calls run, and what they may reach.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tagline_executor::{Capabilities, Keeping, guards::ReadLedger};
use tagline_policy::Situation;
use tagline_snapshot::Keeper;
use tagline_tools::commands::{Runs, RunsConfig};
use tagline_workspace::Workspace;

use tagline_protocol::system_words;

use super::{
    rules::rules,
    sandbox::{hold, sandbox, starter},
    undo::{Kept, own_folders, undo_store},
};
use crate::{app::App, approver, config::Settings, exit::Exit, output::note, trouble::Trouble};

/// Whether a person can answer questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attendance {
    /// Somebody sits at the terminal.
    Attended,
    /// Nobody does: a question means no.
    Unattended,
}

impl Attendance {
    /// Whether somebody can be asked now.
    pub(crate) fn of(app: &App) -> Self {
        let can_be_asked = approver::is_attended(&app.env) && !app.is_quiet;
        if can_be_asked { Self::Attended } else { Self::Unattended }
    }
}

/// Where a session's calls run.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The commands.
    pub(crate) runs: Arc<Runs>,
    /// What the tools may reach.
    pub(crate) capabilities: Capabilities,
    /// What the policy judges by.
    pub(crate) situation: Situation,
    /// The folder of the commands' logs.
    logs: PathBuf,
}

impl Place {
    /// The place of a session in the working directory. `session` names the folder of its
    /// commands' logs.
    ///
    /// # Errors
    ///
    /// [`Exit::Setup`] where a folder cannot be opened or a rule is none.
    pub(crate) fn open(
        app: &App,
        settings: &Settings,
        attendance: Attendance,
        session: &str,
    ) -> Result<Self, Trouble> {
        if !app.is_quiet {
            about_home(app).iter().for_each(note);
        }
        let workspace = Arc::new(workspace(app, settings)?);
        let logs = app.paths()?.state.join("runs").join(session);
        let runs = Arc::new(runs(app, settings, &logs, &workspace)?);
        let situation = Situation {
            mode: settings.mode,
            is_attended: attendance == Attendance::Attended,
            roots: workspace.writable_roots(),
            home: app.env.get("HOME").map(PathBuf::from),
            own: app.paths()?.own(),
            rules: rules(&settings.rules)?,
            sandbox: sandbox(app, settings),
            taint: None,
        };
        let capabilities = Capabilities::default()
            .with(Arc::clone(&workspace))
            .with(Arc::clone(&runs))
            .with(Arc::new(app.redactor.clone()))
            .with(Arc::new(ReadLedger::default()));
        Ok(Self { runs, capabilities, situation, logs })
    }

    /// What its calls change is kept from now on, so that it can be undone.
    ///
    /// # Errors
    ///
    /// [`Exit::Setup`] where our own folders are not known.
    pub(crate) fn with_undo(mut self, app: &App, session: &str) -> Result<Self, Trouble> {
        let (store, own) = (undo_store(app)?, own_folders(app)?);
        let keeper = Keeper::new(store, session, self.situation.roots.clone(), &own);
        let keeping = Keeping(Arc::new(Kept(Arc::new(keeper))));
        self.capabilities = self.capabilities.with(Arc::new(keeping));
        Ok(self)
    }

    /// Removes what the commands left behind in our folders: their logs.
    pub(crate) fn forget(&self) {
        // What cannot be removed was most likely never made.
        let _ = fs::remove_dir_all(&self.logs);
    }

    /// Ends every command that still runs.
    pub(crate) async fn close(&self) {
        self.runs.shutdown().await;
    }
}

/// What to say where the workspace is the home folder, or holds it.
fn about_home(app: &App) -> Option<String> {
    let home = fs::canonicalize(app.env.get("HOME")?).ok()?;
    let folder = fs::canonicalize(app.env.cwd()).ok()?;
    if !home.starts_with(&folder) {
        return None;
    }
    let verb = if home == folder { "is" } else { "holds" };
    Some(format!(
        "warning: the workspace `{}` {verb} your home folder, so everything in it can be read; work in a \
         project's folder, or name one with `-C DIR`",
        folder.display()
    ))
}

fn runs(
    app: &App,
    settings: &Settings,
    logs: &Path,
    workspace: &Workspace,
) -> Result<Runs, Trouble> {
    let mut config = RunsConfig::new(logs.to_owned(), workspace.writable_roots());
    config.environment = app.env.vars().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    config.limits = settings.limits.command;
    config.sandbox = hold(app, settings);
    config.starter = starter();
    config.secrets = app.redactor.clone();
    config.data = Some(app.paths()?.data);
    let refuse = |error: io::Error| {
        Trouble::new(
            Exit::Setup,
            format_args!("the folder for command logs: {}", system_words(&error)),
        )
    };
    Runs::new(config).map_err(refuse)
}

/// Ends what the commands of a session left behind whose process was killed. Nobody may work in it.
pub(crate) async fn end_leftovers(app: &App, session: &str) -> Result<(), Trouble> {
    let logs = app.paths()?.state.join("runs").join(session);
    let runs = Runs::new(RunsConfig::new(logs, Vec::new()));
    let words = |error| format!("the folder for command logs: {}", system_words(&error));
    runs.map_err(|error| Trouble::new(Exit::Setup, words(error)))?.end_leftovers().await;
    Ok(())
}

/// The folders that a session in the working directory may reach.
///
/// # Errors
///
/// [`Exit::Setup`] where one of them cannot be opened.
pub(crate) fn workspace(app: &App, settings: &Settings) -> Result<Workspace, Trouble> {
    let paths = app.paths()?;
    let builder = Workspace::builder(app.env.cwd()).data(&paths.data);
    let builder = match app.env.get("HOME") {
        Some(home) if Path::new(home).is_dir() => builder.device(home),
        Some(_) | None => builder,
    };
    let extra = settings.add_dirs.iter().map(|folder| app.env.cwd().join(folder));
    let builder = extra.fold(builder, |builder, folder| builder.extra(folder));
    let builder = paths.own().into_iter().fold(builder, |builder, folder| builder.own(folder));
    builder.open().map_err(|error| Trouble::new(Exit::Setup, error))
}
