//! The built-in tools: one type each, one line each in [`all`].

mod files;
mod registry;

pub use registry::all;
