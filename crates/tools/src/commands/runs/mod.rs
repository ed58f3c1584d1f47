//! The commands of a session: started, watched, listed, ended.

mod aside;
mod census;
mod clip;
mod color;
mod environment;
mod facts;
mod fence;
mod hold;
mod live;
mod log;
mod output;
mod plain;
mod ports;
mod run;
mod table;
mod terminal;
mod tree;
mod watch;
mod ways;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::{fs::DirBuilderExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rustix::process::{Pid, Signal};
use tagline_sandbox::{Limits, Starter};
use tagline_secret::Redactor;
use tokio::{
    process::{Child, Command},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub use self::fence::{Fence, Reach, Sandbox};
use self::{
    aside::{Aside, Watch},
    hold::Hold,
    log::Log,
    run::Start,
    tree::Mark,
    ways::Ways,
};
pub(crate) use self::{
    aside::{Maker, PutAside},
    ports::local_urls,
    run::{End, Run, State},
    terminal::Terminal,
};

/// Commands that may run at a time.
const MAX_RUNNING: usize = 32;
/// Finished runs that are remembered.
const MAX_ENDED: usize = 100;
/// Longest command: Linux takes at most 128 KiB as one argument.
const MAX_COMMAND: usize = 128 * 1024 - 1;

/// Commands are started so many at a time as there are processors: it is work for one, of some
/// milliseconds, and what waits behind it is the work of everybody else.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, Into::into)));

/// What the run manager is told by the app.
#[derive(Clone, Debug)]
pub struct RunsConfig {
    /// A folder of this session alone, for log files and for the commands' temporary files. It
    /// is made if it is missing, readable by the user only.
    pub folder: PathBuf,
    /// Absolute folders that the session may change. No program is taken from them by its name
    /// alone: they are kept out of `PATH`.
    pub roots: Vec<PathBuf>,
    /// The whole environment of this process. Commands see a short list of it.
    pub environment: BTreeMap<String, String>,
    /// Names of further variables that the user wants commands to see.
    pub named: BTreeSet<String>,
    /// Longest log file of one command, in bytes.
    pub log_quota: u64,
    /// What one command may use of the machine.
    pub limits: Limits,
    /// What it may do to it.
    pub sandbox: Sandbox,
    /// From which process commands are started.
    pub starter: Starter,
    /// What of the commands' output is covered before it is kept or shown.
    pub secrets: Redactor,
    /// The data folder: to its undo store goes what a command should not have made. Without it that
    /// gets another name where it stands.
    pub data: Option<PathBuf>,
}

impl RunsConfig {
    /// The usual limits: 64 MiB of log for each command, and [`Limits::default`].
    #[must_use]
    pub fn new(folder: PathBuf, roots: Vec<PathBuf>) -> Self {
        Self {
            folder,
            roots,
            environment: BTreeMap::new(),
            named: BTreeSet::new(),
            log_quota: 64 << 20,
            limits: Limits::default(),
            sandbox: Sandbox::Off("nobody asked for a sandbox".to_owned()),
            starter: Starter::default(),
            secrets: Redactor::default(),
            data: None,
        }
    }
}

/// The commands of one session.
///
/// Dropping it kills what still runs, but cannot wait for it; [`Runs::shutdown`] does.
#[derive(Debug)]
pub struct Runs {
    config: RunsConfig,
    environment: BTreeMap<String, String>,
    /// The folders that may be changed, and that for temporary files, without links on the way as
    /// they were before the first command.
    roots: Vec<PathBuf>,
    temp: PathBuf,
    /// Marks every process of the session, also those of an earlier process of ours.
    session: String,
    /// Marks every process that this manager started.
    token: String,
    list: Mutex<List>,
    /// The network of its confined commands.
    ways: tokio::sync::Mutex<Option<Arc<Ways>>>,
    aside: Arc<Aside>,
    tasks: TaskTracker,
    closing: CancellationToken,
}

#[derive(Debug, Default)]
struct List {
    n_started: u64,
    /// Those of them that are not in the list yet.
    n_starting: usize,
    runs: Vec<Arc<Run>>,
}

/// A command that is to be started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// For bash.
    pub(crate) command: &'a str,
    /// Where.
    pub(crate) cwd: &'a Path,
    /// Whether it goes out by a proxy, where it has no network of the machine.
    pub(crate) wants_network: bool,
    /// Whether it reads from and writes to a terminal of its own.
    pub(crate) has_terminal: bool,
    /// It is killed after so long, if it is given.
    pub(crate) limit: Option<Duration>,
    /// The call, where no person approved it: what the command makes is looked at then.
    pub(crate) maker: Option<&'a Maker>,
}

/// A command that was started, and what holds it.
struct Spawned {
    child: Child,
    hold: Hold,
    terminal: Option<Terminal>,
}

/// Of a command that is being started; given back where it is not.
struct Place<'a> {
    /// Its number, from 1.
    n: u64,
    list: &'a Mutex<List>,
}

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("`bash`: expected it in one of the folders {path}, but found none; install bash")]
    NoBash { path: String },
    #[error("`command`: expected a command, but found nothing; write it between the tags")]
    Empty,
    #[error("`command`: expected text without NUL characters, but found one; leave it out")]
    Nul,
    #[error(
        "`command`: expected at most {MAX_COMMAND} bytes, but found {n}; write it to a file and run that"
    )]
    TooLong { n: usize },
    #[error(
        "expected at most {MAX_RUNNING} commands at a time, but that many run; end one with stop_command"
    )]
    TooMany,
    #[error("no command is started without a sandbox, and there is none: {0}")]
    NoSandbox(String),
    #[error("the session ends; no command is started any more")]
    Closing,
    #[error("the command could not be started: {}", tagline_protocol::system_words(.0))]
    Io(#[from] io::Error),
}

