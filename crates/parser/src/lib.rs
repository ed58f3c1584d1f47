//! Finds tool calls in a stream of model text.
//!
//! Text goes in with [`Parser::feed`], cut anywhere; [`Parser::drain`] hands out what became
//! certain; [`Parser::flush`] says that the reply is over. The names of the tools come in as a
//! [`TagSet`], so this crate knows no tool.
#![no_std]

extern crate alloc;

mod event;
mod limits;
mod parser;
mod tags;

pub use event::{Block, BlockId, Child, Event, Fault, Reason, Span, Value, ValueName};
pub use limits::Limits;
pub use parser::{Finish, Parser};
pub use tags::{ChildSpec, TagSet, TagSpec, ValueKind};
