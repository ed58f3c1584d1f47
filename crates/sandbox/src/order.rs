//! How a command is to be held, and how it is started so.

use std::{
    ffi::OsString,
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd as _, OwnedFd},
        unix::process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use serde::{Deserialize, Serialize};

use crate::{
    Limits, Plan,
    confine::{Leash, Orders, Parts, Targets, Trial, landlock},
    helper,
    network::Membership,
    terminal,
};

/// How a command is to be held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    limits: Limits,
    fence: Option<Fence>,
    /// Whether its standard output is a terminal, which is to be its own.
    has_terminal: bool,
    /// What it tries instead of becoming a command.
    trial: Option<Trial>,
}

/// How a command is to be confined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fence {
    pub(crate) means: Means,
    /// What it may do.
    pub(crate) plan: Plan,
    /// Where it starts.
    pub(crate) cwd: OsString,
    /// The network that it is in; without one, that of the machine.
    pub(crate) network: Option<Membership>,
    /// Whether it is kept from the network where it has none of its own.
    pub(crate) is_offline: bool,
}

/// What of the kernel confines a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Means {
    /// Namespaces, mounts, fewer rights and fewer system calls.
    #[default]
    Namespaces,
    /// Landlock, fewer rights and fewer system calls, where the kernel gives no namespaces. It cannot
    /// say all of a plan, and no leash comes of it.
    Landlock,
}

/// From which process commands are started.
#[derive(Clone, Debug, Default)]
pub enum Starter {
    /// From a copy of this one. That takes the longer the more memory it has.
    #[default]
    Fork,
    /// From this program, which begins with [`helper::serve`].
    Helper(PathBuf),
    /// The same, from a copy that nobody can change ([`Starter::sealed`]).
    Sealed(Arc<OwnedFd>),
}

/// A process in which everything is done that holds a command.
pub(crate) struct Held(Option<Targets>);

impl Order {
    /// Below these limits, and no more.
    #[must_use]
    pub const fn bounded(limits: Limits) -> Self {
        Self { limits, fence: None, has_terminal: false, trial: None }
    }

    /// Below these limits and confined as planned, in this folder.
    #[must_use]
    pub fn confined(limits: Limits, plan: Plan, cwd: &Path) -> Self {
        let (means, cwd) = (Means::default(), cwd.into());
        let fence = Fence { means, plan, cwd, network: None, is_offline: false };
        Self { limits, fence: Some(fence), has_terminal: false, trial: None }
    }

    /// Confined by these means.
    #[must_use]
    pub fn by(mut self, means: Means) -> Self {
        self.fence.iter_mut().for_each(|fence| fence.means = means);
        self
    }

    /// In this network, where it is confined.
    #[must_use]
    pub fn within(mut self, network: Membership) -> Self {
        self.fence.iter_mut().for_each(|fence| fence.network = Some(network));
        self
    }

    /// Without a network where it has none of its own and is confined by [`Means::Landlock`].
    #[must_use]
    pub fn offline(mut self) -> Self {
        self.fence.iter_mut().for_each(|fence| fence.is_offline = true);
        self
    }

    /// With the terminal that is its standard output, from which it also reads.
    #[must_use]
    pub const fn on_terminal(mut self) -> Self {
        self.has_terminal = true;
        self
    }

    /// Whether it reads from a terminal.
    pub(crate) const fn has_terminal(&self) -> bool {
        self.has_terminal
    }

    pub(crate) fn trying(self, trial: Trial) -> Self {
        Self { trial: Some(trial), ..self }
    }

    /// Follows it in this process, which is a fresh one. The socket is the leash.
    pub(crate) fn follow(&self, socket: &impl AsFd) -> io::Result<Held> {
        let targets = self.targets()?;
        if self.has_terminal {
            terminal::take()?;
        }
        match &self.fence {
            Some(fence) if fence.means == Means::Landlock => {
                self.limits.keep()?;
                landlock::hold(fence, self.parts())?;
            }
            Some(fence) => {
                let leash = socket.as_fd().try_clone_to_owned()?;
                Orders::new(self.limits, fence, leash, self.parts())?.follow()?;
            }
            None => self.limits.keep()?,
        }
        Ok(Held(targets))
    }

