//! One command that was started: its processes, its output, its end.

use std::{
    collections::BTreeSet,
    future,
    os::unix::process::ExitStatusExt as _,
    path::PathBuf,
    process::ExitStatus,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rustix::process::{Pid, Signal};
use tagline_net::Visit;
use tagline_protocol::{Event, Stream};
use tagline_sandbox::{Limits, Reached};
use tagline_secret::Redactor;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::Child,
    sync::watch,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    census::Census,
    clip::Clip,
    hold::Hold,
    live::Live,
    log::Log,
    output::{Output, Piece},
    ports,
    table::Process,
    terminal::Terminal,
    tree::{self, Mark},
    ways::Ways,
};

/// What the record keeps of standard output and of standard error, in bytes.
const KEPT: [usize; 2] = [64 * 1024, 32 * 1024];

/// How long output is awaited after the command ended while other processes hold its pipes.
const DRAIN: Duration = Duration::from_millis(250);

/// Output pauses when nothing more came for so long.
const PAUSE: Duration = Duration::from_millis(100);

/// What a confined command left behind is gone within so many steps after it, or goes on.
const LAST_STEPS: usize = 5;
const LAST_STEP: Duration = Duration::from_millis(2);

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The command runs.
    Running,
    /// The command is over; processes that it left behind may still run.
    Ended(End),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal of this number, which we did not send.
    Signaled(i32),
    /// It ran longer than it may.
    TimedOut(Duration),
    /// It was stopped.
    Stopped,
    /// Its processes used more than they may together.
    Limited(Reached),
}

/// What a run is told when it starts.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) id: String,
    pub(super) command: String,
    pub(super) cwd: PathBuf,
    pub(super) limits: Limits,
    pub(super) hold: Hold,
    pub(super) held: String,
    pub(super) terminal: Option<Terminal>,
    pub(super) secrets: Redactor,
}

/// A command that was started.
#[derive(Debug)]
pub(crate) struct Run {
    /// Such as `r1`.
    pub(crate) id: String,
    /// The command, as it was given.
    pub(crate) command: String,
    /// Where it runs.
    pub(crate) cwd: PathBuf,
    /// When it started.
    pub(crate) started: Instant,
    /// Everything it wrote.
    pub(crate) log: Log,
    /// What it may use.
    pub(crate) limits: Limits,
    /// Whether it is confined, and how, in words.
    pub(crate) held: String,
    /// Whether it is.
    pub(crate) is_confined: bool,
    /// Whether it reaches its session's own network alone.
    pub(crate) is_alone: bool,
    record: Mutex<Record>,
    mark: Mutex<Mark>,
    census: Mutex<Census>,
    /// What holds it, while something of it may live.
    hold: Mutex<Option<Hold>>,
    ways: Option<Arc<Ways>>,
    state: watch::Sender<State>,
    /// Bytes in the log; changes with each piece.
    grown: watch::Sender<u64>,
    terminal: Option<Terminal>,
    /// What of its output is covered.
    secrets: Redactor,
}

/// What is kept in memory.
#[derive(Debug)]
struct Record {
    stdout: Clip,
    stderr: Clip,
    /// What a call that watches has not shown yet.
    live: Option<Live>,
    /// Its end is our doing.
    is_stopped: bool,
    /// So is that of everything that used too much.
    reached: Option<Reached>,
    /// Where it had gone by the proxy when nothing of it was left.
    visits: Vec<Visit>,
    /// Nobody writes any more.
    is_silent: bool,
}

impl Run {
    pub(super) fn new(start: Start, log: Log, mark: Mark) -> Self {
        let Start { id, command, cwd, limits, hold, held, terminal, secrets } = start;
        let [stdout, stderr] = KEPT.map(Clip::new);
        let live = Some(Live::default());
        let (is_stopped, is_silent, visits) = (false, false, Vec::new());
        let record = Record { stdout, stderr, live, is_stopped, reached: None, visits, is_silent };
        Self {
            id,
            command,
            cwd,
            started: Instant::now(),
            log,
            limits,
            held,
            is_confined: hold.has_leash(),
            is_alone: hold.is_alone(),
            ways: hold.ways().cloned(),
            record: Mutex::new(record),
            mark: Mutex::new(mark),
            census: Mutex::default(),
            hold: Mutex::new(Some(hold)),
            state: watch::Sender::new(State::Running),
            grown: watch::Sender::new(0),
            terminal,
            secrets,
        }
    }

    /// Where it stands.
    pub(crate) fn state(&self) -> State {
        *self.state.borrow()
    }

