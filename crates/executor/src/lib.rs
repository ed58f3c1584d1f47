//! Runs calls: decision, intent, retries, timeouts, rules between tools, audit, ordered results.

mod context;
pub mod guards;
mod registry;
mod spec;
mod tool;

pub use context::{Audit, Capabilities, Emit, ToolContext};
pub use registry::{CallFuture, Entry, NoSuchTool, Registry};
pub use tool::Tool;
