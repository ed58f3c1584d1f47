//! The door of HTTP: who may come in, and what leaves.
//!
//! [`Server::bind`] opens a loopback address, [`Server::serve`] answers there until it is told to
//! stop. The crate knows sessions and the shape of their events. It knows no tool, reads no
//! environment, and what it needs of the machine comes in through [`Backstage`], [`Files`], [`Undo`] and [`Setup`].
//!
//! # Invariants
//!
//! 1. **Loopback unless said otherwise.** [`Bind`] takes another address only from [`Exposure::Everyone`].
//! 2. **Hosts are a list.** A request whose `Host` is not on it gets nothing, whatever its path.
//! 3. **One way in.** Every route is a row of one table with its [`Door`]; what the table does not
//!    open asks for the token, and the token travels in one header alone.
//! 4. **Foreign pages get nothing**: neither an effect nor a byte of data, nor a header that would
//!    let them read.
//! 5. **Limits come before work**: heads, bodies, depth, streams and requests are bounded.
//! 6. **Every refusal has a code**, a sentence, what to do, and the request's id; a panic too.
//! 7. **Closing a connection never stops a run.** Only a stop request does.
//! 8. **A stream can be resumed**: what it sends has the place from which the next one goes on.
//!
//! `tests/it` holds each of them on a server that listens.

mod backstage;
mod bind;
mod bundle;
mod checks;
mod docs;
mod error;
mod files;
mod gate;
mod hosts;
mod listen;
mod metrics;
mod random;
mod routes;
mod server;
mod sessions;
mod setup;
pub mod sse;
mod state;
mod stream;
mod token;
mod undo;

pub use backstage::{Backstage, Blob, Check, ModelRow, ProviderState};
pub use bind::{Bind, BindError, Exposure, Owner};
pub use docs::{event_schema, openapi};
pub use error::{ApiError, Code, ErrorBody, ErrorFacts};
pub use files::{
    Done, FileEntry, FileName, FilePath, FileProblem, Files, NameError, Replace, Root,
};
pub use hosts::Hosts;
pub use routes::{Door, Reads, Repeats, Route, route_table};
pub use server::{Config, Limits, Parts, Server};
pub use sessions::{Said, Sessions};
pub use setup::{
    IfUnreachable, KeyKept, KeyPlace, KeySource, ProviderRow, ProviderStanding, SettingKept,
    Settled, Setup, SetupProblem,
};
pub use token::{TokenError, TokenFile};
pub use undo::{ChangeRow, Changes, ChangingCall, Found, How, Undo, UndoProblem, Undone, Which};
