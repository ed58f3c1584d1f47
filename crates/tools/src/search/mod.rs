//! Finding files, text and code.

mod code;
mod definitions;
mod extract;
mod grep;
mod ignored;
mod list_files;
mod query;
mod ranked;
mod walk;

pub(crate) use definitions::ListCodeDefinitionNames;
pub(crate) use extract::Extract;
pub(crate) use grep::SearchFiles;
pub(crate) use list_files::ListFiles;
pub(crate) use query::Query;
pub(crate) use ranked::Search;