    /// Waits for the command's end.
    pub(crate) async fn ended(&self) -> End {
        let mut state = self.state.subscribe();
        loop {
            if let State::Ended(end) = *state.borrow_and_update() {
                return end;
            }
            if state.changed().await.is_err() {
                // The sender is `self.state`, which outlives this borrow.
                future::pending::<()>().await;
            }
        }
    }

    /// Whether nobody writes any more: the command is over, and so is everything that held its
    /// output open.
    pub(crate) fn is_silent(&self) -> bool {
        self.record().is_silent
    }

    /// Tells of new output and of its end: the log's length.
    pub(crate) fn growth(&self) -> watch::Receiver<u64> {
        self.grown.subscribe()
    }

    /// Reads the kept standard output and standard error.
    pub(crate) fn kept<T>(&self, read: impl FnOnce(&Clip, &Clip) -> T) -> T {
        let record = self.record();
        read(&record.stdout, &record.stderr)
    }

    /// The terminal in which it runs, if it has one.
    pub(crate) const fn terminal(&self) -> Option<&Terminal> {
        self.terminal.as_ref()
    }

    /// What the watching call has not shown yet.
    pub(crate) fn take_live(&self) -> Vec<Event> {
        self.record().live.as_mut().map(Live::take).unwrap_or_default()
    }

    /// Nobody watches any more.
    pub(crate) fn end_live(&self) {
        self.record().live = None;
    }

    /// The living processes of the run.
    pub(crate) async fn members(&self) -> Vec<Pid> {
        if self.is_loose() {
            return Vec::new();
        }
        let mark = self.mark();
        tokio::task::spawn_blocking(move || tree::members(&mark)).await.unwrap_or_default()
    }

    /// The ports on which the run listens.
    pub(crate) async fn listening(&self) -> BTreeSet<u16> {
        let mark = self.mark();
        let look = move || ports::listening(&tree::members(&mark));
        let ports = tokio::task::spawn_blocking(look).await.unwrap_or_default();
        if let Some(ways) = self.ways().filter(|_| !ports.is_empty()) {
            ways.look().await;
        }
        ports
    }

    /// The port of this machine that leads to this one of the run, where that is another one.
    pub(crate) fn port_outside(&self, port: u16) -> Option<u16> {
        self.ways.as_ref().and_then(|ways| ways.port(port)).filter(|outside| *outside != port)
    }

    /// The ways in and out of its network, where it is not that of the machine.
    pub(crate) fn ways(&self) -> Option<Arc<Ways>> {
        self.ways.clone()
    }

    /// Where it went by the proxy.
    pub(crate) fn visits(&self) -> Vec<Visit> {
        let now = self.lock_hold().as_ref().map(Hold::visits);
        now.unwrap_or_else(|| self.record().visits.clone())
    }

    /// Whether something of it may live.
    pub(super) fn is_held(&self) -> bool {
        self.lock_hold().is_some()
    }

    /// Whether nothing of it lives any more.
    pub(super) fn is_gone(&self) -> bool {
        self.is_ended() && (!self.is_held() || self.is_loose())
    }

    /// Whether the command is over.
    pub(super) fn is_ended(&self) -> bool {
        self.state() != State::Running
    }

    /// Ends the whole tree: `first`, and KILL after 2 seconds. Returns when the command is over.
    pub(super) async fn stop(&self, first: Signal) -> End {
        self.record().is_stopped = true;
        tree::end(self.mark(), first).await;
        self.let_go();
        self.ended().await
    }

    /// Ends the whole tree without waiting for anything.
    pub(super) fn kill_now(&self) {
        self.record().is_stopped = true;
        tree::kill_now(&self.mark());
        self.let_go();
    }

    /// Whether it is known that no process of it is left; the whole table need not be read then.
    fn is_loose(&self) -> bool {
        self.lock_hold().as_ref().is_some_and(Hold::is_loose)
    }

    /// The same, with a moment for those that go last.
    async fn gets_loose(&self) -> bool {
        let n_steps = if self.is_confined { LAST_STEPS } else { 0 };
        for _ in 0..n_steps {
            if self.is_loose() {
                return true;
            }
            sleep(LAST_STEP).await;
        }
        self.is_loose()
    }

    /// The kernel ends what is left of a confined command.
    fn let_go(&self) {
        let hold = self.lock_hold().take();
        if let Some(hold) = &hold {
            self.record().visits = hold.visits();
        }
    }

    fn lock_hold(&self) -> MutexGuard<'_, Option<Hold>> {
        self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether processes of it may be alive that more than the mark in their environment tells.
    pub(super) fn is_traced(&self) -> bool {
        self.lock_mark().group.is_some() || !self.is_silent()
    }

