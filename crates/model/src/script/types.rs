//! What a script says, once it is read.

use std::time::Duration;

use regex::Regex;
use tagline_protocol::Usage;

use crate::{FinishReason, ModelFault};

/// Replies in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) replies: Vec<Reply>,
}

/// One reply.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// Line of the script, from 1.
    pub(crate) line: usize,
    pub(crate) expects: Vec<Expect>,
    pub(crate) steps: Vec<Step>,
    pub(crate) ending: Ending,
    pub(crate) times: Times,
}

impl Reply {
    pub(crate) fn new(line: usize) -> Self {
        Self {
            line,
            expects: Vec::new(),
            steps: Vec::new(),
            ending: Ending::Finish(FinishReason::Stop),
            times: Times::Count(1),
        }
    }
}

/// How often a reply is played before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Count(usize),
    Forever,
}

/// What a request must look like.
#[derive(Clone, Debug)]
pub(crate) struct Expect {
    pub(crate) place: Place,
    pub(crate) test: Test,
}

/// Which text of the request is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    LastUser,
    System,
}

/// What must hold of it.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Contains(String),
    Lacks(String),
    Matches(Regex),
    /// So many images go with it.
    Images(usize),
}

/// How text is cut and timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pace {
    /// Characters of one delta; `None` sends a section whole.
    pub(crate) chunk: Option<usize>,
    /// Wait before each delta.
    pub(crate) delay: Duration,
}

/// One thing that happens in a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Text(String, Pace),
    Reasoning(String, Pace),
    Pause(Duration),
    State { state: String, detail: Option<String> },
    Usage(Usage),
}

/// How a reply ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    Finish(FinishReason),
    Fault(ModelFault),
    /// Nothing more comes, and the stream stays open.
    Hang,
}
