//! Finding files, text and code.

mod extract;
mod grep;
mod ignored;
mod list_files;
mod ranked;
mod walk;

pub(crate) use extract::Extract;
pub(crate) use grep::SearchFiles;
pub(crate) use list_files::ListFiles;
pub(crate) use ranked::Search;
