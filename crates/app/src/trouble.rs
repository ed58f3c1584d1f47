//! What is in the way, before anybody is told.
//!
//! A verb tells it on standard error and ends; a server tells it to whoever asked and goes on.

use std::fmt;

use crate::{exit::Exit, output::fail};

/// Why something cannot be done, in words, and how a program ends by it that wanted nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// How the program would end.
    pub(crate) exit: Exit,
    /// What, where, expected, found, and what to do.
    pub(crate) message: String,
}

impl Trouble {
    /// This, in these words.
    pub(crate) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, message: message.to_string() }
    }
}

/// It is told, once, on standard error.
impl From<Trouble> for Exit {
    fn from(trouble: Trouble) -> Self {
        fail(trouble.exit, trouble.message)
    }
}
