//! Runs calls: decision, intent, retries, timeouts, rules between tools, audit, ordered results.

mod context;
mod registry;
mod tool;

pub use context::{Audit, Capabilities, Emit, ToolContext};
pub use registry::{Entry, Registry};
pub use tool::Tool;
