//! What reaches a turn while it runs.

use tagline_protocol::{BudgetAnswer, Event, UserInput};
use tokio::sync::mpsc;

/// Something for a turn that runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meanwhile {
    /// The user says this, and the model reads it before the next pass.
    Say {
        /// What.
        input: UserInput,
        /// Goes into the journal together with it.
        rider: Event,
    },
    /// How the user wants to go on where a bound was reached.
    Budget(BudgetAnswer),
}

/// Tells a turn how it goes on where it has reached a bound.
#[derive(Clone, Debug)]
pub struct Decider(pub(crate) mpsc::UnboundedSender<Meanwhile>);

impl Decider {
    /// Tells it. A turn that asks nothing, or has ended, does not hear it.
    pub fn decide(&self, answer: BudgetAnswer) {
        let _ = self.0.send(Meanwhile::Budget(answer));
    }
}

/// Where a turn hears it.
pub(crate) type Ear = mpsc::UnboundedReceiver<Meanwhile>;

/// The next thing; never ready where nobody can say anything, or nobody will any more.
pub(crate) async fn next(ear: &mut Option<Ear>) -> Meanwhile {
    if let Some(open) = ear
        && let Some(said) = open.recv().await
    {
        return said;
    }
    std::future::pending().await
}
