//! Configuration: layers of settings, and where each one comes from.
//!
//! Weakest first: built-in, system, user, profile, project (inert until its content is trusted),
//! environment, flag. What `managed.toml` sets cannot be overridden.
//!
//! Each layer is read into [`file::Entry`]s, checked against the one list of [`keys::KEYS`], laid over
//! each other, and then typed as [`Settings`]. A file that cannot be read, or a value that does
//! not fit, stops the program: less would be guessing at what the user allowed.

mod edit;
mod error;
mod file;
mod keys;
mod merge;
mod project;
mod seen;
mod settings;
mod show;
mod trust;
mod value;

pub(crate) use edit::write;
pub(crate) use file::{Entry, read};
pub(crate) use keys::{KEYS, Key, Kind, find};
pub(crate) use merge::{Config, Request, RuleSource, profiles, setting_vars, user_file};
pub(crate) use project::folders;
pub(crate) use seen::accept;
pub(crate) use settings::{Assistant, Confine, Grammar, Loop, Network, Rules, Settings};
pub(crate) use show::{Origins, as_json, show};
pub(crate) use trust::{digest, is_trusted, trust};
pub(crate) use value::{Origin, Value, read_switch};
