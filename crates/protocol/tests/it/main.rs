//! What the crate promises, as text in and text out.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod canonical;
mod decode;
mod docs;
mod feedback;
mod results;
mod spec;
mod tools;