    /// Has a copy of this process follow it before it becomes the command.
    fn hook(&self, command: &mut Command) -> io::Result<Option<Leash>> {
        if self.has_terminal {
            hook(command, terminal::take);
        }
        let Some(fence) = &self.fence else {
            let limits = self.limits;
            hook(command, move || limits.keep());
            return Ok(None);
        };
        if fence.means == Means::Landlock {
            // Its rules are made where there is room to make them.
            return Err(io::ErrorKind::Unsupported.into());
        }
        let (leash, end) = io::pipe()?;
        let mut orders = Orders::new(self.limits, fence, leash.into(), self.parts())?;
        let held = Held(self.targets()?);
        hook(command, move || {
            orders.follow()?;
            held.begin();
            Ok(())
        });
        Ok(Some(Leash::new(end.into())))
    }

    fn parts(&self) -> Parts {
        self.trial.as_ref().map_or(Parts::ALL, |trial| trial.parts)
    }

    /// Whether its processes end with us.
    fn has_leash(&self) -> bool {
        self.fence.as_ref().is_some_and(|fence| fence.means == Means::Namespaces)
    }

    fn targets(&self) -> io::Result<Option<Targets>> {
        self.trial.as_ref().map(Targets::new).transpose()
    }
}

impl Held {
    /// Returns where there is a command to become.
    pub(crate) fn begin(&self) {
        if let Some(targets) = &self.0 {
            targets.attack();
        }
    }
}

impl Starter {
    /// A helper that is read once: what later becomes of the file, which a command may be able to
    /// write to, changes nothing.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read or copied.
    pub fn sealed(helper: &Path) -> io::Result<Self> {
        let copy =
            memfd_create(c"tagline-command", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        let mut copy = File::from(copy);
        io::copy(&mut File::open(helper)?, &mut copy)?;
        fcntl_add_seals(
            &copy,
            SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL,
        )?;
        Ok(Self::Sealed(Arc::new(copy.into())))
    }

    /// The program that is started for a command, where it is not a copy of this one.
    #[must_use]
    pub fn program(&self) -> Option<PathBuf> {
        match self {
            Self::Fork => None,
            Self::Helper(helper) => Some(helper.clone()),
            // The child has our files until it becomes the helper.
            Self::Sealed(helper) => Some(format!("/proc/self/fd/{}", helper.as_raw_fd()).into()),
        }
    }

    /// A command to be started by [`Starter::start`]: what is set of it is set for `program`, but
    /// for its standard input, which is `/dev/null`, or its terminal.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        #[expect(clippy::disallowed_methods, reason = "made for the run manager of the tools")]
        match self.program() {
            None => Command::new(program),
            Some(helper) => {
                let mut command = Command::new(helper);
                command.arg(helper::ARGUMENT).arg(program);
                command
            }
        }
    }

    /// Starts a command of [`Starter::command`] by `spawn`, held as ordered; one that cannot be held
    /// is not started. A confined one lives no longer than the leash that comes with it. Waits for
    /// some milliseconds.
    ///
    /// # Errors
    ///
    /// Those of `spawn`, and those for which the command cannot be held.
    pub fn start<C>(
        &self,
        order: &Order,
        mut command: Command,
        spawn: impl FnOnce(Command) -> io::Result<C>,
    ) -> io::Result<(C, Option<Leash>)> {
        match self {
            Self::Fork => {
                command.stdin(Stdio::null());
                let leash = order.hook(&mut command)?;
                Ok((spawn(command)?, leash))
            }
            Self::Helper(_) | Self::Sealed(_) => {
                let (child, end) = helper::ask(order, |stdin| {
                    command.stdin(stdin);
                    spawn(command)
                })?;
                Ok((child, order.has_leash().then(|| Leash::new(end))))
            }
        }
    }
}

#[expect(unsafe_code, reason = "a child is prepared between fork and exec")]
fn hook(command: &mut Command, work: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: between fork and exec only async-signal-safe functions may be called. What is hooked in
    // here makes system calls with what was made ready before: it takes no lock and allocates
    // nothing, and its errors are numbers.
    unsafe {
        command.pre_exec(work);
    }
}
