//! What is judged, and the answer.

use std::path::PathBuf;

use tagline_protocol::{Effect, Mode};

use crate::{Rule, Scope};

/// A path that a call touches, resolved by the workspace to an absolute one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathClaim {
    /// As the model wrote it.
    pub asked: String,
    /// Absolute, links resolved as far as they exist; `None` where it leads nowhere known.
    pub resolved: Option<PathBuf>,
    /// Whether the call changes it.
    pub is_write: bool,
    /// Whether the call removes it.
    pub is_removal: bool,
}

/// Something else that a yes is bound to: what a command runs, in what, and how it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// For people.
    pub shown: String,
    /// All of it: where this differs, the yes is void.
    pub bound: String,
}

/// What a [`Fact`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// A program, as it was found.
    Program,
    /// The folder in which a command runs.
    Folder,
    /// What it sees of our environment.
    Environment,
    /// What it reads from.
    Input,
    /// How it is held.
    Confinement,
}

impl FactKind {
    /// Every one.
    pub const ALL: [Self; 5] =
        [Self::Program, Self::Folder, Self::Environment, Self::Input, Self::Confinement];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Folder => "folder",
            Self::Environment => "environment",
            Self::Input => "input",
            Self::Confinement => "confinement",
        }
    }
}

/// What a call touches, as its tool declares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Paths.
    pub paths: Vec<PathClaim>,
    /// A shell command, as it would run.
    pub command: Option<String>,
    /// Where the command would run, absolute; `None`: in the workspace.
    pub cwd: Option<PathBuf>,
    /// Hosts that get a request; `*` where it may be any, such as a command that wants the network.
    pub hosts: Vec<String>,
    /// What else a yes is bound to. Nothing is judged by it.
    pub facts: Vec<Fact>,
}

/// Whether commands run in a sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sandbox {
    /// None that was proven: a command has the rights of the user.
    #[default]
    Unproven,
    /// One that was tried at start and held: a command changes nothing outside the roots, reaches
    /// no network, and ends with its owner.
    Proven,
}

/// One call to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The tool.
    pub tool: String,
    /// What it may do.
    pub effect: Effect,
    /// The parser guessed the call's end, or an earlier one of the reply.
    pub is_recovered: bool,
    /// Its start stood inside a CDATA section that was never ended.
    pub is_from_unclosed_cdata: bool,
    /// Its arguments by name, each as text: what is no text, as JSON.
    pub arguments: Vec<(String, String)>,
    /// What it touches.
    pub claims: Claims,
}

/// Where it would run. The default allows the least: no folder, nobody there, no sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// How much runs without a question.
    pub mode: Mode,
    /// Whether a person can answer.
    pub is_attended: bool,
    /// Absolute folders that may be changed; the first is the workspace.
    pub roots: Vec<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// Our own data and configuration folders: never touched by a call, except where a root lies
    /// inside.
    pub own: Vec<PathBuf>,
    /// What the user said beforehand, from the configuration and from answers of this session.
    pub rules: Vec<Rule>,
    /// Whether commands run in a sandbox.
    pub sandbox: Sandbox,
    /// What the turn has read that neither the user nor we wrote, such as `a web page`; `None`:
    /// nothing.
    pub taint: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may run.
    Allow {
        /// Which rule says so, such as `mode full` or `read-only command`.
        rule: String,
    },
    /// A person must say yes.
    Ask {
        /// Why, in a sentence.
        why: String,
        /// What an answer may cover beside this call, narrowest first.
        scopes: Vec<Scope>,
    },
    /// It must not run.
    Deny {
        /// Which rule says so, such as `floor: removes the workspace` or `mode plan`.
        rule: String,
        /// What the model and the user read: what, why, and what to do instead.
        why: String,
        /// Refused only because nobody could be asked: the turn needs a human.
        is_for_want_of_a_human: bool,
    },
}
