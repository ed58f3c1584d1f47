//! Finds tool calls in a stream of model text.
//!
//! Text goes in with [`Parser::feed`], cut anywhere; [`Parser::drain`] hands out what became
//! certain; [`Parser::flush`] says that the reply is over. The names of the tools come in as a
//! [`TagSet`], so this crate knows no tool.
#![no_std]

extern crate alloc;

mod attribute;
mod block;
mod cdata;
mod chars;
mod comment;
mod dialect;
mod doomed;
mod element;
mod ends;
mod entity;
mod event;
mod fault;
mod fence;
mod input;
mod inside;
mod json;
mod lead;
mod limits;
mod machine;
mod mention;
mod names;
mod near;
mod own;
mod parser;
mod release;
mod render;
mod scalar;
mod sink;
mod soft;
mod start;
mod stray;
mod tag;
mod tags;
mod text;
mod thinking;
mod ticks;
mod value;
mod wrapped;

pub use event::{Block, BlockId, Child, Event, Fault, Reason, Span, Value, ValueName};
pub use limits::Limits;
pub use parser::{Finish, Parser, Stats, parse};
pub use render::render;
pub use sink::{EventRef, Sink, ValueRef};
pub use tags::{ChildSpec, TagSet, TagSpec, ValueKind};
