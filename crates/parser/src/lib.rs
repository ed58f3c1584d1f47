//! Finds tool calls in a stream of model text.
//!
//! Text goes in with [`Parser::feed`], cut anywhere; [`Parser::drain`] hands out what became
//! certain; [`Parser::flush`] says that the reply is over. [`Parser::feed_to`] hands events that
//! borrow from the chunk to a [`Sink`] instead. The names of the tools come in as a [`TagSet`], so
//! this crate knows no tool; values go out as text, so it knows no type either. It reads no clock,
//! no file and no network, and does not know what a call does.
//!
//! # Invariants
//!
//! * **P1: chunking is invisible.** Where a reply was cut never changes the events, once
//!   neighboring [`Event::Text`], [`Event::Thinking`] and [`Event::Delta`] are joined.
//! * **P2: reading never fails.** Any text gives events; damage is an [`Event::Fault`].
//! * **P3: nothing is lost.** Each byte fed lies in exactly one span of an [`EventRef`].
//! * **P4: work is linear** in the text, whatever it is, counted by [`Parser::stats`]; what is
//!   held is bounded by [`Limits`], not by the size of a value.
//! * **P5: deltas never lie.** The deltas of a value, joined, are its final text.
//! * **P6: a value never changes another field.** Text in a value is text, or the block is refused.
//! * **P7: round trip.** [`render`] writes a block so that it reads as the same block.
//!
//! `tests/it/invariants.rs` holds P1 to P3 and P5, `linear.rs` P4, `raw_values.rs` P6,
//! `round_trip.rs` P7.
//!
//! # How it is built
//!
//! One machine with one position in the reply and one state, an enum whose variants wait for
//! something: text and what hides calls in it (`text`, `ticks`, `fence`, `comment`, `thinking`),
//! start tags that may be only spoken of (`mention`), elements that are not registered (`element`,
//! `doomed`), the inside of a block (`lead`, `inside`, `wrapped`, `json`), and values (`value`,
//! `release`) with the rules for their ends (`ends`, `cdata`). Rules see marks in order and never
//! text twice; what may be an end is a candidate, and text is handed out up to the first of them.
//! Going back over text is counted and bounded.
//!
//! Other dialects are data where that is possible: elements and sentinels are rows in `dialect`,
//! tokens are rows in `foreign::marker`. Elements are read by the same states as native tags: a
//! `target` says how a call is written, `rule` and `marks` where its values end, and values stand
//! in elements (`carried`), in pairs of tags (`pairs`), in elements of their own names (`child`) or
//! in lines (`yaml`). A start tag may be damaged or missing (`lost`, `label`, `named`, `orphan`),
//! its tool unknown (`unknown`). What is no element stands in `foreign`: a head looks what is
//! behind a mark, a body's lexer hands out the tokens of JSON whatever the syntax, one shape takes
//! them, a tail finds the end.
#![no_std]

extern crate alloc;

mod attribute;
mod block;
mod carried;
mod cdata;
mod chars;
mod child;
mod comment;
mod dialect;
mod doomed;
mod element;
mod ends;
mod entity;
mod event;
mod fault;
mod fence;
mod foreign;
mod glide;
mod input;
mod inside;
mod json;
mod judge;
mod kept;
mod label;
mod lead;
mod limits;
mod lost;
mod machine;
mod marks;
mod mention;
mod named;
mod names;
mod near;
mod orphan;
mod own;
mod pairs;
mod parser;
mod plain;
mod release;
mod render;
mod repair;
mod rule;
mod scalar;
mod sink;
mod skim;
mod soft;
mod spare;
mod start;
mod stray;
mod tag;
mod tags;
mod target;
mod text;
mod thinking;
mod ticks;
mod unknown;
mod value;
mod wrapped;
mod yaml;

pub use event::{Block, BlockId, Child, Event, Fault, Reason, Span, Value, ValueName};
pub use foreign::marker::begins_with_mark;
pub use limits::Limits;
pub use parser::{Finish, Parser, Stats, parse};
pub use render::render;
pub use repair::{Repair, RepairKind};
pub use sink::{EventRef, Sink, ValueRef};
pub use tags::{ChildSpec, TagSet, TagSpec, ValueKind};
