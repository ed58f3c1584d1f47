//! A private Postgres server for tests.
//!
//! It listens on a free port of the loopback interface, keeps its data in a folder of its own, runs
//! as a plain user (Postgres refuses root), and ends with the test, also where the test is killed.
//!
//! It states no invariants: tests are its only users, and what goes wrong stops them with words.
#![expect(clippy::panic, reason = "a test without its server can only stop")]

mod place;

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use tempfile::TempDir;

use self::place::{User, binaries};

const USER: &str = "tagline";
const PASSWORD: &str = "loopback-only-0451";
/// Longest wait for the server, on however busy a machine.
const READY: Duration = Duration::from_secs(180);
/// Between two looks.
const NAP: Duration = Duration::from_millis(50);
const SUPERVISOR: &str = include_str!("supervise.sh");
/// Nothing here outlives a test, so nothing has to reach a disk.
const SETTINGS: &str = "
    listen_addresses = '127.0.0.1'
    unix_socket_directories = ''
    max_connections = 300
    shared_buffers = 32MB
    fsync = off
    dynamic_shared_memory_type = mmap
";

/// A running server.
#[derive(Debug)]
pub struct Cluster {
    bin: PathBuf,
    port: u16,
    n_databases: AtomicU32,
    /// Gone with the process at the latest; the server ends when this input does.
    orders: Mutex<Orders>,
    folder: TempDir,
}

#[derive(Debug)]
struct Orders {
    child: Child,
    input: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// What ends the server for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It breaks off what it does, and closes in good order.
    Stop,
    /// It is killed.
    Kill,
}

impl Cluster {
    /// The server that all tests of this process share. It is started by the first of them.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server of one's own, to be ended and started again.
    ///
    /// # Panics
    ///
    /// Where Postgres is not installed, or does not start.
    #[must_use]
    pub fn start() -> Self {
        let bin = binaries().unwrap_or_else(|message| panic!("{message}"));
        let user = User::plain().unwrap_or_else(|message| panic!("{message}"));
        let folder =
            must("make a folder", tempfile::Builder::new().prefix("tagline-pg-").tempdir());
        must("give away a folder", user.own(folder.path()));
        init(&bin, folder.path(), &user);
        let port = free_port();
        let orders = Mutex::new(Orders::start(&bin, folder.path(), port, &user));
        let cluster = Self { bin, port, n_databases: AtomicU32::new(0), orders, folder };
        cluster.wait_until_ready();
        cluster
    }

    /// The address of a new, empty database.
    ///
    /// # Panics
    ///
    /// Where the server makes none.
    #[must_use]
    pub fn database(&self) -> String {
        let name = format!("test{}", self.n_databases.fetch_add(1, Ordering::Relaxed));
        run(self.client("createdb").arg(&name));
        self.url(&name)
    }

    /// The password in the addresses, to make sure that nothing shows it.
    #[must_use]
    pub const fn password() -> &'static str {
        PASSWORD
    }

    /// Runs SQL in the database at `url`, beside whoever uses it.
    ///
    /// # Panics
    ///
    /// Where the server refuses it.
    pub fn sql(&self, url: &str, sql: &str) {
        let options = ["--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--dbname", url];
        run(self.client("psql").args(options).args(["--command", sql]));
    }

    /// What SQL says in the database at `url`, without headings.
    ///
    /// # Panics
    ///
    /// Where the server refuses it.
    #[must_use]
    pub fn ask(&self, url: &str, sql: &str) -> String {
        let options = ["--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", url];
        run(self.client("psql").args(options).args(["--command", sql]))
    }

    /// Ends the server, and starts it again once `meanwhile` is done.
    pub fn restart(&self, ending: Ending, meanwhile: impl FnOnce()) {
        self.orders().give(match ending {
            Ending::Stop => "stop",
            Ending::Kill => "kill",
        });
        meanwhile();
        self.orders().give("start");
        self.wait_until_ready();
    }

    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    fn client(&self, program: &str) -> Command {
        let mut command = command(&self.bin.join(program));
        command.env("PGPASSWORD", PASSWORD).env("PGCONNECT_TIMEOUT", "10");
        command.args(["-h", "127.0.0.1", "-U", USER, "-p", &self.port.to_string()]);
        command
    }

    fn wait_until_ready(&self) {
        for _ in 0..READY.as_millis() / NAP.as_millis() {
            let mut asked = command(&self.bin.join("pg_isready"));
            asked.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
            if asked.status().is_ok_and(|status| status.success()) {
                return;
            }
            thread::sleep(NAP);
        }
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        panic!("the Postgres server did not get ready within {READY:?}; its log:\n{log}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut orders = self.orders();
        orders.input = None;
        // It has ended by itself where this fails.
        let _ = orders.child.wait();
    }
}