impl Runs {
    /// Makes the folders.
    ///
    /// # Errors
    ///
    /// Where a folder cannot be made.
    pub fn new(config: RunsConfig) -> io::Result<Self> {
        let temp = config.folder.join("tmp");
        for folder in [&config.folder.join("logs"), &temp] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let environment =
            environment::clean(&config.environment, &config.named, &config.roots, &temp);
        let session = config.folder.display().to_string();
        let roots: Vec<_> =
            config.roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        let temp = temp.canonicalize()?;
        let aside = Arc::new(Aside::new(config.data.clone(), roots.clone()));
        Ok(Self {
            config,
            environment,
            roots,
            temp,
            session,
            token: Uuid::now_v7().simple().to_string(),
            list: Mutex::default(),
            ways: tokio::sync::Mutex::default(),
            aside,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
        })
    }

    /// Starts a command.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, or must not be.
    pub(crate) async fn start(&self, asked: Asked<'_>) -> Result<Arc<Run>, StartError> {
        check(asked.command)?;
        let place = self.take_place()?;
        let id = format!("r{}", place.n);
        let log = self.log(&id)?;
        let watch = self.before(&id, asked.maker).await;
        let value = format!("{}.{id}.", self.name());
        let Spawned { child, hold, terminal } = self.spawn(&asked, &value).await?;
        let mark = mark(&value, &child, hold.has_leash());
        let Asked { command, cwd, limit, .. } = asked;
        let (command, cwd, limits) = (command.to_owned(), cwd.to_owned(), self.config.limits);
        let (held, secrets) = (self.config.sandbox.to_string(), self.config.secrets.clone());
        let start = Start { id, command, cwd, limits, hold, held, terminal, secrets };
        let run = Arc::new(Run::new(start, log, mark));
        watch::add(&run).inspect_err(|_| run.kill_now())?;
        place.fill(Arc::clone(&run));
        let (watched, closing) = (Arc::clone(&run), self.closing.clone());
        self.tasks.spawn(async move { watched.supervise(child, limit, closing).await });
        if let Some(watch) = watch {
            let (aside, watched) = (Arc::clone(&self.aside), Arc::clone(&run));
            let watch = aside.add(watch);
            self.tasks.spawn(aside.guard(watch, watched, self.closing.clone()));
        }
        if let Some(ways) = run.ways() {
            let (watched, closing) = (Arc::downgrade(&run), self.closing.clone());
            let is_wanted = move || watched.upgrade().is_some_and(|run| run.is_held());
            self.tasks.spawn(ways.watch(is_wanted, closing));
        }
        Ok(run)
    }

