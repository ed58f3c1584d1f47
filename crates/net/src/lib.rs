//! The guarded HTTP client: whatever a model steers reaches the public internet and nothing else.
//!
//! A [`Client`] fetches; its [`Gate`] says where a connection may go, and opens it. What is
//! guarded against is an address that leads to this machine, its network or its host's credentials:
//! in any spelling, behind any name, after any redirect. The crate knows no tool, no session
//! and no environment; whether a call may fetch *at all* is decided elsewhere.
//!
//! # Invariants
//!
//! * **N1: one reading.** An address is read once, into a [`Target`]. Verdict, lists, look-up, TLS
//!   and the header `host` read that; nobody reads the text again.
//! * **N2: one look-up for each hop, and a verdict on all that it answers.** One bad address
//!   closes the name. A connection goes to an address that was judged: only the gate makes a
//!   [`Checked`], and a [`Connect`] is given nothing else, no name among it.
//! * **N3: every hop.** Redirects are followed here, each through the same gate; headers of the
//!   caller and credentials stay with the origin they were meant for.
//! * **N4: everything is bounded** by [`Limits`]: time, bytes, growth, redirects, requests.
//! * **N5: nothing comes along.** No proxy and no setting is read from the environment, no cookie is
//!   kept, no connection is used twice. (The system's certificates are the exception.)
//! * **N6: absence closes.** A list that cannot be read allows nothing, nor does an empty one; an
//!   address of IPv6 is open only where it is known to be public; [`BenchmarkRange`] is the one
//!   switch, and opens one range.
//!
//! `tests/it` holds each of them, `docs/network-cases.md` says how attacks went.

mod address;
mod body;
mod client;
mod connect;
mod embedded;
mod error;
mod form;
mod gate;
mod host;
mod hosts;
mod limits;
mod pass;
mod proxy;
mod range;
mod rate;
mod redirect;
mod request;
mod resolve;
mod target;
mod tls;

pub use address::{BENCHMARK_SETTING, BenchmarkRange, Refusal, judge};
pub use client::Client;
pub use connect::{Connect, Stream, SystemConnector};
pub use error::{Class, NetError, Problem};
pub use gate::{Checked, Gate, Opened, Rules};
pub use host::Host;
pub use hosts::{BadEntry, HostList, Hosts};
pub use hyper::{HeaderMap, Method, StatusCode, header};
pub use limits::Limits;
pub use pass::{Pass, Visit};
pub use proxy::Proxy;
pub use range::{IPV4, IPV6, Kind, Range};
pub use request::{Request, Response};
pub use resolve::{Resolve, SystemResolver};
pub use target::Target;
pub use tls::Trust;
