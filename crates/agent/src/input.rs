//! What the machine is told.

use alloc::string::String;

use tagline_parser::Finish;
use tagline_protocol::{BudgetAnswer, CallId, ToolOutcome, Usage, UserInput};

/// Something that happened. What does not fit the machine's phase is ignored: a result may well
/// arrive after a cancel.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// More of the reply. The only input whose text can become calls.
    Delta(String),
    /// More native reasoning; it is shown, counts as thinking, and is never parsed.
    Reasoning(String),
    /// Token counts of this pass so far; a later one replaces an earlier one.
    Usage(Usage),
    /// The reply is over. [`Finish::Cut`]: the connection was lost.
    ReplyEnd(Finish),
    /// The model could not be asked, or failed for good.
    ReplyFailed {
        /// A stable word.
        code: String,
        /// A sentence.
        message: String,
    },
    /// A call has ended.
    Result(CallId, ToolOutcome),
    /// A call has ended that waited or looked for news (the tool's entry says so for these
    /// arguments). The rule against loops spares it.
    PollResult(CallId, ToolOutcome),
    /// The user says this meanwhile. It is taken at any point of a turn that is not over, enters
    /// the transcript before the next pass (behind a reply that is being continued, not inside),
    /// and an answer that was written without knowing it does not end the turn.
    Steer(UserInput),
    /// The turn has taken as long as it may; what runs may end, and then the user is asked, or the
    /// turn ends. [`BudgetAnswer::Add`] begins the time anew.
    TimeIsUp {
        /// In seconds.
        limit_s: u64,
    },
    /// How the user wants to go on where a bound is reached.
    Budget(BudgetAnswer),
    /// The answer was looked at: the answer as it counts, or what was found instead.
    Checked(Result<String, String>),
    /// The user stops the turn, and the calls that run are ending by themselves: their results
    /// still count, but the model is not asked again. [`Input::Cancel`] follows.
    Stopping,
    /// The same, because the turn has taken as long as it may.
    OutOfTime {
        /// In seconds.
        limit_s: u64,
    },
    /// The user stops the turn.
    Cancel,
}