    /// What is there before a confined command starts that no person approved.
    async fn before(&self, id: &str, maker: Option<&Maker>) -> Option<Watch> {
        let is_confined = matches!(self.config.sandbox, Sandbox::On(_));
        let (maker, id) = (maker.filter(|_| is_confined)?.clone(), id.to_owned());
        let aside = Arc::clone(&self.aside);
        tokio::task::spawn_blocking(move || aside.before(&id, &maker)).await.ok()
    }

    /// What commands should not have made is put aside now; gives what no call has told yet.
    pub(crate) async fn put_aside(&self) -> Vec<PutAside> {
        self.aside.told().await
    }

    /// What the user said yes to stays, also where it is made while a command runs.
    pub(crate) fn let_be(&self, path: PathBuf) {
        self.aside.let_be(path);
    }

    fn take_place(&self) -> Result<Place<'_>, StartError> {
        let mut list = self.list();
        if self.closing.is_cancelled() {
            return Err(StartError::Closing);
        }
        if list.n_running() + list.n_starting >= MAX_RUNNING {
            return Err(StartError::TooMany);
        }
        list.n_started += 1;
        list.n_starting += 1;
        Ok(Place { n: list.n_started, list: &self.list })
    }

    /// The run of this id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Run>> {
        self.list().runs.iter().find(|run| run.id == id).cloned()
    }

    /// The remembered runs, the latest first.
    pub(crate) fn latest(&self) -> Vec<Arc<Run>> {
        self.list().runs.iter().rev().cloned().collect()
    }

    /// Ends a run's whole tree: `first`, and KILL after 2 seconds. It goes on even where the
    /// caller stops waiting.
    pub(crate) async fn stop(&self, run: &Arc<Run>, first: Signal) -> Option<End> {
        let run = Arc::clone(run);
        self.tasks.spawn(async move { run.stop(first).await }).await.ok()
    }

    /// The same where nothing can be awaited; without an async runtime, KILL at once.
    pub(crate) fn stop_unawaited(&self, run: &Arc<Run>) {
        let run = Arc::clone(run);
        match tokio::runtime::Handle::try_current() {
            Ok(handle) => {
                self.tasks.spawn_on(async move { run.stop(Signal::TERM).await }, &handle);
            }
            Err(_) => run.kill_now(),
        }
    }

    /// Ends what an earlier process of this session left behind, one that was killed before it
    /// could. To be called before the first command, and only where no other process holds the
    /// session. Takes at most about 3 seconds.
    pub async fn end_leftovers(&self) {
        tree::end(Mark::variable(&format!("{}#", self.session), 0), Signal::TERM).await;
    }

    /// Ends everything that still runs, and starts nothing any more. Takes at most about
    /// 3 seconds.
    pub async fn shutdown(&self) {
        self.closing.cancel();
        let stops: Vec<_> = self
            .latest()
            .into_iter()
            .filter(|run| run.is_traced())
            .map(|run| self.tasks.spawn(async move { run.stop(Signal::TERM).await }))
            .collect();
        for stop in stops {
            let _ = stop.await;
        }
        tree::end(self.mark(), Signal::TERM).await;
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Starts bash, bounded, and confined where that is wanted. It goes on where the caller stops
    /// waiting, and ends what it started.
    async fn spawn(&self, asked: &Asked<'_>, mark: &str) -> Result<Spawned, StartError> {
        let bash = environment::find_bash(&self.environment).ok_or_else(|| {
            let path = self.environment.get("PATH").cloned().unwrap_or_default();
            StartError::NoBash { path }
        })?;
        let (mut order, hold) = self.order(asked.cwd, asked.wants_network).await?;
        let starter = self.config.starter.clone();
        let mut bash = starter.command(&bash);
        bash.args(["--noprofile", "--norc", "-c", asked.command])
            .current_dir(asked.cwd)
            .env_clear()
            .envs(&self.environment)
            .env(tree::MARK, mark);
        let mut terminal = None;
        if asked.has_terminal {
            let (ours, theirs) = Terminal::open()?;
            // What it writes is read as text, so it is told of a terminal that can do no more.
            bash.env("TERM", "dumb").stdout(theirs.try_clone()?).stderr(theirs);
            order = order.on_terminal();
            terminal = Some(ours);
        } else {
            bash.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        if self.config.sandbox.has_own_temp() {
            bash.env("TMPDIR", "/tmp");
        }
        let _turn = TURNS.acquire().await.map_err(io::Error::other)?;
        hold::tell(&mut bash, &hold);
        let start = move || {
            let spawn = |it| Command::from(it).kill_on_drop(true).spawn();
            starter.start(&order, bash, spawn).map(|(child, leash)| (child, hold.on(leash)))
        };
        let started = tokio::task::spawn_blocking(start).await.map_err(io::Error::other)?;
        let (child, hold) = started?;
        Ok(Spawned { child, hold, terminal })
    }

    fn log(&self, id: &str) -> io::Result<Log> {
        let folder = self.config.folder.join("logs");
        // An earlier process of the same session may have left logs; they stay.
        let name = format!("{}-{id}.log", self.token);
        Log::create(folder.join(name), self.config.log_quota)
    }

    /// How the marks of this manager's processes begin.
    fn name(&self) -> String {
        format!("{}#{}", self.session, self.token)
    }

    /// Finds every process that this manager started and that kept its environment.
    fn mark(&self) -> Mark {
        Mark::variable(&format!("{}.", self.name()), table::started(std::process::id()))
    }

    fn list(&self) -> MutexGuard<'_, List> {
        lock(&self.list)
    }
}

