//! What the hub needs from the program around it: the parts of a session.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use tagline_executor::{Capabilities, Registry};
use tagline_model::Model;
use tagline_policy::Situation;
use tagline_store::SessionInfo;

use crate::Settings;

/// Puts together what the turns of a session are made of: model, tools, prompt and settings for
/// its profile and workspace. The app implements it.
pub trait Workshop: Send + Sync {
    /// The parts for this session. Asked before its first turn in this process, and again once
    /// they were put away. Somebody can be asked for a yes whenever the situation says so.
    fn equip<'a>(
        &'a self,
        session: &'a SessionInfo,
    ) -> BoxFuture<'a, Result<Equipment, WorkshopError>>;

    /// An id that no session has, short enough to type.
    fn new_id(&self) -> String;
}

/// What the turns of a session are made of.
pub struct Equipment {
    /// Who is asked.
    pub model: Arc<dyn Model>,
    /// What it may call.
    pub registry: Arc<Registry>,
    /// What the tools may reach.
    pub capabilities: Capabilities,
    /// Where calls run.
    pub situation: Situation,
    /// How turns run.
    pub settings: Settings,
    /// Ends what calls left running.
    pub upkeep: Arc<dyn Upkeep>,
}

impl fmt::Debug for Equipment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Equipment").field("model", &self.model).finish_non_exhaustive()
    }
}

/// What a session holds beside its turns, such as commands in the background.
pub trait Upkeep: Send + Sync {
    /// Ends all of it. No call of the session runs any more.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoUpkeep;

impl Upkeep for NoUpkeep {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Why a session cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WorkshopError {
    /// A stable word, such as `no_model`.
    pub code: String,
    /// What, where, expected, found, and what to do, in a sentence.
    pub message: String,
}