    /// Counts what its processes use, and ends them where that is too much. Says whether there may
    /// still be one afterwards. Blocks for milliseconds, and where it ends them, for longer.
    pub(super) fn keep_within(&self, table: &[Process]) -> bool {
        let mut census = self.census.lock().unwrap_or_else(PoisonError::into_inner);
        let usage = census.count(&self.mark(), table, self.limits.memory);
        if let Some(reached) = usage.reached(&self.limits) {
            self.record().reached.get_or_insert(reached);
            census.end(&self.mark());
            self.let_go();
            // Where the command itself was over, what it had left behind used too much.
            if let State::Ended(_) = self.state() {
                self.state.send_replace(State::Ended(End::Limited(reached)));
            }
        }
        let is_running = self.state() == State::Running && !self.record().is_stopped;
        let may_be_there = 0 < usage.processes || is_running;
        if !may_be_there {
            // Runs are remembered by the hundred, and each leash is an open file.
            self.let_go();
        }
        may_be_there
    }

    /// Reads the output and waits for the end; then goes on reading what processes that the
    /// command left behind write, until they are gone or the session ends.
    pub(super) async fn supervise(
        &self,
        mut child: Child,
        limit: Option<Duration>,
        closing: CancellationToken,
    ) {
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let read = async {
            tokio::join!(
                self.read(Stream::Stdout, stdout),
                self.read(Stream::Stderr, stderr),
                self.read(Stream::Stdout, self.terminal.as_ref()),
            );
        };
        let mut read = std::pin::pin!(read);
        let mut end = std::pin::pin!(self.end_of(&mut child, limit));
        let (end, mut is_read) = tokio::select! {
            end = &mut end => (end, false),
            () = &mut read => (end.await, true),
        };
        if !is_read {
            is_read = timeout(DRAIN, &mut read).await.is_ok();
        }
        self.forget_empty_group().await;
        if is_read {
            self.forget_pipes();
        }
        let reached = self.record().reached;
        self.state.send_replace(State::Ended(reached.map_or(end, End::Limited)));
        if !is_read {
            tokio::select! {
                () = read => (),
                () = closing.cancelled() => (),
            }
            self.forget_pipes();
        }
    }

    async fn end_of(&self, child: &mut Child, limit: Option<Duration>) -> End {
        let over = async {
            match limit {
                Some(limit) => sleep(limit).await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            status = child.wait() => self.end(status.ok()),
            () = over => {
                tree::end(self.mark(), Signal::TERM).await;
                self.let_go();
                let _ = child.wait().await;
                End::TimedOut(limit.unwrap_or_default())
            }
        }
    }

    fn end(&self, status: Option<ExitStatus>) -> End {
        let signal = status.and_then(|status| status.signal());
        match status.and_then(|status| status.code()) {
            _ if self.record().is_stopped => End::Stopped,
            Some(code) => End::Exited(code),
            None => End::Signaled(signal.unwrap_or_default()),
        }
    }

    async fn read(&self, stream: Stream, pipe: Option<impl AsyncRead + Unpin>) {
        let Some(mut pipe) = pipe else { return };
        let mut output = Output::new(&self.secrets);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let patience = if output.can_pause() { PAUSE } else { Duration::MAX };
            match timeout(patience, pipe.read(&mut buffer)).await {
                Ok(Ok(n @ 1..)) => {
                    self.take(stream, &output.feed(buffer.get(..n).unwrap_or_default()));
                }
                Ok(Ok(0) | Err(_)) => break,
                Err(_) => self.take(stream, &output.pause()),
            }
        }
        self.take(stream, &output.finish());
    }

    fn take(&self, stream: Stream, piece: &Piece) {
        let Piece { plain, colored } = piece;
        if colored.is_empty() {
            return;
        }
        {
            let mut record = self.record();
            match stream {
                Stream::Stdout => record.stdout.push(plain),
                Stream::Stderr => record.stderr.push(plain),
            }
            if let Some(live) = &mut record.live {
                live.push(stream, colored);
            }
            self.log.append(plain);
        }
        self.grown.send_replace(self.log.len());
    }

    /// The number of a group may be used again once it is empty.
    async fn forget_empty_group(&self) {
        let Some(group) = self.mark().group else { return };
        let look = move || tree::is_group_alive(group);
        let is_empty =
            self.gets_loose().await || !tokio::task::spawn_blocking(look).await.unwrap_or(false);
        if is_empty {
            self.lock_mark().group = None;
        }
    }

    /// The number of a pipe may be used again once it is closed. Nobody writes any more.
    fn forget_pipes(&self) {
        self.lock_mark().pipes.clear();
        self.record().is_silent = true;
        self.log.close();
        self.grown.send_replace(self.log.len());
    }

    fn mark(&self) -> Mark {
        self.lock_mark().clone()
    }

    fn lock_mark(&self) -> MutexGuard<'_, Mark> {
        self.mark.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
