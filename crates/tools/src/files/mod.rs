//! Reading and changing files of the workspace.

mod change;
pub(crate) mod desk;
mod diff;
pub(crate) mod media;
mod patch;
mod read_batch;
mod read_chunk;
pub(crate) mod read_file;
mod replace;
mod seen;
pub(crate) mod text;
pub(crate) mod window;
mod write_file;

pub(crate) use change::{CreateFolder, DeleteFile, MoveFile};
pub(crate) use patch::ApplyPatch;
pub(crate) use read_batch::ReadBatch;
pub(crate) use read_chunk::ReadFileInChunks;
pub(crate) use read_file::ReadFile;
pub(crate) use replace::ReplaceInFile;
pub(crate) use write_file::WriteFile;
