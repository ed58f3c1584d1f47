//! The door of HTTP: who may come in, and what leaves.
//!
//! [`Server::bind`] opens a loopback address, [`Server::serve`] answers there until it is told to
//! stop. The crate knows no tool and reads no environment.
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
//!
//! `tests/it` holds each of them on a server that listens.

mod bind;
mod error;
mod gate;
mod hosts;
mod listen;
mod random;
mod routes;
mod server;
mod state;
mod token;

pub use bind::{Bind, BindError, Exposure, Owner};
pub use error::{ApiError, Code};
pub use hosts::Hosts;
pub use routes::{Door, Reads, Route, route_table};
pub use server::{Config, Limits, Server};
pub use token::{TokenError, TokenFile};
