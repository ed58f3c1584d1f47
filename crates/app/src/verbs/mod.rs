//! The verbs that need no model, one module each.

pub(crate) mod audit;
pub(crate) mod completion;
mod confirm;
pub(crate) mod doctor;
pub(crate) mod init;
pub(crate) mod keys;
pub(crate) mod man;
pub(crate) mod models;
pub(crate) mod profiles;
pub(crate) mod prompt;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod stats;
pub(crate) mod token;
pub(crate) mod tools;
pub(crate) mod undo;
