//! What this program knows of programming languages: which file is written in which, and what it
//! defines where.

mod ends;
mod languages;
mod scan;
mod symbols;
mod tree;

pub(crate) use languages::{Language, is_code};
pub(crate) use symbols::{Symbols, Target};
pub(crate) use tree::parse_flat;

/// A definition in a file. Lines are indices, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The line that names it.
    pub(crate) at: usize,
    /// Its first line, comments and attributes in front included.
    pub(crate) first: usize,
    pub(crate) last: usize,
}