impl Orders {
    fn start(bin: &Path, folder: &Path, port: u16, user: &User) -> Self {
        let mut shell = command(Path::new("sh"));
        shell.args(["-c", SUPERVISOR, "supervise"]).arg(bin).arg(folder);
        shell.arg(port.to_string()).args(user.command());
        shell.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = must("start the server", shell.spawn());
        let input = child.stdin.take();
        let Some(answers) = child.stdout.take() else { panic!("the supervisor has no output") };
        Self { child, input, answers: BufReader::new(answers) }
    }

    fn give(&mut self, order: &str) {
        let Some(input) = &mut self.input else { panic!("the server has ended") };
        must("give an order", writeln!(input, "{order}"));
        let mut answer = String::new();
        must("hear of an order", self.answers.read_line(&mut answer));
    }
}

/// Makes the files of a server that asks for a password.
fn init(bin: &Path, folder: &Path, user: &User) {
    let password = folder.join("password");
    must("write a password", std::fs::write(&password, PASSWORD));
    let data = folder.join("data");
    let mut parts = user.command();
    parts.push(bin.join("initdb").display().to_string());
    let Some((program, args)) = parts.split_first() else { panic!("no command") };
    let mut made = command(Path::new(program));
    made.args(args).arg("--pgdata").arg(&data).arg("--pwfile").arg(&password);
    made.args(["--username", USER, "--auth", "scram-sha-256", "--encoding", "UTF8"]);
    run(made.args(["--locale", "C", "--no-sync"]).current_dir(folder));
    let settings = std::fs::OpenOptions::new().append(true).open(data.join("postgresql.conf"));
    let settings = settings.and_then(|mut file| file.write_all(SETTINGS.as_bytes()));
    must("write the settings", settings);
}

/// A port that nobody has, and that the system gives to nobody who does not ask for it: while the
/// server is down, it is still there to be had.
fn free_port() -> u16 {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
    let first = range.ok().and_then(|range| range.split_whitespace().next()?.parse().ok());
    let below = first.unwrap_or(32_768_u16).max(LOWEST + 1_000);
    let seed = RandomState::new().build_hasher().finish();
    let spread = u64::from(below - LOWEST);
    let port = |nth: u64| LOWEST + u16::try_from((seed.wrapping_add(nth)) % spread).unwrap_or(0);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    match (0..spread).map(port).find(is_free) {
        Some(port) => port,
        None => panic!("cannot find a free port between {LOWEST} and {below}"),
    }
}

/// The lowest port that is tried.
const LOWEST: u16 = 20_000;

#[expect(clippy::disallowed_methods, reason = "the server is a process of its own")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// What it wrote.
fn run(command: &mut Command) -> String {
    let output = must("run a program of Postgres", command.stdin(Stdio::null()).output());
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        panic!("`{}` ended with {}: {told}", command.get_program().display(), output.status);
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn must<T>(what: &str, outcome: std::io::Result<T>) -> T {
    outcome.unwrap_or_else(|error| panic!("cannot {what}: {error}"))
}
