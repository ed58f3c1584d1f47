//! A model as a stream of text: providers behind one trait, fault classes, a scripted model, a
//! cassette.

mod fault;
mod stream;

pub use fault::{FaultClass, ModelFault};
pub use stream::{FinishReason, Model, ModelEvent, ModelInfo, ModelStream, Request};
