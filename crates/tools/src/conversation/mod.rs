//! Tools that talk to the user and steer the turn; none of them touches the world.
//!
//! The turn machine acts on their role while the reply still streams; what stands here checks
//! the arguments and gives the card its data.

mod attempt_completion;
mod read_result;
mod say;
mod thinking;
mod update_plan;
mod wait_for_human_input;

pub(crate) use attempt_completion::AttemptCompletion;
pub(crate) use read_result::ReadResult;
pub(crate) use say::Say;
pub(crate) use thinking::Thinking;
pub(crate) use update_plan::UpdatePlan;
pub(crate) use wait_for_human_input::WaitForHumanInput;
