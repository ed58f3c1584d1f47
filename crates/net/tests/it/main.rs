//! The guard, against doubles of resolver and network, and on real sockets.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod bench;
mod cases;
mod edges;
mod limits;
mod lists;
mod look_up;
mod meaning;
mod proxy;
mod real;
mod redirects;
mod reference;
mod targets;
mod tls;
mod verdict;
mod words;
