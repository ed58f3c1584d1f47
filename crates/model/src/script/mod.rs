//! A scripted model: it plays a text file, and notices when it is asked something else.
//!
//! The form is described in `docs/scripted-models.md`.

mod line;
mod model;
mod parse;
mod types;

pub use line::ScriptError;
pub use model::ScriptedModel;
