//! What every verb is handed: the environment, and ways to what is read only when needed.

use tagline_model::Connector;
use tagline_protocol::system_words;
use tagline_secret::Redactor;

use crate::{
    cli::Asked,
    config::{Config, Request},
    env::Env,
    exit::Exit,
    keys::Keys,
    output::{fail, note},
    paths::Paths,
    terminal::{Style, Wish},
    trouble::Trouble,
};

/// What a verb works with.
#[derive(Clone, Debug)]
pub(crate) struct App {
    /// The environment, in the folder that `-C` names.
    pub(crate) env: Env,
    /// What the user wants of the terminal.
    pub(crate) wish: Wish,
    /// What the command line says about the configuration.
    pub(crate) request: Request,
    /// `-C`: the folder was named, so it is meant on another machine too.
    pub(crate) is_folder_named: bool,
    /// `--trace-file`: this process tells what its turns do.
    pub(crate) is_traced: bool,
    /// `-q`: the answer alone.
    pub(crate) is_quiet: bool,
    /// How often `-v` was given.
    pub(crate) verbosity: u8,
    /// Covers the secrets of this process wherever text leaves it.
    pub(crate) redactor: Redactor,
    /// Connects models; what it knows of their hosts is shared by all sessions of the process.
    pub(crate) connector: Connector,
}

impl App {
    /// For this command line. Reads no file.
    ///
    /// # Errors
    ///
    /// [`Exit::Usage`] where the folder of `-C` is none.
    pub(crate) fn new(env: Env, asked: &Asked, redactor: Redactor) -> Result<Self, Exit> {
        let global = &asked.cli.global;
        let env = match &global.directory {
            Some(folder) => env.at(folder),
            None => env,
        };
        if global.directory.is_some() && !env.cwd().is_dir() {
            let folder = env.cwd().display();
            let message = format!("-C: expected a folder, but `{folder}` is none; make it first");
            return Err(fail(Exit::Usage, message));
        }
        let (request, wish) = (asked.request(), asked.wish());
        let connector = Connector::default();
        Ok(Self {
            env,
            wish,
            request,
            is_folder_named: global.directory.is_some(),
            is_traced: global.trace_file.is_some(),
            is_quiet: global.quiet,
            verbosity: global.verbose,
            redactor,
            connector,
        })
    }

    /// The same in another working directory, such as that of a session that goes on.
    pub(crate) fn at(&self, folder: &std::path::Path) -> Self {
        Self { env: self.env.clone().at(folder), ..self.clone() }
    }

    /// Our folders.
    pub(crate) fn paths(&self) -> Result<Paths, Trouble> {
        Paths::new(&self.env).map_err(|error| Trouble::new(Exit::Setup, error))
    }

    /// The keys that are kept for the user.
    pub(crate) fn keys(&self) -> Result<Keys, Trouble> {
        Ok(Keys::of(&self.paths()?.config))
    }

    /// The profile's name, which needs no configuration to be known.
    pub(crate) fn profile(&self) -> &str {
        self.request.profile.as_deref().unwrap_or("default")
    }

    /// The settings in force; what is odd about them is said on standard error.
    pub(crate) fn config(&self) -> Result<Config, Trouble> {
        let config = Config::load(&self.env, &self.paths()?, &self.request)
            .map_err(|error| Trouble::new(error.exit(), error))?;
        if !self.is_quiet {
            config.warnings.iter().for_each(|warning| note(format_args!("warning: {warning}")));
        }
        Ok(config)
    }

    /// How standard error is dressed.
    pub(crate) fn stderr(&self) -> Style {
        self.wish.stderr(&self.env)
    }

    /// How standard output is dressed.
    pub(crate) fn stdout(&self) -> Style {
        self.wish.stdout(&self.env)
    }

    /// A runtime for one verb, on this thread alone.
    pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Exit> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime
            .map_err(|error| fail(Exit::Failed, format_args!("runtime: {}", system_words(&error))))
    }
}