fn lock(list: &Mutex<List>) -> MutexGuard<'_, List> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Place<'_> {
    fn fill(self, run: Arc<Run>) {
        lock(self.list).add(run);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        lock(self.list).n_starting -= 1;
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.closing.cancel();
        for run in self.latest().iter().filter(|run| run.is_traced()) {
            run.kill_now();
        }
        tree::kill_now(&self.mark());
    }
}

impl List {
    fn n_running(&self) -> usize {
        self.runs.iter().filter(|run| run.state() == State::Running).count()
    }

    /// Adds a run, and forgets the oldest finished ones where there are too many.
    fn add(&mut self, run: Arc<Run>) {
        self.runs.push(run);
        let n_ended = self.runs.len() - self.n_running();
        let mut n_surplus = n_ended.saturating_sub(MAX_ENDED);
        self.runs.retain(|run| {
            let is_forgotten = 0 < n_surplus && run.state() != State::Running;
            n_surplus -= usize::from(is_forgotten);
            !is_forgotten
        });
    }
}

fn check(command: &str) -> Result<(), StartError> {
    if command.trim().is_empty() {
        return Err(StartError::Empty);
    }
    if command.contains('\0') {
        return Err(StartError::Nul);
    }
    if MAX_COMMAND < command.len() {
        return Err(StartError::TooLong { n: command.len() });
    }
    Ok(())
}

fn mark(value: &str, child: &Child, has_monitor: bool) -> Mark {
    let inode = |fd: Option<rustix::fs::Stat>| fd.map(|stat| stat.st_ino);
    let stdout = child.stdout.as_ref().and_then(|pipe| rustix::fs::fstat(pipe).ok());
    let stderr = child.stderr.as_ref().and_then(|pipe| rustix::fs::fstat(pipe).ok());
    Mark {
        variable: format!("{}={value}", tree::MARK),
        group: child.id().and_then(|id| Pid::from_raw(id.cast_signed())),
        has_monitor,
        pipes: [inode(stdout), inode(stderr)].into_iter().flatten().collect(),
        since: child.id().map_or(0, table::started),
    }
}
