//! Files by handle: what tools may reach, and how a file changes.
//!
//! A [`Workspace`] holds a few roots: the workspace itself, the assistant's own folder
//! (`home:/…`), the user's home (`device:/…`) and folders added by the user. Every path is opened
//! relative to the handle of its root, so a link or `..` that leaves the root is refused by the
//! system and not by comparing text, and nothing that changes between a check and its use can
//! help. The crate knows no tool, no policy and no session: whether a call *may* touch a path
//! is decided elsewhere, with the absolute path that [`Workspace::resolve`] names.
//!
//! # Invariants
//!
//! * **W1: nothing outside the roots is read or written**, whatever the path says and whatever
//!   happens to the tree meanwhile. Links that stay inside their root are followed.
//! * **W2: a write is old or new.** [`Workspace::write`] leaves the old content or the whole new
//!   content, at every point of failure, and no temporary file after an error.
//! * **W3: only regular files are opened**, without waiting for a pipe's other end.
//! * **W4: deleting never follows a link** and never enters another file system.
//! * **W5: names are reversible.** [`show_name`] of any name, read as a path, is that very name.
//!
//! `tests/it` holds each of them.

mod aside;
mod builder;
mod error;
mod folder;
mod hash;
mod identity;
mod locate;
mod open;
mod path;
mod relocate;
mod remove;
mod root;
mod steps;
mod trash;
mod write;

pub use aside::put_aside;
pub use builder::Builder;
pub use error::{FileError, Problem};
pub use folder::Made;
pub use hash::{ContentHash, Hasher};
pub use open::{Contents, Found, Kind, Opened};
pub use path::show_name;
pub use remove::{Deleted, Depth};
pub use root::Workspace;
pub use steps::{NoFaults, Step, Steps};
pub use write::{Before, Written};
