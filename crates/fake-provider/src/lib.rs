//! For tests alone: a provider on this machine that cuts, stalls, lies and floods, and strict
//! readings of what it is sent.
//!
//! [`Provider`] listens on a free port of the loopback interface and plays [`Answer`]s. Its waits go
//! through tokio's clock, and both ends live in one runtime, so with [`runtime`] hours pass in
//! no time. [`check_request`] knows the rules that each provider publishes.
//!
//! # Invariants
//!
//! * **Nothing leaves the machine**, and everything ends with the runtime of its test.
//! * **The same seed gives the same bytes**, cut in the same places.

mod adapter;
mod answer;
mod requests;
mod server;
mod wire;

pub use adapter::{ADAPTERS, Adapter};
pub use answer::{Answer, End};
pub use requests::{check as check_request, check_body};
pub use server::{Asked, Blocked, Provider, runtime};
pub use wire::{WIRES, Wire, data};
