//! A model as a stream of text: providers behind one trait, fault classes, a scripted model, a
//! cassette.

mod fault;
mod script;
mod stream;

pub use fault::{FaultClass, ModelFault};
pub use script::{ScriptError, ScriptedModel};
pub use stream::{FinishReason, Model, ModelEvent, ModelInfo, ModelStream, Request};
