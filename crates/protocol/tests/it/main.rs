//! What the crate promises, as text in and text out.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests stop at the first surprise"
)]

mod argument_stream;
mod canonical;
mod clip;
mod decode;
mod docs;
mod doors;
mod events;
mod feedback;
mod gbnf;
mod generated;
mod grammar;
mod lark;
mod native;
mod replies;
mod results;
mod spec;
mod tools;
mod typing;
mod typing_of_anything;
mod written;
