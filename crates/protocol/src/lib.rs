//! Typed tool definitions and everything that follows from them.
//!
//! From one [`ToolSpec`] follow the prompt's tool docs, the parser's tags, the validation of a
//! call, its schema, and the grammar for constrained decoding. The crate also holds what a tool
//! answers ([`ToolOutcome`]), how answers are written for the model, and the events of a session
//! ([`Frame`]). Data only: `no_std`, no async, no I/O.
#![no_std]

extern crate alloc;

mod arg_fault;
mod bounds;
mod call;
mod canonical;
mod decode;
mod derive;
mod docs;
mod effect;
mod encode;
mod event;
mod example;
pub mod feedback;
mod given;
mod grammar;
mod invisible;
mod message;
mod names;
mod outcome;
mod place;
mod results;
mod scalar;
mod spec;
mod spec_error;
mod tidy;
mod toolset;
mod value;

pub use arg_fault::{ArgFault, ArgWarning, BadArguments};
pub use call::{Call, CallId};
pub use canonical::canonical_json;
pub use decode::{Decoded, decode};
pub use derive::SpecHeader;
pub use docs::Detail;
pub use effect::{Effect, Mode};
pub use encode::{Untrusted, decode_attribute, decode_content};
pub use event::{Event, Frame, Outcome, SCHEMA_VERSION, Stream, Usage};
pub use grammar::{Calls, GrammarOptions, Offered};
pub use message::{Message, Role};
pub use names::{is_same_name, nearest};
pub use outcome::{Card, Echo, Media, ToolFailure, ToolOutcome, ToolOutput};
pub use results::{ErrorClass, ResultEntry, Shape, Status, render_results};
pub use spec::{ArgSpec, ArgType, CardSpec, Place, ToolSpec, TurnRole};
pub use spec_error::SpecError;
pub use toolset::Toolset;
