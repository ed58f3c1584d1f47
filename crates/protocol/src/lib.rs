//! Typed tool definitions and everything that follows from them.
//!
//! From one [`ToolSpec`] follow the parser's tags ([`Toolset::tag_set`]), the prompt's tool docs
//! ([`Toolset::docs`]), the typing and validation of a call ([`decode`]), its JSON Schema, the
//! definitions for the APIs of providers ([`Toolset::native`]), and what servers hold a model to
//! ([`Toolset::grammar`], [`Toolset::structural_tag`], [`Toolset::response_format`]). A call comes
//! back typed from a tag ([`decode`]), from a native call ([`ToolSpec::of_native`]) and from a reply
//! in JSON ([`Toolset::of_response`]), and goes out as a tag ([`ToolSpec::written`]) or natively
//! ([`ToolSpec::to_native`]). Calls of tools that are known by a JSON
//! Schema alone are typed by [`ArgSchema`]. The crate also holds what a tool
//! answers ([`ToolOutcome`]), how answers and faults are written for the model
//! ([`render_results`], [`feedback`]), and the events of a session ([`Frame`]).
//!
//! It knows no tool, runs nothing, and does not decide what may run.
//!
//! # Invariants
//!
//! 1. **One definition.** Docs, schema, tags and grammar follow from the specs alone, in declared
//!    order, byte by byte the same each time.
//! 2. **Decoded means valid.** What [`decode`] gives satisfies the tool's schema, and it never
//!    panics, whatever the block holds. Typing guesses nothing: a string is the text that was
//!    written, a number has its digits, and what does not fit is named or left as it was.
//! 3. **Data stays data.** Encoded text holds nothing that could begin markup and nothing hidden,
//!    and decoding it gives the original back.
//! 4. **What the grammar derives is right:** it parses without a fault, and its calls decode.
//! 5. **What is unknown is kept.** Frames of another version survive reading and writing.
//! 6. **No outside world.** The crate is `no_std`: no files, clock, threads or async.
//!
//! `tests/it` holds 1 to 5, each as a property or over every sample; the next line holds 6.
#![no_std]

extern crate alloc;

mod any_frame;
mod arg_fault;
mod arg_schema;
mod argument_stream;
mod bounds;
mod call;
mod canonical;
mod clip;
mod decode;
mod derive;
mod docs;
mod effect;
mod elements;
mod encode;
mod event;
mod event_parts;
mod example;
pub mod feedback;
mod given;
mod grammar;
mod invisible;
mod kinds;
mod literal;
mod message;
mod names;
mod native;
mod nested;
mod number;
mod outcome;
mod place;
mod price;
mod response;
mod results;
mod scalar;
mod shape;
mod spec;
mod spec_error;
mod system;
mod tidy;
mod toolset;
mod typed;
mod typing;
mod value;
mod written;

/// The parser's page, whose loop needs both crates: its examples run with this crate's.
#[cfg(doctest)]
#[doc = include_str!("../../parser/README.md")]
struct ParserReadme;

pub use any_frame::AnyFrame;
pub use arg_fault::{ArgFault, ArgWarning, BadArguments};
pub use arg_schema::ArgSchema;
pub use argument_stream::{ArgumentDelta, ArgumentStream};
pub use call::{Call, CallId};
pub use canonical::canonical_json;
pub use clip::{clipped, each_result, shortened_results, where_whole};
pub use decode::{Decoded, decode, decode_json};
pub use derive::SpecHeader;
pub use docs::Detail;
pub use effect::{Effect, Mode, NoSuchMode};
pub use encode::{Untrusted, decode_attribute, decode_content};
pub use event::{EVENT_TYPES, Event, Frame, SCHEMA_VERSION};
pub use event_parts::{BudgetAnswer, Compaction, Delivery, Outcome, ShownFact, Stream, Usage};
pub use grammar::{Calls, GrammarError, GrammarOptions, Notation, Offered};
pub use message::{Message, Role, UserInput};
pub use names::{is_same_name, nearest};
pub use native::{Adherence, Api, NativeError};
pub use outcome::{Card, Echo, Media, ToolFailure, ToolOutcome, ToolOutput};
pub use price::{Price, dollars};
pub use response::{Response, ResponseError};
pub use results::{ErrorClass, ResultEntry, Shape, Status, render_results};
pub use spec::{ArgSpec, ArgType, CardSpec, Place, ToolSpec, TurnRole};
pub use spec_error::SpecError;
pub use system::system_words;
pub use toolset::Toolset;
pub use typed::Typed;
